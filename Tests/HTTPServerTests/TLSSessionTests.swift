import COpenSSL
import Testing
@testable import HTTPServer

/// K1, K2, K5, K6, X10, without sockets.
@Suite struct `A TLS session` {
    /// A client and a server session, connected by reads of a given size.
    final class Pipe {
        let client: TLSClient
        let session: TLSSession
        private(set) var received = ""
        private let piece: Int
        private let decrypted = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16_384)

        init(_ client: TLSClient, _ context: TLSContext, piece: Int = 65_536) throws {
            (self.client, self.piece) = (client, piece)
            session = try #require(TLSSession(context))
        }

        deinit { decrypted.deallocate() }

        /// Transfers bytes until neither side has any left; returns what the client received.
        @discardableResult func run() -> String {
            var content = String(decoding: client.receive([]), as: UTF8.self)
            while true {
                let (up, down) = (client.take(), session.takeOutput())
                if up.isEmpty, down.isEmpty { return content }
                deliver(up)
                content += String(decoding: client.receive(down), as: UTF8.self)
            }
        }

        func deliver(_ bytes: [UInt8]) {
            bytes.withUnsafeBufferPointer { bytes in
                for start in stride(from: 0, to: bytes.count, by: piece) {
                    session.receive(bytes.part(start..<min(start + piece, bytes.count)), through: decrypted) { received += $0.text }
                }
            }
        }

        func answer(_ text: String) -> String {
            Array(text.utf8).withUnsafeBufferPointer { session.encrypt($0) }
            return run()
        }
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func `transfers data in both directions`(version: Int32) throws {
        let pipe = try Pipe(TLSClient(version: version), TestCertificates.context(TestCertificates.a))
        pipe.run()
        #expect(pipe.client.version == version)
        pipe.client.send("question")
        pipe.run()
        #expect(pipe.received == "question")
        let long = String(repeating: "answer", count: 30_000)
        #expect(pipe.answer(long) == long)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func `yields the same data in any division into reads`(version: Int32) throws {
        let context = try TestCertificates.context(TestCertificates.a)
        for piece in [1, 2, 5, 7, 100] {
            let pipe = try Pipe(TLSClient(version: version), context, piece: piece)
            pipe.run()
            pipe.client.send(String(repeating: "question", count: 3_000))
            pipe.client.end()
            pipe.run()
            #expect(pipe.received == String(repeating: "question", count: 3_000))
            #expect(pipe.session.state == .ended)
        }
    }

    /// V3: OpenSSL keeps a buffer for a record that it has a part of, however small the part is.
    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func `counts the buffer of an incomplete record`(version: Int32) throws {
        let pipe = try Pipe(TLSClient(version: version), TestCertificates.context(TestCertificates.a))
        pipe.run()
        for text in ["question", "", String(repeating: "long", count: 100)] {
            #expect(pipe.session.heldBytes == 0)
            pipe.client.send(text)
            let bytes = pipe.client.take()
            for (number, byte) in bytes.enumerated() {
                pipe.deliver([byte])
                #expect((pipe.session.heldBytes > 16_384) == (number + 1 < bytes.count))
            }
        }
    }

    @Test(arguments: [TLS1_VERSION, TLS1_1_VERSION]) func `refuses TLS 1.0 and 1.1`(version: Int32) throws {
        let pipe = try Pipe(TLSClient(version: version), TestCertificates.context(TestCertificates.a))
        pipe.run()
        #expect(pipe.session.state == .failed && pipe.client.ending == .failed)
    }

    @Test(arguments: [
        "AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA", "ECDHE-RSA-AES256-SHA384", "DHE-RSA-AES128-GCM-SHA256", "aNULL", "NULL",
    ])
    func `refuses ciphers without forward secrecy or authentication`(ciphers: String) throws {
        let context = try TestCertificates.context(TestCertificates.a, TestCertificates.rsa)
        let pipe = try Pipe(TLSClient(version: TLS1_2_VERSION, ciphers: ciphers), context)
        pipe.run()
        #expect(pipe.session.state == .failed)
    }

