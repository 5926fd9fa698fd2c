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

/// I14: the certificates that are trusted at a provider.
@Suite struct `The caFile of a provider` {
    private func providers(_ caFile: String) throws -> Configuration {
        try Configuration(
            sample:
                Configuration.sampleYAML
                + "\n    providers: [{id: oidc.acme, url: https://login.acme.example, clientIDs: [a], caFile: \(caFile)}]")
    }

    @Test func `is a file that can be read`() throws {
        let folder = try CertificateFolder()
        try folder.renew("localhost")
        let file = folder.files.certificate
        #expect(try providers(file).projects[0].providers["oidc.acme"]?.caFile == file)
        #expect { try providers(file + ".missing") } throws: { "\($0)".contains("\(file).missing cannot be read") }
    }

    /// The file takes the place of the system's certificates, and may be replaced while the client
    /// is used.
    @Test func `holds the only certificates that are trusted`() async throws {
        let (own, stranger) = (try CertificateFolder(), try CertificateFolder())
        for folder in [own, stranger] { try folder.renew("localhost") }
        let watch = try CertificateWatch([own.files], now: System.now, logger: Logger(label: "test"))
        let server = HTTPServer(
            addresses: [], secured: HTTPServer.Secured(addresses: [ListenAddress(host: "127.0.0.1", port: 0)], tls: await watch.context),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _, _, _ in (HTTPResponse(status: .ok, headerFields: [.connection: "close"]), []) }
        let port = try #require(try await server.start().first?.port)

        func status(trusting caFile: String?) async -> Result<Int, TransferError> {
            var limits = TransferLimits()
            (limits.connect, limits.total) = (.patience, .patience)
            let client = HTTPClient(limits, caFile: caFile, circuitChanged: { _ in })
            do throws(TransferError) {
                return .success(try await client.send(TransferRequest(url: "https://localhost:\(port)/", fields: [], body: nil)).status)
            } catch { return .failure(error) }
        }
        #expect(try await status(trusting: own.files.certificate).get() == 200)
        for caFile in [stranger.files.certificate, nil] {
            guard case .failure(let error) = await status(trusting: caFile) else {
                Issue.record("\(caFile ?? "the system") was trusted")
                continue
            }
            #expect(error.requestState == .notSent && error.cause.contains("certificate"))
        }
        await server.stop()
    }
}
