import Accounts
import Base
import ConfigurationSamples
import Foundation
import HTTPServer
import HTTPTypes
import Logging
import Network
import Testing
import World
@testable import Configuration
@testable import Server

/// K2, K7: other programs renew certificates and secrets by changing a relative link.
@Suite struct `A secret file behind a link` {
    private let server = HTTPServer(addresses: [], logger: Logger(label: "test")) { _, _, _ in (.init(status: .ok), []) }
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let folder: CertificateFolder
    private var path: String { folder.path }

    init() throws { folder = try CertificateFolder() }

    /// Creates a link, or replaces it in one step.
    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/link", withDestinationPath: target)
        try #require(rename("\(path)/link", "\(path)/\(name)") == 0)
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String, mode: Int = 0o440) throws {
        try #require(
            FileManager.default.createFile(atPath: "\(path)/\(name)", contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
    }

    /// As certbot does it: `live/NAME/privkey.pem` leads to `archive/NAME/privkey1.pem`.
    @Test func `of certbot is read, and a renewal is noticed by the changed links`() async throws {
        for name in ["live/site", "archive/site"] { try makeFolder(name) }
        let files = CertificateFiles(certificate: "\(path)/live/site/fullchain.pem", privateKey: "\(path)/live/site/privkey.pem")
        func renew(_ number: Int, _ host: String, check: () async throws -> Void = {}) async throws {
            try folder.renew(host)
            for (made, name) in [("key", "privkey"), ("certificate", "fullchain")] {
                try FileManager.default.moveItem(atPath: "\(path)/\(made)", toPath: "\(path)/archive/site/\(name)\(number).pem")
            }
            for name in ["privkey", "fullchain"] {
                try link("live/site/\(name).pem", to: "../../archive/site/\(name)\(number).pem")
                try await check()
            }
        }
        try await renew(1, "one.example.test")
        let watch = try CertificateWatch([files], now: System.now, logger: logger)
        #expect(await watch.context.covers("one.example.test"))
        try await renew(2, "two.example.test") { await watch.check(for: server) }
        #expect(await watch.context.covers("two.example.test"))
    }

    /// As in a volume of Kubernetes: `tls.key` leads to `..data/tls.key`, and `..data` to a folder
    /// with the time of the renewal as its name.
    @Test func `of a secret volume is read, and a renewal is noticed by the changed link of its folder`() async throws {
        let files = CertificateFiles(certificate: "\(path)/tls.crt", privateKey: "\(path)/tls.key")
        let password = SecretReference.file("\(path)/password")
        func renew(_ time: String, _ host: String) throws {
            let former = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/..data")
            try makeFolder(time)
            try folder.renew(host)
            for (made, name) in [("key", "tls.key"), ("certificate", "tls.crt")] {
                try FileManager.default.moveItem(atPath: "\(path)/\(made)", toPath: "\(path)/\(time)/\(name)")
            }
            try write("password of \(host)\n", to: "\(time)/password")
            try link("..data", to: time)
            if let former { try FileManager.default.removeItem(atPath: "\(path)/\(former)") }
        }
        for name in ["tls.key", "tls.crt", "password"] { try link(name, to: "..data/\(name)") }
        try renew("..2026_11_26_10_00_00.1", "one.example.test")
        let watch = try CertificateWatch([files], now: System.now, logger: logger)
        #expect(await watch.context.covers("one.example.test"))
        #expect(try password.text() == "password of one.example.test")
        try renew("..2026_11_27_10_00_00.1", "two.example.test")
        await watch.check(for: server)
        #expect(await watch.context.covers("two.example.test"))
        #expect(try password.text() == "password of two.example.test")
    }

    /// The mode of the link itself is always 0777.
    @Test func `is refused if others can read its target, until the named command is run`() throws {
        try write("a secret", to: "target", mode: 0o644)
        try link("secret", to: "target")
        let secret = "\(path)/secret"
        func refusal() -> String? {
            do { _ = try SecretFile.content(of: secret) } catch { return error.sentence }
            return nil
        }
        let command = try #require(refusal()?.firstMatch(of: #/`chmod (.*) (.*)`/#))
        #expect(command.2 == secret)
        _ = try Program.output(of: "/bin/chmod", [String(command.1), secret])
        #expect(refusal() == nil)
        try link("secret", to: "absent")
        #expect(refusal() == "the file \(secret) cannot be read: No such file or directory")
    }
}
