import COpenSSL
import Testing

@testable import HTTPServer

/// K1, K2, K5, K6, X10, without a socket.
@Suite struct `A TLS session` {
    /// A client and a session, with a wire between them that may cut everything into pieces.
    final class Line {
        let client: TLSClient
        let session: TLSSession
        private(set) var heard = ""
        private let piece: Int
        private let plain = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16_384)

        init(_ client: TLSClient, _ context: TLSContext, piece: Int = 65_536) throws {
            (self.client, self.piece) = (client, piece)
            session = try #require(TLSSession(context))
        }

        deinit { plain.deallocate() }

        /// Until neither has anything left to say. Returns what the client heard.
        @discardableResult func run() -> String {
            var said = String(decoding: client.receive([]), as: UTF8.self)
            while true {
                let (up, down) = (client.take(), session.takeOutput())
                if up.isEmpty, down.isEmpty { return said }
                deliver(up)
                said += String(decoding: client.receive(down), as: UTF8.self)
            }
        }

        func deliver(_ bytes: [UInt8]) {
            bytes.withUnsafeBufferPointer { bytes in
                for start in stride(from: 0, to: bytes.count, by: piece) {
                    session.receive(bytes.part(start..<min(start + piece, bytes.count)), through: plain) { heard += $0.text }
                }
            }
        }

        func answer(_ text: String) -> String {
            Array(text.utf8).withUnsafeBufferPointer { session.seal($0) }
            return run()
        }
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func `carries what both say`(version: Int32) throws {
        let line = try Line(TLSClient(version: version), Certificates.context(Certificates.a))
        line.run()
        #expect(line.client.version == version)
        line.client.say("question")
        line.run()
        #expect(line.heard == "question")
        let long = String(repeating: "answer", count: 30_000)
        #expect(line.answer(long) == long)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func `means the same, however it is cut`(version: Int32) throws {
        let context = try Certificates.context(Certificates.a)
        for piece in [1, 2, 5, 7, 100] {
            let line = try Line(TLSClient(version: version), context, piece: piece)
            line.run()
            line.client.say(String(repeating: "question", count: 3_000))
            line.client.end()
            line.run()
            #expect(line.heard == String(repeating: "question", count: 3_000))
            #expect(line.session.state == .ended)
        }
    }

    @Test(arguments: [TLS1_VERSION, TLS1_1_VERSION]) func `refuses versions that are no longer safe`(version: Int32) throws {
        let line = try Line(TLSClient(version: version), Certificates.context(Certificates.a))
        line.run()
        #expect(line.session.state == .failed && line.client.ending == .failed)
    }

    @Test(arguments: [
        "AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA", "ECDHE-RSA-AES256-SHA384", "DHE-RSA-AES128-GCM-SHA256", "aNULL", "NULL",
    ])
    func `refuses ciphers without forward secrecy or authentication`(ciphers: String) throws {
        let context = try Certificates.context(Certificates.a, Certificates.rsa)
        let line = try Line(TLSClient(version: TLS1_2_VERSION, ciphers: ciphers), context)
        line.run()
        #expect(line.session.state == .failed)
    }

