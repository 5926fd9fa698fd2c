import HTTPServer
import Testing
@testable import Configuration

@Suite struct `A configured value` {
    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("90s", .seconds(90)), ("15m", .seconds(900)), ("1h", .seconds(3600)),
        ("3d", .seconds(259_200)),
        ("0s", .zero),
    ])
    func `is a duration with its unit`(text: String, span: Duration) {
        #expect(Duration(configured: text) == span)
        #expect(Duration(configured: span.configured) == span)
    }

    @Test(arguments: ["", "1", "h", "-1h", "1.5h", "1 h", "1H", "1h30m", "+1h", "٣d", "99999999999999999999d", "9223372036854775807d"])
    func `is not a duration otherwise`(text: String) { #expect(Duration(configured: text) == nil) }

    @Test(arguments: [("127.0.0.1:80", "127.0.0.1:80"), ("[::1]:0", "[::1]:0"), ("[::]:8080", "[::]:8080")])
    func `is an address to listen on`(text: String, description: String) { #expect(ListenAddress(text)?.description == description) }

    @Test(arguments: [
        "localhost:80", "127.0.0.1", "::1:80", "[127.0.0.1]:80", "127.1:80", "127.0.0.1:65536", "127.0.0.1:", "[::1%lo]:80", ":80",
    ])
    func `is not an address otherwise`(text: String) { #expect(ListenAddress(text) == nil) }

    /// L3: forwarded header fields count only if the peer is a trusted proxy.
    @Test(
        arguments: [
            ("10.0.0.1", "203.0.113.7", "203.0.113.7"), ("10.0.0.1", "1.1.1.1, 203.0.113.7", "203.0.113.7"),
            ("10.0.0.1", "203.0.113.7, 10.9.9.9", "203.0.113.7"), ("192.0.2.1", "203.0.113.7", "192.0.2.1"), ("10.0.0.1", nil, "10.0.0.1"),
            ("10.0.0.1", "nonsense", "10.0.0.1"), ("10.0.0.1", "203.0.113.7, x, 10.0.0.2", "10.0.0.2"),
            ("10.0.0.1", "2001:db8::1", "2001:db8::1"), ("10.0.0.1", "203.0.113.9:1234", "203.0.113.9"),
            ("10.0.0.1", "[2001:db8::1]:443", "2001:db8::1"), ("10.0.0.1", "[2001:db8::1]", "2001:db8::1"),
            ("10.0.0.1", "198.51.100.1, 203.0.113.9:1, 10.0.0.2:65535", "203.0.113.9"), ("10.0.0.1", "203.0.113.9:", "10.0.0.1"),
            ("10.0.0.1", "203.0.113.9:123456", "10.0.0.1"), ("10.0.0.1", "[203.0.113.9", "10.0.0.1"), ("10.0.0.1", "[]:1", "10.0.0.1"),
            ("10.0.0.1", "unknown", "10.0.0.1"), ("10.0.0.1", "2001:db8::1:443x", "10.0.0.1"),
        ] as [(String, String?, String)])
    func `takes the client address from trusted proxies only`(peer: String, field: String?, client: String) throws {
        let proxies = TrustedProxies(ranges: [try #require(AddressRange("10.0.0.0/8"))])
        #expect(proxies.client(behind: peer, forwardedFor: field) == client)
    }

    @Test(arguments: ["10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "::/129", "x/8", "10.0.0.0/-1"])
    func `is not a range if it is ambiguous`(text: String) { #expect(AddressRange(text) == nil) }

    @Test(arguments: [("databse", "database"), ("Log", "log"), ("listne", "listen"), ("zzz", nil)] as [(String, String?)])
    func `is suggested for a misspelling`(word: String, meant: String?) {
        #expect(Spelling.nearest(to: word, among: ["listen", "database", "log", "limits"]) == meant)
    }
}
