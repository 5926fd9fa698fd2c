import AppLinks
import Testing
import Vectors

@Suite struct `A link's device` {
    static let safari = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
    static let chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0"

    @Test(
        arguments: [
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) \(safari)", nil, LinkDevice(.iPhone)),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1",
                nil, LinkDevice(.iPhone)
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 410.0",
                nil, LinkDevice(.iPhone, isInApp: true)
            ),
            ("Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) \(safari)", nil, LinkDevice(.iPad)),
            // Safari of an iPad asks for desktop sites with the fields of a Mac.
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
                nil,
                LinkDevice(.desktop, mayBeIPad: true)
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142 Version/18 Safari/605.1.15",
                nil, LinkDevice(.iPad)
            ),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) \(chrome) Safari/537.36", "\"macOS\"", LinkDevice(.desktop)),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0", nil, LinkDevice(.desktop)),
            ("Mozilla/5.0 (Linux; Android 10; K) \(chrome) Mobile Safari/537.36", "\"Android\"", LinkDevice(.android)),
            ("Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", nil, LinkDevice(.android)),
            ("Mozilla/5.0 (Linux; Android 15; CUBOT X70) \(chrome) Mobile Safari/537.36", nil, LinkDevice(.android)),
            // A tablet that asks for desktop sites is known by its hint.
            ("Mozilla/5.0 (X11; Linux x86_64) \(chrome) Safari/537.36", "\"Android\"", LinkDevice(.android)),
            (
                "Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP3A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0 Mobile Safari/537.36",
                nil, LinkDevice(.android, isInApp: true)
            ),
            (
                "Mozilla/5.0 (Linux; Android 11; KFTRWI) \(chrome) Silk/120.1 like Chrome/120 Safari/537.36", nil,
                LinkDevice(.android, lacksPlay: true)
            ),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(chrome) Safari/537.36 Edg/142.0", "\"Windows\"", LinkDevice(.desktop)),
            ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) \(chrome) Safari/537.36", "\"Chrome OS\"", LinkDevice(.desktop)),
            ("Mozilla/5.0 (Linux; Plasma Mobile, like Android 9.0) \(chrome) Mobile Safari/537.36", nil, LinkDevice(.desktop)),
            // Robots imitate phones; a country is not a robot.
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) \(safari) (compatible; Exampleb0t/1.0; Examplebot/2.1)", nil,
                LinkDevice(.automated)
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Mobile/15E148 [FBAN/FBIOS;FBCR/OrangeBotswana]", nil,
                LinkDevice(.iPhone, isInApp: true)
            ),
            ("facebookexternalhit/1.1", nil, LinkDevice(.automated)), ("curl/8.5.0", nil, LinkDevice(.automated)),
            ("", nil, LinkDevice(.automated)),
        ] as [(String, String?, LinkDevice)])
    func `is known by User-Agent and client hint`(userAgent: String, hint: String?, device: LinkDevice) {
        #expect(LinkDevice(userAgent: userAgent, platform: hint) == device)
    }

    @Test func `is read from the first kilobyte of any bytes`() {
        let long = "Mozilla/5.0 (" + String(repeating: "x", count: 10_000) + "iPhone"
        #expect(LinkDevice(userAgent: long).kind == .desktop)
        let bytes = String(decoding: (0...255).map { UInt8($0) }, as: UTF8.self)
        for hint in [nil, bytes, long] { #expect(LinkDevice(userAgent: "Mozilla/5.0 " + bytes, platform: hint).kind == .desktop) }
    }
}

