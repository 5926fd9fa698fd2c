import COpenSSL

@testable import HTTPServer

/// A `Client` that speaks TLS.
final class SecureClient {
    struct Refused: Error {}

    let wire: Client
    let tls: TLSClient
    private var rest = ""

    private init(_ wire: Client, _ tls: TLSClient) { (self.wire, self.tls) = (wire, tls) }

    /// Returns when the handshake is done; throws when the server ends it.
    static func connect(to address: ListenAddress, as tls: TLSClient = TLSClient()) async throws -> SecureClient {
        try await greet(try await Client.connect(to: address), as: tls)
    }

    /// The same over a connection that is there.
    static func greet(_ wire: Client, as tls: TLSClient = TLSClient()) async throws -> SecureClient {
        let client = SecureClient(wire, tls)
        while !tls.isConnected { try await client.exchange() }
        return client
    }

    func send(_ text: String) async throws {
        tls.say(text)
        try await wire.send(tls.take())
    }

    /// Says that nothing more will come, in TLS alone.
    func finish() async throws {
        tls.end()
        try await wire.send(tls.take())
    }

    /// As much as `isEnough` asks for; less means that the server ended.
    func receive(until isEnough: (String) -> Bool) async throws -> String {
        while !isEnough(rest), tls.ending == .none {
            do { try await exchange() } catch is Refused { break }
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
        guard !bytes.isEmpty else { throw Refused() }
        rest += String(decoding: tls.receive(bytes), as: UTF8.self)
        try await wire.send(tls.take())
    }
}