    @Test(arguments: ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305"])
    func `selects the certificate whose kind of key the client supports`(cipher: String) throws {
        let context = try TestCertificates.context(TestCertificates.a, TestCertificates.rsa)
        let pipe = try Pipe(TLSClient(version: TLS1_2_VERSION, ciphers: cipher), context)
        pipe.run()
        #expect(pipe.client.cipher == cipher)
    }

    @Test(arguments: [("http/1.1", "http/1.1"), ("http/1.0", "http/1.0"), (nil, "")])
    func `accepts HTTP/1 in ALPN`(offered: String?, chosen: String) throws {
        let pipe = try Pipe(TLSClient(protocols: offered), TestCertificates.context(TestCertificates.a))
        pipe.run()
        #expect(pipe.client.isConnected && pipe.client.chosenProtocol == chosen)
    }

    @Test(arguments: ["h2", "smtp"]) func `refuses a client that offers only other protocols in ALPN`(offered: String) throws {
        let pipe = try Pipe(TLSClient(protocols: offered), TestCertificates.context(TestCertificates.a))
        pipe.run()
        #expect(pipe.session.state == .failed && pipe.client.ending == .failed)
    }

    /// K5: an unknown name gets the first certificate; its requests are refused by their Host (L2).
    @Test(arguments: [
        ("a.example.test", "a.example.test"), ("A.Example.TEST", "a.example.test"), ("x.b.example.test", "x.b.example.test"),
        ("x.y.b.example.test", "a.example.test"), ("b.example.test", "a.example.test"), ("else.test", "a.example.test"),
        (nil, "a.example.test"),
    ])
    func `selects the certificate by server name, otherwise the first`(name: String?, shown: String) throws {
        let pipe = try Pipe(TLSClient(name: name), TestCertificates.context(TestCertificates.a, TestCertificates.b))
        pipe.run()
        #expect(pipe.client.sawCertificate(for: shown))
    }

    @Test(arguments: versions) func `staples the OCSP response of the selected certificate`(version: Int32) throws {
        let response = try TestCertificates.ocspResponse(TestCertificates.b)
        let context = try TLSContext([
            TestCertificates.identity(TestCertificates.a), TestCertificates.identity(TestCertificates.b, ocspResponse: response),
        ])
        for (name, expected) in [("x.b.example.test", response), ("a.example.test", [])] {
            let pipe = try Pipe(TLSClient(name: name, version: version), context)
            pipe.run()
            #expect(pipe.client.isConnected && pipe.client.ocspResponse == expected)
        }
    }

    // MARK: Resumption (X10)

    static let versions = [TLS1_2_VERSION, TLS1_3_VERSION]

    private func isResumed(
        from first: TLSContext, to second: TLSContext, _ version: Int32, name: String? = "a.example.test", then next: String?? = nil
    ) throws -> Bool {
        let old = try Pipe(TLSClient(name: name, version: version), first)
        old.run()
        _ = old.answer("ticket")
        #expect(!old.client.isResumed)
        let new = try Pipe(TLSClient(name: next ?? name, version: version, resuming: old.client), second)
        new.run()
        #expect(new.answer("answer") == "answer")
        return new.client.isResumed
    }

    @Test(arguments: versions) func `is resumed by its ticket, also after a certificate renewal`(version: Int32) throws {
        let context = try TestCertificates.context(TestCertificates.a, TestCertificates.b)
        #expect(try isResumed(from: context, to: context, version))
        #expect(try isResumed(from: context, to: context, version, name: "x.b.example.test"))
        let renewed = try TLSContext([TestCertificates.identity(TestCertificates.a)], ticketKeys: context.ticketKeys)
        #expect(try isResumed(from: context, to: renewed, version))
    }

    /// Source: RFC 6066 section 3. TLS 1.3 would allow it.
    @Test(arguments: versions) func `is resumed only under the server name that it began with`(version: Int32) throws {
        let context = try TestCertificates.context(TestCertificates.a, TestCertificates.b)
        #expect(try !isResumed(from: context, to: context, version, name: "a.example.test", then: "x.b.example.test"))
        #expect(try !isResumed(from: context, to: context, version, name: nil, then: "a.example.test"))
        #expect(try !isResumed(from: context, to: context, version, name: "a.example.test", then: .some(nil)))
        #expect(try isResumed(from: context, to: context, version, name: nil))
    }

    @Test(arguments: versions) func `is resumed with the previous ticket key, not with an older one`(version: Int32) throws {
        let first = try TestCertificates.context(TestCertificates.a)
        let second = try TLSContext(first.identities, ticketKeys: first.ticketKeys.rotated())
        let third = try TLSContext(first.identities, ticketKeys: second.ticketKeys.rotated())
        #expect(try isResumed(from: first, to: second, version))
        #expect(try !isResumed(from: first, to: third, version))
        #expect(try !isResumed(from: first, to: TestCertificates.context(TestCertificates.a), version))
    }

    // MARK: Hostile bytes

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}",
        "\u{17}\u{3}\u{3}\u{0}\u{5}hello",
        "SSH-2.0-x\r\n", String(repeating: "\u{0}", count: 1_000),
    ])
    func `fails if the first bytes are not a handshake`(bytes: String) throws {
        let pipe = try Pipe(TLSClient(), TestCertificates.context(TestCertificates.a))
        pipe.deliver(Array(bytes.utf8))
        #expect(pipe.session.state == .failed && pipe.received.isEmpty)
        // Later bytes do not change that.
        pipe.deliver(pipe.client.take())
        pipe.session.encrypt(Array("x".utf8).withUnsafeBufferPointer { $0 })
        #expect(pipe.session.state == .failed && pipe.received.isEmpty)
    }

    @Test func `waits for the rest of a record and delivers no part of it`() throws {
        let pipe = try Pipe(TLSClient(), TestCertificates.context(TestCertificates.a))
        pipe.run()
        pipe.client.send("question")
        let record = pipe.client.take()
        pipe.deliver(record.dropLast())
        #expect(pipe.received.isEmpty && pipe.session.state == .open)
        pipe.deliver([record.last! ^ 1])
        #expect(pipe.received.isEmpty && pipe.session.state == .failed)
        pipe.run()
        #expect(pipe.client.ending == .failed)
    }

    /// A flipped bit in the ClientHello leads to a failure or has no effect, never to data.
    @Test func `survives a corrupted handshake`() throws {
        let context = try TestCertificates.context(TestCertificates.a)
        for position in 0..<200 {
            let pipe = try Pipe(TLSClient(), context)
            _ = pipe.client.receive([])
            var hello = pipe.client.take()
            hello[position % hello.count] ^= UInt8(1 << (position % 8))
            pipe.deliver(hello)
            pipe.run()
            #expect(pipe.received.isEmpty)
        }
    }

    @Test func `does not renegotiate`() throws {
        let pipe = try Pipe(TLSClient(version: TLS1_2_VERSION), TestCertificates.context(TestCertificates.a))
        pipe.run()
        pipe.client.renegotiate()
        pipe.run()
        #expect(pipe.client.ending == .failed)
    }

    /// K6: a connection ends with `close_notify`, unless a response was cut off.
    @Test(arguments: versions) func `sends and receives close_notify`(version: Int32) throws {
        let pipe = try Pipe(TLSClient(version: version), TestCertificates.context(TestCertificates.a))
        pipe.run()
        pipe.client.send("last")
        pipe.client.end()
        pipe.run()
        #expect(pipe.received == "last" && pipe.session.state == .ended)
        #expect(pipe.client.ending == .none)
        #expect(pipe.answer("answer") == "answer")
        pipe.session.end()
        pipe.run()
        #expect(pipe.client.ending == .closed)
        #expect(pipe.answer("too late").isEmpty)
    }
}
