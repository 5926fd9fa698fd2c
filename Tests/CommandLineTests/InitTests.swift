import Accounts
import ArgumentParser
import Foundation
import HTTPServer
import Testing
@testable import CommandLine
@testable import Configuration
@testable import Server

@Suite struct `A first configuration` {
    private struct Setup: CommandSetup {
        let folder: Folder

        init() throws { folder = try Folder() }

        /// - Returns: the exit status.
        func create(_ arguments: [String]) async throws -> Int32 {
            do {
                try await Init.parse(arguments + ["--no-input", "--directory", folder.path + "/new"]).run()
                return 0
            } catch let code as ExitCode { return code.rawValue }
        }

        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
        }
    }

    /// W5: root in the folder of the server's group, which has to read both files.
    @Test(.enabled(if: getuid() == 0)) func `of root is readable by the group of its folder, and by no other`() async throws {
        let setup = try Setup()
        try FileManager.default.createDirectory(atPath: setup.file("new"), withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.groupOwnerAccountID: 4242], ofItemAtPath: setup.file("new"))
        #expect(try await setup.create(Self.required) == 0)
        for name in ["new/secret", "new/onward.yaml"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: setup.file(name))
            #expect(attributes[.groupOwnerAccountID] as? Int == 4242 && attributes[.ownerAccountID] as? Int == 0)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
        }
    }

    private static let required = ["--origin", "https://auth.example.com", "--domain", "app.example.com"]

    @Test func `is accepted as it is, with a secret that others cannot read`() async throws {
        let setup = try Setup()
        #expect(
            try await setup.create(
                Self.required + [
                    "--domain", "example.org", "--name", #"Ada's "App": # 1"#, "--project", "shop", "--from",
                    "Shop <no-reply@example.com>", "--relay", "smtp://mail.example.com:587", "--database", setup.file("data.sqlite"),
                ]) == 0)
        let configuration = try Configuration(file: setup.file("new/onward.yaml"), environment: { _ in nil })
        try configuration.requireMail(file: "onward.yaml")
        let project = try #require(configuration.projects.first)
        #expect(project.id.rawValue == "shop" && project.displayName == #"Ada's "App": # 1"#)
        #expect(project.authorizedDomains.hosts == ["app.example.com", "example.org"])
        #expect(configuration.secrets != nil && configuration.database == .sqlite(path: setup.file("data.sqlite")))
        #expect(try setup.read("new/onward.yaml").contains(#"from: "Shop <no-reply@example.com>""#))
        #expect(try setup.mode("new/secret") == 0o600 && setup.mode("new/onward.yaml") == 0o600)
        // What the SDKs for Apple and Android demand of a key.
        #expect(project.apiKeys.allSatisfy { $0.wholeMatch(of: #/A[\w\-]{38}/#) != nil } && project.apiKeys.count == 1)
    }

    @Test func `of this machine listens where its origin is, and sends no mails without a relay`() async throws {
        let setup = try Setup()
        #expect(try await setup.create(["--origin", "http://localhost:9123", "--domain", "localhost"]) == 0)
        let configuration = try Configuration(file: setup.file("new/onward.yaml"), environment: { _ in nil })
        try configuration.requireMail(file: "onward.yaml")
        #expect(configuration.listen.map(\.description) == ["127.0.0.1:9123"])
        #expect(configuration.database == .sqlite(path: setup.file("new/onward.sqlite")))
    }

    @Test(arguments: ["onward.yaml", "secret"]) func `overwrites nothing`(name: String) async throws {
        let setup = try Setup()
        try FileManager.default.createDirectory(atPath: setup.file("new"), withIntermediateDirectories: false)
        try setup.write("mine", to: "new/" + name)
        #expect(try await setup.create(Self.required) == 1)
        #expect(try setup.read("new/" + name) == "mine")
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.file("new")) == [name])
    }

    @Test(arguments: [
        ["--origin", "auth.example.com", "--domain", "a.example"], ["--origin", "https://a.example/x", "--domain", "a.example"],
        ["--origin", "https://a.example", "--domain", "https://a.example/"], ["--origin", "https://a.example"], ["--domain", "a.example"],
        ["--origin", "https://a.example", "--domain", "a.example", "--project", "My App"],
        ["--origin", "https://a.example", "--domain", "a.example", "--from", "no-reply@a.example"],
        ["--origin", "https://a.example", "--domain", "a.example", "--from", "no-one", "--relay", "smtp://a.example"],
    ])
    func `is not written with what serve would refuse`(_ arguments: [String]) async throws {
        let setup = try Setup()
        #expect(try await setup.create(arguments) == 1)
        #expect(!setup.exists("new"))
    }

    /// A server that root starts would make files that the service cannot open.
    @Test func `is followed by commands for the server's user where systemd looks for it`() {
        func commands(_ folder: String) -> [Substring] {
            let starter = StarterConfiguration(
                origin: "https://auth.example.com", domains: ["app.example.com"], projectID: "my-app", displayName: "App", apiKey: "A",
                mail: nil, secretFile: folder + "/secret", database: folder + "/onward.sqlite")
            return Init.nextSteps(after: starter, in: folder + "/onward.yaml").split(separator: "\n").filter { $0.hasPrefix("  ") }
        }
        #expect(
            commands("/etc/onward") == [
                "  sudo -u onward onward check-config --config /etc/onward/onward.yaml",
                "  sudo systemctl enable --now onward.socket onward",
                "  sudo -u onward onward doctor --config /etc/onward/onward.yaml",
            ])
        // The service can write to its state directory only.
        #expect(Init.dataFolder(for: "/etc/onward") == "/var/lib/onward" && Init.dataFolder(for: "/srv/a") == "/srv/a")
        #expect(commands("/srv/a").first == "  onward check-config --config /srv/a/onward.yaml")
        #expect(commands("/srv/a").contains("  onward serve --config /srv/a/onward.yaml"))
        #expect(commands("/srv/a b").first == "  onward check-config --config '/srv/a b/onward.yaml'")
    }

    @Test func `has another secret and another key each time`() async throws {
        let (one, two) = (try Setup(), try Setup())
        #expect(try await one.create(Self.required) == 0)
        #expect(try await two.create(Self.required) == 0)
        #expect(try one.read("new/secret") != two.read("new/secret"))
        #expect(try one.read("new/onward.yaml") != two.read("new/onward.yaml"))
    }
}
