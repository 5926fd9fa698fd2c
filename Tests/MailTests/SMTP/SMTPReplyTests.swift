import Base
import Network
import Testing
@testable import Mail

@Suite struct `An SMTP answer` {
    @Test func `may have several lines, and arrive byte by byte`() throws {
        var reader = SMTPReplyReader()
        var replies: [SMTPReply] = []
        for byte in "250-relay.test\r\n250-\r\n250\r\n354 go\n550 5.1.1 no\r\n4".utf8 {
            reader.append([byte])
            while let reply = try reader.next() { replies.append(reply) }
        }
        let expected = [
            SMTPReply(code: 250, lines: ["relay.test", "", ""]), SMTPReply(code: 354, lines: ["go"]),
            SMTPReply(code: 550, lines: ["5.1.1 no"]),
        ]
        #expect(replies == expected)
        #expect(!reader.isEmpty)
    }

    @Test func `has an enhanced status code`() {
        let reply = SMTPReply(code: 550, lines: ["5.6.7 no", "5.1.11 other"])
        #expect(reply.hasStatus("5.6.7") && reply.hasStatus("5.3.4", "5.6.7") && !reply.hasStatus("5.1.1"))
    }

    /// The reader neither traps nor keeps more than its limits.
    @Test func `may be any bytes`() {
        var random = SystemRandomNumberGenerator()
        let pieces = ["250-", "250 ", "550", "\r\n", "\n", "x", "\0", "é", "334 ", "9", String(repeating: "a", count: 700)]
        for _ in 0..<20_000 {
            var reader = SMTPReplyReader()
            var (count, kept) = (0, true)
            for _ in 0..<Int.random(in: 1...30, using: &random) where kept {
                let bytes = Array((pieces.randomElement(using: &random) ?? "").utf8)
                count += bytes.count
                reader.append(bytes)
                do throws(SMTPReplyReader.Malformed) {
                    while let reply = try reader.next() {
                        #expect((200..<600).contains(reply.code) && reply.lines.count <= SMTPReplyReader.maxLines)
                    }
                } catch { kept = false }
            }
        }
    }

    @Test func `without an end is given up`() throws {
        var reader = SMTPReplyReader()
        for _ in 0..<SMTPReplyReader.maxLines { reader.append(Array("250-x\r\n".utf8)) }
        #expect(try reader.next() == nil)
        reader.append(Array("250 x\r\n".utf8))
        #expect(throws: SMTPReplyReader.Malformed(cause: "its answer is too long")) { try reader.next() }
        var line = SMTPReplyReader()
        line.append([UInt8](repeating: 50, count: SMTPReplyReader.maxLineBytes))
        #expect(try line.next() == nil)
        line.append([50])
        #expect(throws: SMTPReplyReader.Malformed(cause: "its answer is too long")) { try line.next() }
    }
}

@Suite struct `The extensions of a server` {
    @Test func `are read in any case`() {
        let offers = SMTPOffers(["size 1000", "smtputf8", "8BitMime", "AUTH=LOGIN plain", "AUTH XOAUTH2", "STARTTLS", "", "SIZE"])
        #expect(offers.internationalAddresses && offers.eightBit && offers.declaresSize && offers.maxMessageBytes == 1000)
        #expect(offers.mechanisms == ["LOGIN", "PLAIN", "XOAUTH2"])
        #expect(SMTPOffers(["SIZE -1"]).maxMessageBytes == nil && SMTPOffers(["SIZE 99999999999999999999"]).maxMessageBytes == nil)
    }
}

