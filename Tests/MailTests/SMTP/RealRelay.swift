import Foundation
import Synchronization
import World

/// aiosmtpd, an independent SMTP server with TLS and authentication.
final class RealRelay: Sendable {
    struct Message: Decodable, Sendable {
        let from: String
        let to: [String]
        let options: [String]
        let utf8, tls: Bool
        let user: String?
        let message: String

        var text: String { String(decoding: Data(base64Encoded: message) ?? Data(), as: UTF8.self) }
    }

    let port: UInt16
    private let program: Program

    /// - Parameter options: what `relay.py` describes.
    init(_ options: [String: any Sendable] = [:]) async throws {
        let json = try JSONSerialization.data(withJSONObject: options)
        program = try Program(OtherServers.python, ["-W", "ignore", OtherServers.mailRelay, String(decoding: json, as: UTF8.self)])
        let text = try await program.first(/listening (\d+)/)
        port = UInt16(text) ?? 0
    }

    deinit { program.signal(SIGKILL) }

    /// The next message that it accepted.
    func message() async throws -> Message {
        let line = try await program.first(/^(\{.*\})$/)
        return try JSONDecoder().decode(Message.self, from: Data(line.utf8))
    }
}
