import Accounts
import ArgumentParser
import Base
import ConfigurationSamples
import Foundation
import HTTPServer
import Logging
import Network
import Testing
import World
@testable import CommandLine
@testable import Configuration
@testable import Mail
@testable import Server

/// Z3: a reload takes effect as a whole or not at all.
@Suite struct `A reload` {
    /// An installation that does not listen, and its files.
    struct ReloadFixture {
        let setup = try! Users.Setup()
        let installation: Installation

        init(adding lines: String = "", logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) async throws {
            for folder in ["Config", "Public"] {
                try FileManager.default.copyItem(atPath: Repository.root + folder, toPath: setup.file(folder))
            }
            try FileManager.default.createDirectory(
                atPath: setup.file("Config/templates/mails/projects/one"), withIntermediateDirectories: true)
            try setup.write("Hello\nto {{link}}", to: "Config/templates/mails/projects/one/signIn.txt.mustache")
            let yaml = try setup.read("onward.yaml") + "\nresources: \(setup.folder.path)\nabuseLimits: {wrongCodesPerSource: off}\n"
            try setup.write(yaml + lines, to: "onward.yaml")
            installation = try await Installation(Self.read(setup.file("onward.yaml"))(), mode: .production, logger: logger)
        }

        static func read(_ file: String) -> @Sendable () throws -> Configuration {
            { try Configuration(file: file, environment: { _ in nil }) }
        }

        func change(_ old: String, to new: String, in name: String = "onward.yaml") throws {
            let text = try setup.read(name)
            try #require(text.contains(old))
            try setup.write(text.replacing(old, with: new), to: name)
        }

        func reload() async throws -> [String] {
            let read = Self.read(setup.file("onward.yaml"))
            return try await installation.apply { _ in try read() }
        }

        var project: Project {
            get throws { try #require(installation.site.value.projects.value[ProjectID(rawValue: "one")]) }
        }
    }

    @Test func `applies the file and then the settings of admins`() async throws {
        let fixture = try await ReloadFixture()
        _ = try await fixture.installation.site.value.projects.change(ProjectID(rawValue: "one")) { settings in
            settings.signsInAnonymously = false
        }
        try fixture.change("displayName: One", to: "displayName: Uno, language: ar")
        #expect(try await fixture.reload() == [])
        #expect(try fixture.project.displayName == "Uno")
        #expect(try fixture.project.language == "ar")
        #expect(try !fixture.project.signIn.anonymous)
    }

    /// A mail is composed when it is sent, so this is true for mails that wait.
    @Test func `changes the words of mails that are sent after it`() async throws {
        let fixture = try await ReloadFixture()
        var letter = Letter(
            .action(.signIn), to: try #require(EmailAddress("ada@example.com")), language: "en",
            createdAt: Timestamp(seconds: 1_795_380_540))
        letter.link = "https://auth.example.com/x"
        func text() throws -> String { try fixture.installation.site.value.mailContent.compose(letter, try fixture.project).text }
        #expect(try text() == "Hello\nto https://auth.example.com/x")
        try fixture.change("Hello", to: "Welcome", in: "Config/templates/mails/projects/one/signIn.txt.mustache")
        #expect(try text() == "Hello\nto https://auth.example.com/x")
        _ = try await fixture.reload()
        #expect(try text() == "Welcome\nto https://auth.example.com/x")
    }

    /// A folder whose name is misspelt would be overlooked otherwise.
    @Test func `warns of mail templates that no project uses`() async throws {
        let setup = try Users.Setup()
        try setup.write("", to: "log")
        let file = try FileHandle(forWritingTo: URL(filePath: setup.file("log")))
        let writer = LogWriter(descriptor: file.fileDescriptor, format: .json)
        async let written: Void = writer.run()
        let fixture = try await ReloadFixture(logger: Logger(LogOptions(), writer: writer))
        let folder = "Config/templates/mails/projects/ones"
        try FileManager.default.createDirectory(atPath: fixture.setup.file(folder + "/de"), withIntermediateDirectories: true)
        _ = try await fixture.reload()
        try fixture.setup.write("Hallo {{link}}", to: folder + "/de/signIn.txt.mustache")
        _ = try await fixture.reload()
        writer.finish()
        await written
        let warnings = try setup.read("log").split(separator: "\n").filter { $0.contains("own words or templates without effect") }
        #expect(warnings.count == 1 && warnings[0].contains("warning") && warnings[0].contains("/projects/ones: not used"), "\(warnings)")

        let configuration = try ReloadFixture.read(fixture.setup.file("onward.yaml"))()
        let report = try LoadedResources(configuration, mode: .production).remarks
        #expect(report.count == 1)
        #expect(report.first?.hasSuffix("/projects/ones: not used: expected the id of a project as its name: one") == true, "\(report)")
    }