@Suite struct `A rate` {
    @Test func `allows a number of events in any minute`() {
        var rate = RateWindow(3)
        var moments: [Uptime] = []
        for second in stride(from: 0.0, to: 600, by: 7) {
            let now = Uptime(.seconds(second))
            if let wait = rate.reserve(at: now, patience: .seconds(5)) { moments.append(now + wait) }
        }
        for (index, moment) in moments.enumerated() where index >= 3 { #expect(moment - moments[index - 3] >= .seconds(60)) }
        #expect(moments.count >= 28)
        #expect(moments.sorted() == moments)
    }

    @Test func `may be unlimited`() {
        var rate = RateWindow(nil)
        for _ in 0..<1_000 { #expect(rate.reserve(at: .zero, patience: .zero) == .zero) }
    }
}

@Suite struct `The settings of a relay` {
    private func settings(_ url: String, _ startTLS: SMTPRelaySettings.StartTLS? = nil, user: String? = nil) throws -> SMTPRelaySettings {
        try SMTPRelaySettings(
            url: url, startTLS: startTLS, heloName: "auth.example.com", credentials: user.map { .password(user: $0, "secret") })
    }

    @Test func `require TLS unless the relay is on this machine`() throws {
        for (url, encryption, port) in [
            ("smtp://mail.example.com", SMTPEndpoint.Encryption.startTLS, UInt16(587)), ("smtps://mail.example.com", .implicit, 465),
            ("smtp://mail.example.com:25", .startTLS, 25), ("smtp://localhost:25", .none, 25), ("smtp://127.0.0.1", .none, 587),
            ("smtp://[::1]:25", .none, 25), ("smtps://localhost:443", .implicit, 443), ("SMTP://Bücher.example:80", .startTLS, 80),
        ] {
            let endpoint = try settings(url).endpoint
            #expect(endpoint.encryption == encryption && endpoint.port == port, "\(url)")
        }
        #expect(try settings("smtp://Bücher.example").endpoint.name == "xn--bcher-kva.example:587")
        #expect(try settings("smtp://localhost", .required).endpoint.encryption == .startTLS)
        #expect(try settings("smtp://mail.example.com", .never).endpoint.encryption == .none)
    }

    /// M5: checked before anything is sent.
    @Test func `allow credentials only with TLS or on this machine`() throws {
        #expect(throws: SMTPRelaySettings.Invalid.credentialsInClear) { try settings("smtp://mail.example.com", .never, user: "shop") }
        #expect(throws: SMTPRelaySettings.Invalid.credentialsInClear) { try settings("smtp://localhost.example.com", .never, user: "shop") }
        _ = try settings("smtp://localhost:25", user: "shop")
        _ = try settings("smtp://mail.example.com", user: "shop")
        _ = try settings("smtps://mail.example.com", user: "shop")
    }

    @Test(arguments: [
        ("mail.example.com:587", SMTPRelaySettings.Invalid.notAURL), ("http://mail.example.com", .unknownScheme("http")),
        ("smtp://", .notAURL), ("smtp://shop:secret@mail.example.com", .credentialsInURL), ("smtp://mail.example.com/x", .pathInURL),
        ("smtp://mail.example.com?x", .pathInURL), ("smtp://mail.example.com:0", .notAURL), ("smtp://mail example.com", .notAURL),
    ])
    func `refuse what is not the URL of a relay`(_ url: String, _ error: SMTPRelaySettings.Invalid) {
        #expect(throws: error) { try settings(url) }
        #expect(!error.description.contains("secret"))
    }

    @Test func `refuse names and keys that cannot be`() throws {
        for name in ["", "a b", "a\r\nMAIL", "[1.2.3.4", "-a", "a/b"] {
            #expect(throws: SMTPRelaySettings.Invalid.heloName(name)) {
                try SMTPRelaySettings(url: "smtp://mail.example.com", heloName: name)
            }
        }
        for (name, written) in [
            ("a", "a"), ("auth.example.com", "auth.example.com"), ("192.0.2.1", "[192.0.2.1]"), ("[192.0.2.1]", "[192.0.2.1]"),
            ("[2001:DB8::1]", "[IPv6:2001:db8::1]"), ("[IPv6:2001:db8::1]", "[IPv6:2001:db8::1]"), ("::1", "[IPv6:::1]"),
        ] {
            #expect(try SMTPRelaySettings(url: "smtp://mail.example.com", heloName: name).endpoint.heloName == written)
        }
        for key in ["", "sha256//abc", "/etc/key.pem", "sha1//" + String(repeating: "A", count: 43) + "="] {
            #expect(throws: SMTPRelaySettings.Invalid.pinnedPublicKey) {
                try SMTPRelaySettings(url: "smtp://mail.example.com", heloName: "a", pinnedPublicKey: key)
            }
        }
        #expect(throws: SMTPRelaySettings.Invalid.credentials) {
            try SMTPRelaySettings(url: "smtps://mail.example.com", heloName: "a", credentials: .password(user: "a\0b", "c"))
        }
    }
}
