import COpenSSL
@testable import HTTPServer

/// A `Client` that speaks TLS.
final class SecureClient {
    struct Closed: Error {}

    let wire: Client
    let tls: TLSClient
    private var rest = ""

    private init(_ wire: Client, _ tls: TLSClient) { (self.wire, self.tls) = (wire, tls) }

    /// Returns when the handshake is done; throws when the server ends it.
    static func connect(to address: ListenAddress, as tls: TLSClient = TLSClient()) async throws -> SecureClient {
        try await handshake(try await Client.connect(to: address), as: tls)
    }

    /// Performs the handshake over an open connection.
    static func handshake(_ wire: Client, as tls: TLSClient = TLSClient()) async throws -> SecureClient {
        let client = SecureClient(wire, tls)
        while !tls.isConnected { try await client.exchange() }
        return client
    }

    func send(_ text: String) async throws {
        tls.send(text)
        try await wire.send(tls.take())
    }

    /// Announces new keys, and sends a request after them.
    func updateKeys(_ count: Int, before text: String) async throws {
        for _ in 0..<count { tls.updateKey() }
        try await send(text)
    }

    /// Sends close_notify and keeps the connection open.
    func finish() async throws {
        tls.end()
        try await wire.send(tls.take())
    }

    /// Receives until `isEnough` returns true or the server ends.
    func receive(until isEnough: (String) -> Bool) async throws -> String {
        while !isEnough(rest), tls.ending == .none {
            do { try await exchange() } catch is Closed { break }
        }
        defer { rest = "" }
        return rest
    }

    func receive(endingWith ending: String) async throws -> String { try await receive { $0.hasSuffix(ending) } }
    func receiveAll() async throws -> String { try await receive { _ in false } }

    private func exchange() async throws {
        rest += String(decoding: tls.receive([]), as: UTF8.self)
        try await wire.send(tls.take())
        let bytes = try await wire.receiveBytes()
        guard !bytes.isEmpty else { throw Closed() }
        rest += String(decoding: tls.receive(bytes), as: UTF8.self)
        try await wire.send(tls.take())
    }
}