    /// J7: their codes sign in, without a phone.
    @Test func `warns of test numbers, without naming them`() async throws {
        let setup = try Users.Setup()
        try setup.write("", to: "log")
        let file = try FileHandle(forWritingTo: URL(filePath: setup.file("log")))
        let writer = LogWriter(descriptor: file.fileDescriptor, format: .json)
        async let written: Void = writer.run()
        let fixture = try await ReloadFixture(logger: Logger(LogOptions(), writer: writer))
        try fixture.setup.write("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", to: "key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fixture.setup.file("key"))
        try fixture.change(
            "displayName: One",
            to: """
                displayName: One, textMessages: {webhook: {url: "https://texts.example/", secret: {file: \(fixture.setup.file("key"))}}, \
                countries: ["+49"], testNumbers: {"+16505550100": "123456"}}
                """)
        _ = try await fixture.reload()
        writer.finish()
        await written
        let log = try setup.read("log")
        let warnings = log.split(separator: "\n").filter { $0.contains("test phone numbers in use") }
        #expect(warnings.count == 1 && warnings[0].contains("warning") && warnings[0].contains("one"), "\(warnings)")
        #expect(!log.contains("6505550100") && !log.contains("123456"))
    }

    @Test func `keeps the counts of unchanged limits`() async throws {
        let fixture = try await ReloadFixture()
        let before = fixture.installation.site.value.limits
        try fixture.change("displayName: One", to: "displayName: Uno")
        _ = try await fixture.reload()
        #expect(fixture.installation.site.value.limits === before)
        try fixture.change("wrongCodesPerSource: off", to: "wrongCodesPerSource: 7 per 1h")
        _ = try await fixture.reload()
        #expect(fixture.installation.site.value.limits !== before)
    }

    /// Z3: relays that did not change keep their connections.
    @Test func `changes the sender and the relays of mails`() async throws {
        let fixture = try await ReloadFixture()
        func relay() -> SMTPRelay? { (fixture.installation.site.value.mailContent.transport as? SMTPTransport)?.relays.first }
        #expect(relay() == nil)
        let mail = "mail: {from: a@example.com, relays: [{url: smtp://localhost:2525}]}\nprojects:"
        try fixture.change("projects:", to: mail)
        #expect(try await fixture.reload() == [])
        let first = try #require(relay())
        #expect(first.name == "localhost:2525")
        try fixture.change("a@example.com", to: "b@example.com")
        _ = try await fixture.reload()
        #expect(relay() === first && fixture.installation.site.value.mailContent.sender.from.address.value == "b@example.com")
        try fixture.change("2525", to: "2526")
        _ = try await fixture.reload()
        #expect(relay()?.name == "localhost:2526")
        try fixture.change("smtp://localhost:2526", to: "ftp://localhost")
        await #expect(throws: InvalidConfiguration.self) { try await fixture.reload() }
        #expect(relay()?.name == "localhost:2526")
        try fixture.change("{from: b@example.com, relays: [{url: ftp://localhost}]}", to: "none")
        _ = try await fixture.reload()
        #expect(fixture.installation.site.value.mailContent.transport == nil)
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let file, old, new, said: String
        var testDescription: String { said }
    }

    @Test(arguments: [
        Wrong(
            file: "onward.yaml", old: "projects:", new: "projets:", said: "onward.yaml:4:1: projets: unknown key; did you mean projects?"),
        Wrong(file: "onward.yaml", old: "displayName: One", new: "language: xx, displayName: One", said: "unknown language \"xx\""),
        Wrong(file: "onward.yaml", old: "resources: /", new: "resources: /nowhere/", said: "the resources folder"),
        Wrong(
            file: "onward.yaml", old: "https://auth.example.com", new: "http://localhost",
            said: "publicOrigin cannot change between http and https"),
        Wrong(file: "Config/templates/pages/confirm.mustache", old: "}}", new: "}", said: "confirm"),
        Wrong(
            file: "Config/templates/mails/projects/one/signIn.txt.mustache", old: "{{link}}", new: "{{lynk}}",
            said: "signIn.txt.mustache:2:4: unknown name {{lynk}}"),
        Wrong(file: "Config/languages/en.json", old: "\"words\":", new: "\"words\"", said: "en.json"),
        Wrong(file: "secret", old: "ssss", new: "", said: "the secret has 0 bytes"),
    ])
    func `changes nothing if anything is invalid, and reports it`(_ wrong: Wrong) async throws {
        let fixture = try await ReloadFixture()
        let before = fixture.installation.site.value
        try fixture.change("displayName: One", to: "displayName: Uno")
        try fixture.change(wrong.file == "onward.yaml" ? wrong.old.replacing("One", with: "Uno") : wrong.old, to: wrong.new, in: wrong.file)
        let said = await #expect(throws: (any Error).self) { _ = try await fixture.reload() }
        #expect(said.flatMap { explanation(of: $0) }?.contains(wrong.said) == true, "\(String(describing: said))")
        #expect(fixture.installation.site.value === before)
    }

    /// K3: the other settings, and the certificates of other hosts, do not wait for its renewal.
    @Test func `is done although a certificate in use has expired, but not with another one that has`() async throws {
        let (used, other) = (try CertificateFolder(), try CertificateFolder())
        func entry(_ files: CertificateFiles) -> String { "{certificate: \(files.certificate), privateKey: \(files.privateKey)}" }
        try used.renew("auth.example.com")
        let fixture = try await ReloadFixture(adding: "listenTLS: [\"127.0.0.1:8443\"]\ntls: [\(entry(used.files))]\nmail: none\n")
        let certificates = try #require(fixture.installation.resources.certificates)
        let loaded = await certificates.context.identities[0]
        let path = fixture.setup.file("onward.yaml")
        func reload() async throws -> [String] {
            try await fixture.installation.apply { running in
                try ConfigurationFile.parse(["--config", path]).readForServer(replacing: running)
            }
        }
        try used.expire()
        try fixture.change("displayName: One", to: "displayName: Uno")
        #expect(try await reload() == [])
        #expect(try fixture.project.displayName == "Uno")
        #expect(await certificates.context.identities[0] === loaded)

        try other.renew("links.example.com")
        try other.expire()
        try fixture.change("displayName: Uno", to: "displayName: Two")
        try fixture.change("tls: [", to: "tls: [\(entry(other.files)), ")
        let refusal = await #expect(throws: InvalidConfiguration.self) { try await reload() }
        #expect(refusal?.problems.map(\.sentence) == ["\(other.path)/certificate has expired"])
        #expect(try fixture.project.displayName == "Uno")
        let start = #expect(throws: InvalidConfiguration.self) { try ConfigurationFile.parse(["--config", path]).readForServer() }
        #expect(start?.problems.count == 2)
    }

    struct Fixed: Sendable, CustomTestStringConvertible {
        let key: String
        let change: @Sendable (inout Configuration) -> Void
        var testDescription: String { key }
    }

    @Test(arguments: [
        Fixed(key: "listen") { $0.listen = [] },
        Fixed(key: "listenTLS") { $0.listenTLS = [ListenAddress(host: "127.0.0.1", port: 1)] },
        Fixed(key: "redirectFrom") { $0.redirectFrom = $0.listen },
        Fixed(key: "adminListen") { $0.adminListen = $0.listen },
        Fixed(key: "consoleListen") { $0.consoleListen = $0.listen },
        Fixed(key: "secret") { $0.secrets = Secrets(root: [1]) },
        Fixed(key: "database") { $0.database = .sqlite(path: "elsewhere") },
        Fixed(key: "log") { $0.log = LogOptions(level: .trace, format: .text) },
        Fixed(key: "limits") { $0.server.maxConnections += 1 },
    ])
    func `keeps values that need a restart, and reports their keys`(_ fixed: Fixed) throws {
        let running = try Configuration(sample: Configuration.sampleYAML)
        var changed = running
        fixed.change(&changed)
        changed.auditRetention = .days(3)
        let (merged, keys) = try changed.keepingRestartOnlyValues(of: running)
        #expect(keys == [fixed.key])
        #expect(merged.auditRetention == .days(3))
        #expect(try merged.keepingRestartOnlyValues(of: running).keys == [])
    }

    @Test func `keeps certificates if TLS listeners would be added or removed`() throws {
        let plain = try Configuration(sample: Configuration.sampleYAML)
        var secure = plain
        secure.listenTLS = [ListenAddress(host: "127.0.0.1", port: 1)]
        secure.tls = [CertificateFiles(certificate: "a", privateKey: "b")]
        #expect(try secure.keepingRestartOnlyValues(of: plain).configuration.tls.isEmpty)
        #expect(try plain.keepingRestartOnlyValues(of: secure).configuration.tls == secure.tls)
        var renewed = secure
        renewed.tls = [CertificateFiles(certificate: "c", privateKey: "d")]
        #expect(try renewed.keepingRestartOnlyValues(of: secure).keys == [])
        #expect(try renewed.keepingRestartOnlyValues(of: secure).configuration.tls == renewed.tls)
    }
}
