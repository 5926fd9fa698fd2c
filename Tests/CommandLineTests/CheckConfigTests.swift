import Accounts
import ArgumentParser
import Base
import ConfigurationSamples
import Foundation
import Store
import Testing
import World
@testable import CommandLine
@testable import Configuration
@testable import Server

@Suite struct `A check of the configuration` {
    @Test func `a configuration that is not UTF-8 is refused with its line`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "onward-latin-\(UUID().uuidString)").path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("log: {}\n# Caf".utf8 + [0xe9] + "\n".utf8).write(to: URL(filePath: file))
        let error = #expect(throws: InvalidConfiguration.self) { try Configuration(file: file, environment: nil) }
        #expect(error?.description == "\(file):2: the file is not UTF-8: save it as UTF-8")
    }

    private struct Setup: CommandSetup {
        let folder: Folder

        init() throws {
            folder = try Folder()
            try configure(projects: "[{id: shop, displayName: Shop, apiKeys: [shop-key-1], authorizedDomains: [shop.test]}]")
            try change("https://auth.example.com", to: "https://auth.shop.test")
            try write(try read("onward.yaml") + "\nmail: none\n", to: "onward.yaml")
        }

        func change(_ old: String, to new: String) throws {
            try write(try read("onward.yaml").replacing(old, with: new), to: "onward.yaml")
        }

        /// The exit status of `onward check-config`.
        func status() async throws -> Int32 {
            do {
                try await CheckConfig.parse(["--config", file("onward.yaml")]).run()
                return 0
            } catch let code as ExitCode { return code.rawValue }
        }
    }

    /// Z6: whichever file a problem is in.
    @Test func `problems of the configuration and of resources are reported at once, each with its line and key`() throws {
        let setup = try Setup()
        try setup.change("displayName: Shop", to: "displayNam: Shop, language: xx, brand: {logo: none.svg}, hideAccounts: maybe")
        let command = try ConfigurationFile.parse(["--config", setup.file("onward.yaml")])
        let error = #expect(throws: InvalidConfiguration.self) { try command.readForServer() }
        let keys = error?.problems.map { "\($0.line ?? 0) \($0.key ?? "")" } ?? []
        let expected = ["projects[0].displayNam", "projects[0].language", "projects[0].brand.logo", "projects[0].hideAccounts"]
        for key in expected { #expect(keys.contains("4 \(key)"), "\(keys)") }
        #expect(error?.description.contains("unknown language \"xx\"; expected one of en") == true)
    }

    @Test func `passes a usable one`() async throws { #expect(try await Setup().status() == 0) }

    /// Exit status 78, as for every other problem of the configuration.
    @Test(arguments: [
        ("displayName: Shop", "displayName: Shop, language: xx"),
        ("displayName: Shop", "displayName: Shop, brand: {logo: none.svg}"),
        ("publicOrigin:", "resources: /nowhere\npublicOrigin:"),
    ])
    func `fails for languages, logos and resources that are missing`(old: String, new: String) async throws {
        let setup = try Setup()
        try setup.change(old, to: new)
        #expect(try await setup.status() == ExitCode.badConfiguration.rawValue)
    }

    @Test func `fails for the secret of another database`() async throws {
        let setup = try Setup()
        try await Configuration(file: setup.file("onward.yaml"), environment: { _ in nil }).database.withStore(creating: true) { store in
            _ = try await store.recognize(Secrets(root: Array("another secret of at least 32 bytes".utf8)))
        }
        #expect(try await setup.status() == 1)
    }

    /// K3: a certificate that fits no host of the configuration is a bad one.
    @Test func `fails for a certificate that names no host of the configuration`() async throws {
        let (setup, folder) = (try Setup(), try CertificateFolder())
        func report(_ name: String) async throws -> (useless: [String], hosts: [String], status: Int32) {
            try folder.renew(name)
            let found = try CheckConfig.certificateReport(
                of: try Configuration(file: setup.file("onward.yaml"), environment: { _ in nil }))
            return (found.useless, found.hosts, try await setup.status())
        }
        try setup.change(
            "publicOrigin:",
            to:
                "listenTLS: [\"127.0.0.1:8443\"]\ntls: [{certificate: \(folder.files.certificate), privateKey: \(folder.files.privateKey)}]\n"
                + "publicOrigin:")
        try setup.change("displayName: Shop", to: "displayName: Shop, linkDomains: [links.shop.test]")
        let wrong = try await report("other.test")
        #expect(wrong.useless.count == 1 && wrong.useless[0].contains("other.test and names no host") && wrong.status == 1)
        let half = try await report("auth.shop.test")
        #expect(half.useless.isEmpty && half.hosts.count == 1 && half.hosts[0].hasPrefix("links.shop.test: ") && half.status == 0)
        let whole = try await report("*.shop.test")
        #expect(whole.useless.isEmpty && whole.hosts.isEmpty && whole.status == 0)
    }

    @Test func `names values that were left as in the sample`() throws {
        let setup = try Setup()
        #expect(Configuration.exampleValues(inFile: setup.file("onward.yaml")).isEmpty)
        try setup.change("shop-key-1", to: "example-api-key")
        try setup.change("[shop.test]", to: "[\"=app.example.com\", myexample.company]")
        let found = Configuration.exampleValues(inFile: setup.file("onward.yaml"))
        #expect(found.map(\.key) == ["projects[0].apiKeys[0]", "projects[0].authorizedDomains[0]"])
        #expect(found.allSatisfy { $0.line != nil })
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        #expect(Configuration.exampleValues(inFile: root.appending(path: "Config/onward.yaml").path).count >= 8)
    }
}
