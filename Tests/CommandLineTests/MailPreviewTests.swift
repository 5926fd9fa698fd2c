import ArgumentParser
import Foundation
import Testing
import World
@testable import CommandLine
@testable import Configuration
@testable import Views

@Suite struct `A preview of a mail` {
    let setup: Users.Setup

    init() throws {
        setup = try Users.Setup()
        for folder in ["Config", "Public"] {
            try FileManager.default.copyItem(atPath: Repository.root + folder, toPath: setup.file(folder))
        }
        try setup.write(try setup.read("onward.yaml") + "\nresources: \(setup.folder.path)\n", to: "onward.yaml")
    }

    private func preview(_ action: String, _ arguments: String...) throws -> MailPreview {
        try MailPreview.parse(["--action", action, "--config", setup.file("onward.yaml"), "--out", setup.file("mails")] + arguments)
    }

    @Test func `is HTML, text and a message with plain samples`() async throws {
        let stem = try await preview("resetPassword", "--lang", "ar").writeMail()
        #expect(stem == setup.file("mails") + "/one-resetPassword-ar")
        let (html, text, message) = try (read(stem, "html"), read(stem, "txt"), read(stem, "eml"))
        #expect(html.contains("dir=\"rtl\"") && html.contains("oobCode=SAMPLE-NOT-A-CODE"))
        #expect(text.hasPrefix("Subject: ") && text.contains("oobCode=SAMPLE-NOT-A-CODE") && text.contains("ada.lovelace@app.example"))
        #expect(message.contains("\r\nTo: ada.lovelace@app.example\r\n") && message.contains("\r\nContent-Language: ar\r\n"))
    }

    @Test func `has the project's own words`() async throws {
        let folder = setup.file("Config/templates/mails/projects/one/de")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try setup.write("Eigene Worte", to: "Config/templates/mails/projects/one/de/passwordChanged.txt.mustache")
        let stem = try await preview("passwordChanged", "--lang", "de-CH", "--project", "one").writeMail()
        #expect(try read(stem, "txt").hasSuffix("\n\nEigene Worte\n") && read(stem, "html").contains(">Eigene Worte</div>"))
    }

    @Test(arguments: [
        (["x"], "unknown action x; expected one of resetPassword, verifyEmail"),
        (["signIn", "--lang", "tlh"], "unknown language tlh; expected one of en, "),
        (["signIn", "--project", "two"], "unknown project two; expected one of one"),
    ])
    func `names what it could show instead of something unknown`(_ arguments: [String], _ sentence: String) async throws {
        let command = try MailPreview.parse(["--config", setup.file("onward.yaml"), "--action"] + arguments)
        let error = await #expect(throws: Failure.self) { _ = try await command.writeMail() }
        #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "-")")
    }

    /// The script takes them with twice as many pixels as a phone's 390.
    @Test(.enabled(if: OtherServers.mayRun && FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium")))
    func `has pictures in light and in dark mode`() throws {
        let arguments = ["--action", "signIn", "--config", setup.file("onward.yaml"), "--out", setup.file("mails")]
        let places = [Bundle.main.bundleURL, URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()]
        let binary = try #require(places.map { $0.appending(path: "onward").path }.first(where: FileManager.default.isExecutableFile))
        let output = try Program.output(
            of: "/usr/bin/env", ["ONWARD=\(binary)", Repository.root + "Scripts/mail-preview"] + arguments)
        let stem = setup.file("mails") + "/one-signIn-en"
        #expect(output.hasSuffix("\(stem).light.png\n\(stem).dark.png\n"), "\(output)")
        let pictures = try ["light", "dark"].map { try Data(contentsOf: URL(filePath: "\(stem).\($0).png")) }
        #expect(pictures[0] != pictures[1])
        for picture in pictures { #expect(PictureSize(of: Array(picture))?.width == 780) }
    }

    private func read(_ stem: String, _ ending: String) throws -> String {
        try String(contentsOf: URL(filePath: "\(stem).\(ending)"), encoding: .utf8)
    }
}
