import Foundation
import Testing
import Views
@testable import Configuration

@Suite struct `Own words and looks` {
    private let root = FileManager.default.temporaryDirectory.appending(path: "onward-resources-\(UUID().uuidString)").path

    private func make(_ folders: [String]) throws {
        for folder in folders { try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true) }
    }

    private static let whole = ["Config/templates", "Config/languages", "Public"]

    @Test func `lie over the release that is found at the executable`() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        try make(Self.whole.map { "usr/share/onward/" + $0 } + ["own/Public", "empty"])
        let executable = root + "/usr/bin/onward"
        let found = try Resources(named: root + "/own", executable: executable)
        #expect(found == Resources(release: root + "/usr/share/onward", own: root + "/own"))
        #expect(try Resources(named: nil, executable: executable) == Resources(release: root + "/usr/share/onward"))
        #expect(
            try Resources(named: root + "/usr/share/onward/", executable: executable) == Resources(release: root + "/usr/share/onward"))
        for folder in ["empty", "nowhere"] {
            let error = try #require(throws: Resources.NotFound.self) { try Resources(named: "\(root)/\(folder)", executable: executable) }
            #expect(error.description.contains("\(root)/\(folder) has neither Config/templates nor Config/languages nor Public"))
        }
    }
}
