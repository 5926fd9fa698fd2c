import Testing

@testable import HTTPServer

extension Reading {
    private static let context = Result { try Certificates.context(Certificates.a) }

    /// Reads `bytes` through a TLS session: in records of seven bytes, over a wire that cuts them into pieces of eleven.
    init(throughTLS bytes: [UInt8]) throws {
        let client = TLSClient()
        let session = try #require(TLSSession(Self.context.get()))
        let plain = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16_384)
        defer { plain.deallocate() }
        var heard: [[UInt8]] = []
        func deliver() {
            let wire = client.take()
            wire.withUnsafeBufferPointer { wire in
                for start in stride(from: 0, to: wire.count, by: 11) {
                    session.receive(wire.part(start..<min(start + 11, wire.count)), through: plain) { heard.append(Array($0)) }
                }
            }
        }
        for _ in 0..<3 {
            _ = client.receive(session.takeOutput())
            deliver()
        }
        for start in stride(from: 0, to: bytes.count, by: 7) { client.say(Array(bytes[start..<min(start + 7, bytes.count)])) }
        deliver()
        try #require(Array(heard.joined()) == bytes)
        var end = 0
        self.init(
            bytes,
            cutAt: heard.dropLast().map {
                end += $0.count; return end
            })
    }
}
