import Testing
@testable import Accounts

@Suite struct `The client that asks for a mail` {
    @Test(
        arguments: [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36", "Chrome",
                "Windows"
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0",
                "Edge", "Windows"
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
                "Safari", "macOS"
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox", "Linux"),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1",
                "Chrome", "iPhone"
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36",
                "Samsung Internet", "Android"
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0 Mobile Safari/537.36",
                nil, "Android"
            ),
            ("FirebaseAuth.iOS/11.4.0 com.example.app/1.0 iPhone/18.1 hw/iPhone16_1", nil, "iPhone"),
            ("curl/8.0", nil, nil), ("", nil, nil), ("<script>alert(1)</script> \u{202e}Windows", nil, "Windows"),
        ] as [(String, String?, String?)])
    func `is described by well-known names only`(userAgent: String, browser: String?, system: String?) {
        let device = ClientDevice(userAgent: userAgent)
        #expect(device?.browser == browser && device?.system == system)
    }

    /// V2: what one subscriber sends counts for the whole network of that subscriber.
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.250", true), ("192.0.2.7", "192.0.3.7", false), ("::ffff:192.0.2.7", "192.0.2.9", true),
        ("2001:db8:1:1ff::1", "2001:db8:1:100::2", true), ("2001:db8:1:200::1", "2001:db8:1:100::1", false),
        ("fe80::1%eth0", "fe80::2", true),
    ]) func `is counted by the network that one subscriber has`(one: String, other: String, same: Bool) {
        func network(_ peer: String) -> String? {
            Client.peer(peer).subscriber
        }
        #expect(network(one) != nil && (network(one) == network(other)) == same)
    }
}