    @Test(arguments: ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305"])
    func `shows the certificate whose key the client can verify`(cipher: String) throws {
        let context = try Certificates.context(Certificates.a, Certificates.rsa)
        let line = try Line(TLSClient(version: TLS1_2_VERSION, ciphers: cipher), context)
        line.run()
        #expect(line.client.cipher == cipher)
    }

    @Test(arguments: [("http/1.1", "http/1.1"), ("http/1.0", "http/1.0"), (nil, "")])
    func `speaks HTTP/1`(offered: String?, chosen: String) throws {
        let line = try Line(TLSClient(protocols: offered), Certificates.context(Certificates.a))
        line.run()
        #expect(line.client.isConnected && line.client.chosenProtocol == chosen)
    }

    @Test(arguments: ["h2", "smtp"]) func `refuses a client that speaks only something else`(offered: String) throws {
        let line = try Line(TLSClient(protocols: offered), Certificates.context(Certificates.a))
        line.run()
        #expect(line.session.state == .failed && line.client.ending == .failed)
    }

    /// K5: an unknown name is shown the first certificate; what it then asks for is refused by its Host (L2).
    @Test(arguments: [
        ("a.example.test", "a.example.test"), ("A.Example.TEST", "a.example.test"), ("x.b.example.test", "x.b.example.test"),
        ("x.y.b.example.test", "a.example.test"), ("b.example.test", "a.example.test"), ("else.test", "a.example.test"),
        (nil, "a.example.test"),
    ])
    func `shows the certificate for the name, else the first`(name: String?, shown: String) throws {
        let line = try Line(TLSClient(name: name), Certificates.context(Certificates.a, Certificates.b))
        line.run()
        #expect(line.client.hasSeen(shown))
    }

    @Test(arguments: versions) func `staples what is said of the certificate that it shows`(version: Int32) throws {
        let staple = try Certificates.staple(Certificates.b)
        let context = try TLSContext([Certificates.identity(Certificates.a), Certificates.identity(Certificates.b, staple: staple)])
        for (name, expected) in [("x.b.example.test", staple), ("a.example.test", [])] {
            let line = try Line(TLSClient(name: name, version: version), context)
            line.run()
            #expect(line.client.isConnected && line.client.staple == expected)
        }
    }

    // MARK: Resumption (X10)

    static let versions = [TLS1_2_VERSION, TLS1_3_VERSION]

    private func isResumed(
        from first: TLSContext, to second: TLSContext, _ version: Int32, name: String? = "a.example.test", then next: String?? = nil
    ) throws -> Bool {
        let old = try Line(TLSClient(name: name, version: version), first)
        old.run()
        _ = old.answer("ticket")
        #expect(!old.client.isResumed)
        let new = try Line(TLSClient(name: next ?? name, version: version, resuming: old.client), second)
        new.run()
        #expect(new.answer("answer") == "answer")
        return new.client.isResumed
    }

    @Test(arguments: versions) func `is resumed by its ticket, also after new certificates`(version: Int32) throws {
        let context = try Certificates.context(Certificates.a, Certificates.b)
        #expect(try isResumed(from: context, to: context, version))
        #expect(try isResumed(from: context, to: context, version, name: "x.b.example.test"))
        let renewed = try TLSContext([Certificates.identity(Certificates.a)], tickets: context.tickets)
        #expect(try isResumed(from: context, to: renewed, version))
    }

    /// Source: RFC 6066 section 3. In TLS 1.3, too, though there it would be allowed.
    @Test(arguments: versions) func `is resumed by the name that it began with only`(version: Int32) throws {
        let context = try Certificates.context(Certificates.a, Certificates.b)
        #expect(try !isResumed(from: context, to: context, version, name: "a.example.test", then: "x.b.example.test"))
        #expect(try !isResumed(from: context, to: context, version, name: nil, then: "a.example.test"))
        #expect(try !isResumed(from: context, to: context, version, name: "a.example.test", then: .some(nil)))
        #expect(try isResumed(from: context, to: context, version, name: nil))
    }

    @Test(arguments: versions) func `is resumed with the key before, not with one that is forgotten`(version: Int32) throws {
        let first = try Certificates.context(Certificates.a)
        let second = try TLSContext(first.identities, tickets: first.tickets.rotated())
        let third = try TLSContext(first.identities, tickets: second.tickets.rotated())
        #expect(try isResumed(from: first, to: second, version))
        #expect(try !isResumed(from: first, to: third, version))
        #expect(try !isResumed(from: first, to: Certificates.context(Certificates.a), version))
    }

    // MARK: Hostile bytes

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}",
        "\u{17}\u{3}\u{3}\u{0}\u{5}hello",
        "SSH-2.0-x\r\n", String(repeating: "\u{0}", count: 1_000),
    ])
    func `fails at what is no handshake`(bytes: String) throws {
        let line = try Line(TLSClient(), Certificates.context(Certificates.a))
        line.deliver(Array(bytes.utf8))
        #expect(line.session.state == .failed && line.heard.isEmpty)
        // It stays so, whatever comes.
        line.deliver(line.client.take())
        line.session.seal(Array("x".utf8).withUnsafeBufferPointer { $0 })
        #expect(line.session.state == .failed && line.heard.isEmpty)
    }

    @Test func `waits for the rest of a record, and says nothing of its part`() throws {
        let line = try Line(TLSClient(), Certificates.context(Certificates.a))
        line.run()
        line.client.say("question")
        let record = line.client.take()
        line.deliver(record.dropLast())
        #expect(line.heard.isEmpty && line.session.state == .open)
        line.deliver([record.last! ^ 1])
        #expect(line.heard.isEmpty && line.session.state == .failed)
        line.run()
        #expect(line.client.ending == .failed)
    }

    /// Every bit of a first flight that is wrong leads to a failure or to nothing; never to words.
    @Test func `survives a spoilt handshake`() throws {
        let context = try Certificates.context(Certificates.a)
        for position in 0..<200 {
            let line = try Line(TLSClient(), context)
            _ = line.client.receive([])
            var hello = line.client.take()
            hello[position % hello.count] ^= UInt8(1 << (position % 8))
            line.deliver(hello)
            line.run()
            #expect(line.heard.isEmpty)
        }
    }

    @Test func `does not renegotiate`() throws {
        let line = try Line(TLSClient(version: TLS1_2_VERSION), Certificates.context(Certificates.a))
        line.run()
        line.client.renegotiate()
        line.run()
        #expect(line.client.ending == .failed)
    }

    /// K6.
    @Test(arguments: versions) func `tells its end, and hears the other's`(version: Int32) throws {
        let line = try Line(TLSClient(version: version), Certificates.context(Certificates.a))
        line.run()
        line.client.say("last")
        line.client.end()
        line.run()
        #expect(line.heard == "last" && line.session.state == .ended)
        #expect(line.client.ending == .none)
        #expect(line.answer("answer") == "answer")
        line.session.end()
        line.run()
        #expect(line.client.ending == .said)
        #expect(line.answer("too late").isEmpty)
    }
}