/// Public lists of user agents.
@Suite(.enabled(if: Vectors.arePresent, "\(Vectors.absence)")) struct `A listed User-Agent` {
    struct Labelled: Decodable {
        let ua: String
        let platform: String
        let os: String?
        var hint: String?

        enum Key: CodingKey { case ua, platform, os, headers }
        struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            ua = try container.decode(String.self, forKey: .ua)
            platform = try container.decode(String.self, forKey: .platform)
            os = try container.decodeIfPresent(String.self, forKey: .os)
            guard let headers = try? container.nestedContainer(keyedBy: Name.self, forKey: .headers) else { return }
            hint = try? headers.decodeIfPresent(String.self, forKey: Name(stringValue: "Sec-CH-UA-Platform"))
        }

        /// The list has a name for each system that is built from Android, and counts it as
        /// another; apps of Android run there as well.
        var isDerivedFromAndroid: Bool { platform == "other" && (ua.contains("Android") || hint == "Android") }
        /// Televisions, which have no mail.
        var isTelevision: Bool { os == "Android TV" }
    }

    /// The lists of headers that are in the same file have no `ua`.
    struct Named: Decodable {
        private let ua: String?
        var userAgent: String { ua ?? "" }
    }
    struct Pattern: Decodable { let instances: [String] }

    private func share(_ agents: [String], where isSuch: (LinkDevice) -> Bool) -> Double {
        Double(agents.count { isSuch(LinkDevice(userAgent: $0)) }) / Double(agents.count)
    }

    @Test func `of a browser has the platform of its label`() throws {
        let cases =
            try Vectors.cases("ua/device-detector-selection.json", under: "cases", as: Labelled.self)
            + Vectors.cases("ua/uap-os.json", under: "cases", as: Labelled.self)
        #expect(cases.count == 3890)
        var (read, wrong) = (0, [String]())
        for item in cases {
            let device = LinkDevice(userAgent: item.ua, platform: item.hint)
            let platform: String
            switch device.kind {
            case .automated: continue
            case .android: platform = item.isDerivedFromAndroid ? "other" : "android"
            case .iPhone, .iPad: platform = "ios"
            case .desktop: platform = item.isTelevision ? item.platform : "other"
            }
            read += 1
            if platform != item.platform { wrong.append(item.ua) }
        }
        #expect(read > 2600)
        #expect(Double(wrong.count) / Double(read) <= 0.005, "\(wrong)")
    }

    /// The programs that are missed name a browser of people; they get what a browser gets.
    @Test func `of a program is known`() throws {
        let bots = try Vectors.cases("ua/bots-device-detector.json", under: "cases", as: Named.self).map(\.userAgent)
        let crawlers = try Vectors.cases("ua/crawler-user-agents.json", as: Pattern.self).flatMap(\.instances)
        let scanners = try Vectors.cases("ua/scanners-previews-inapp.json", under: "from_lists", as: Named.self).map(\.userAgent)
        #expect(bots.count == 1342 && crawlers.count > 2100 && scanners.count == 129)
        #expect(share(bots) { $0.kind == .automated } > 0.9)
        #expect(share(crawlers) { $0.kind == .automated } > 0.94)
        #expect(share(scanners) { $0.kind == .automated } == 1)
    }

    @Test func `of an app's own browser is known on phones`() throws {
        let lists = [
            try Vectors.cases("ua/scanners-previews-inapp.json", under: "in_app_browsers", as: Named.self),
            try Vectors.cases("ua/mail-clients-and-inapp.json", under: "mobile_apps", as: Named.self),
            try Vectors.cases("ua/mail-clients-and-inapp.json", under: "mail_clients", as: Named.self),
        ]
        let devices = lists.joined().map { LinkDevice(userAgent: $0.userAgent) }.filter { ![.desktop, .automated].contains($0.kind) }
        #expect(devices.count > 200)
        #expect(Double(devices.count(where: \.isInApp)) / Double(devices.count) > 0.7)
    }

    @Test func `of any browser is read without harm`() throws {
        for item in try Vectors.cases("ua/uap-browser.json", under: "cases", as: Named.self) {
            let device = LinkDevice(userAgent: item.userAgent)
            #expect(!device.isInApp || [.android, .iPhone, .iPad].contains(device.kind))
            #expect(!device.mayBeIPad || device.kind == .desktop)
        }
    }
}
