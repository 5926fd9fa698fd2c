import Accounts
import Base
import ConfigurationSamples
import Foundation
import HTTPServer
import HTTPTypes
import Logging
import Synchronization
import Testing
import World
@testable import Configuration
@testable import Server

/// K2: certificates change under load without a failed request. K3: a bad certificate or key is
/// refused. K7: a private key or secret that other users can read is refused.
@Suite struct `A certificate watch` {
    static let now: Now = { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let server = HTTPServer(addresses: [], logger: Logger(label: "test")) { _, _, _ in (.init(status: .ok), []) }

    @Test func `reloads changed files, and keeps the certificates if a file is invalid`() async throws {
        let folder = try CertificateFolder()
        try folder.renew("one.example.test")
        let certificates = try CertificateWatch([folder.files], now: Self.now, logger: logger)
        let first = await certificates.context
        await certificates.check(for: server)
        #expect(await certificates.context === first)

        try folder.renew("two.example.test")
        await certificates.check(for: server)
        let second = await certificates.context
        #expect(second.covers("two.example.test") && !second.covers("one.example.test"))

        // The new certificate is there and its key is not yet.
        let key = FileManager.default.contents(atPath: folder.files.privateKey)
        try folder.renew("three.example.test")
        let newKey = FileManager.default.contents(atPath: folder.files.privateKey)
        try key?.write(to: URL(filePath: folder.files.privateKey))
        await certificates.check(for: server)
        #expect(await certificates.context.covers("two.example.test"))
        try newKey?.write(to: URL(filePath: folder.files.privateKey))
        try await certificates.use([folder.files], for: server)
        #expect(await certificates.context.covers("three.example.test"))

        try FileManager.default.removeItem(atPath: folder.files.certificate)
        await certificates.check(for: server)
        #expect(await certificates.context.covers("three.example.test"))
    }

    @Test func `reloads a renewed certificate while another one has expired, and serves both`() async throws {
        let (renewed, expired, new, warnings) = (try CertificateFolder(), try CertificateFolder(), try CertificateFolder(), RecordedLog())
        let days = Mutex(0)
        try renewed.renew("one.example.test", days: 60)
        for folder in [expired, new] { try folder.renew("two.example.test") }
        let certificates = try CertificateWatch(
            [renewed.files, expired.files], now: { Self.now() + .days(days.withLock { $0 }) },
            logger: Logger(label: "test") { _ in warnings })
        func serves(_ names: String...) async -> Bool {
            let context = await certificates.context
            return names.allSatisfy(context.covers)
        }
        days.withLock { $0 = 40 }
        try renewed.renew("renewed.example.test", days: 60)
        await certificates.check(for: server)
        #expect(await serves("renewed.example.test", "two.example.test"))
        let errors = warnings.lines.withLock { $0 }.filter { $0.hasPrefix("error") }
        #expect(errors.count == 1 && errors[0].contains("\(expired.path)/certificate has expired"), "\(errors)")

        // SIGHUP: what is in use may have expired, other files may not.
        try await certificates.use([expired.files, renewed.files], for: server)
        #expect(await serves("renewed.example.test", "two.example.test"))
        await #expect(throws: SettingError.self) { try await certificates.use([renewed.files, new.files], for: server) }
        #expect(await serves("renewed.example.test", "two.example.test"))
    }

    @Test func `reloads when only the permissions of the key were corrected`() async throws {
        let folder = try CertificateFolder()
        try folder.renew("one.example.test")
        let certificates = try CertificateWatch([folder.files], now: Self.now, logger: logger)
        try folder.renew("two.example.test")
        func check(permissions: Int) async throws {
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: folder.files.privateKey)
            await certificates.check(for: server)
        }
        try await check(permissions: 0o644)
        #expect(await certificates.context.covers("one.example.test"))
        try await check(permissions: 0o640)
        #expect(await certificates.context.covers("two.example.test"))
    }

    /// As after a renewal that put the certificate of another site in its place.
    @Test func `warns of configured hosts that the loaded certificate does not name`() async throws {
        let (folder, warnings) = (try CertificateFolder(), RecordedLog())
        let logger = Logger(label: "test") { _ in warnings }
        try folder.renew("auth.example.test")
        let certificates = try CertificateWatch([folder.files], naming: ["auth.example.test"], now: Self.now, logger: logger)
        try folder.renew("other.example.test")
        await certificates.check(for: server)
        let lines = warnings.lines.withLock { $0 }
        #expect(lines.count { $0.contains("certificate missing for a configured host") } == 1)
        #expect(lines.contains { $0.contains("auth.example.test") && $0.contains("other.example.test") })
    }

    /// An outdated response, as after an authority stops to issue them, does not prevent a renewal.
    @Test func `reloads a certificate beside an OCSP response for another one`() async throws {
        let folder = try CertificateFolder()
        try folder.renew("one.example.test")
        try Data("no response".utf8).write(to: URL(filePath: folder.files.ocspResponse))
        let certificates = try CertificateWatch([folder.files], now: Self.now, logger: logger)
        try folder.renew("two.example.test")
        await certificates.check(for: server)
        #expect(await certificates.context.covers("two.example.test"))
    }

    @Test func `refuses invalid files at start by name, without content of the key`() throws {
        let folder = try CertificateFolder()
        func refusal() -> String? {
            do { _ = try folder.files.identity(at: Int(Date().timeIntervalSince1970)) } catch { return error.sentence }
            return nil
        }
        #expect(refusal() == "the file \(folder.path)/certificate cannot be read")
        try folder.renew("a.example.test")
        #expect(refusal() == nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.files.privateKey)
        #expect(refusal()?.contains("can be read by others") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.files.privateKey)
        let key = try #require(FileManager.default.contents(atPath: folder.files.privateKey))
        try folder.renew("b.example.test")
        try key.write(to: URL(filePath: folder.files.privateKey))
        #expect(refusal() == "\(folder.path)/key is not the private key of the certificate")
        let other = CertificateFiles(certificate: folder.files.certificate, privateKey: folder.files.privateKey)
        #expect(throws: SettingError.self) { try CertificateWatch([other], now: Self.now, logger: logger) }
    }
}
