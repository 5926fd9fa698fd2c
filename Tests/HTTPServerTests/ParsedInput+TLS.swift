import Testing
@testable import HTTPServer

extension ParsedInput {
    private static let context = Result { try TestCertificates.context(TestCertificates.a) }

    /// Parses `bytes` after a TLS session, in records of seven bytes and reads of eleven.
    init(throughTLS bytes: [UInt8]) throws {
        let client = TLSClient()
        let session = try #require(TLSSession(Self.context.get()))
        let decrypted = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16_384)
        defer { decrypted.deallocate() }
        var received: [[UInt8]] = []
        func deliver() {
            let wire = client.take()
            wire.withUnsafeBufferPointer { wire in
                for start in stride(from: 0, to: wire.count, by: 11) {
                    session.receive(wire.part(start..<min(start + 11, wire.count)), through: decrypted) { received.append(Array($0)) }
                }
            }
        }
        for _ in 0..<3 {
            _ = client.receive(session.takeOutput())
            deliver()
        }
        for start in stride(from: 0, to: bytes.count, by: 7) { client.send(Array(bytes[start..<min(start + 7, bytes.count)])) }
        deliver()
        try #require(Array(received.joined()) == bytes)
        var end = 0
        self.init(
            bytes,
            cutAt: received.dropLast().map {
                end += $0.count; return end
            })
    }
}
