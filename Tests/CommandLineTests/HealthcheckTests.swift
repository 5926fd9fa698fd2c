import ArgumentParser
import Base
import Configuration
import ConfigurationSamples
import HTTPServer
import HTTPTypes
import Logging
import Testing
import World
@testable import CommandLine
@testable import Server

@Suite struct `A health check` {
    /// The exit status of `onward healthcheck` for a server with a certificate for `auth.test`,
    /// whose address the arguments follow.
    private func status(of health: Int, tls: Bool, _ arguments: (_ certificate: String) -> [String]) async throws -> Int32 {
        let folder = try CertificateFolder()
        try folder.renew("auth.test")
        let certificates = try CertificateWatch(
            [folder.files], now: System.now, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let address = ListenAddress(host: "127.0.0.1", port: 0)
        let secured = tls ? HTTPServer.Secured(addresses: [address], tls: await certificates.context) : nil
        let server = HTTPServer(addresses: tls ? [] : [address], secured: secured, logger: Logger(label: "test")) { request, _, _ in
            (.init(status: .init(code: request.path == "/readyz" ? health : 200)), [])
        }
        let bound = try await server.start()
        let command = try Healthcheck.parse(["--address", bound[0].description] + arguments(folder.files.certificate))
        let status: Int32
        do {
            try await command.run()
            status = 0
        } catch let code as ExitCode { status = code.rawValue }
        await server.stop()
        return status
    }

    @Test(arguments: [false, true]) func `passes if the server responds and is ready`(tls: Bool) async throws {
        func trust(_ certificate: String) -> [String] { tls ? ["--tls", "auth.test", "--ca", certificate] : [] }
        #expect(try await status(of: 200, tls: tls) { trust($0) } == 0)
        #expect(try await status(of: 200, tls: tls) { trust($0) + ["--ready"] } == 0)
        #expect(try await status(of: 503, tls: tls) { trust($0) + ["--ready"] } == 1)
    }

    @Test func `fails for another name, a certificate that is not trusted, and a server that speaks plain HTTP`() async throws {
        #expect(try await status(of: 200, tls: true) { ["--tls", "other.test", "--ca", $0] } == 1)
        #expect(try await status(of: 200, tls: true) { _ in ["--tls", "auth.test"] } == 1)
        #expect(try await status(of: 200, tls: false) { ["--tls", "auth.test", "--ca", $0] } == 1)
        #expect(throws: (any Error).self) { try Healthcheck.parse(["--ca", "certificate.pem"]) }
    }
}
