import AppLinks
import Base
import Testing

/// The project of the tests: two apps of Apple, one of Android, two link domains.
struct DecidingProject {
    static let action = "https://auth.example.com/__/auth/action?lang=de&mode=signIn&oobCode=C0de-_&apiKey=K"
    static let payload = "https://www.example.com/x"
    let apps: RegisteredApps
    let domains: [LinkDomain]

    init(domains: [String] = ["links.example.com", "links.example.net"]) throws {
        apps = try RegisteredApps(
            apple: [
                AppleApp(
                    bundleID: "com.example.ios", teamID: "ABCDE12345", appStoreID: "123", customSchemes: ["exampleapp", "com.example.ios"]),
                AppleApp(bundleID: "com.example.pad", teamID: "ABCDE12345", appStoreID: "456", customSchemes: ["examplepad"]),
                AppleApp(bundleID: "com.example.bare", teamID: "ABCDE12345"),
            ],
            android: [AndroidApp(packageName: "com.example.android", sha256Fingerprints: [])])
        self.domains = try domains.map { domain throws(WebURL.ParseError) in try LinkDomain(domain) }
    }

    struct NotAllowed: Error, Equatable { let parameter: AppLink.Parameter }

    /// Allows `example.com` and its subdomains.
    func approved(_ query: String, payload: String = payload) throws -> ApprovedAppLink {
        let text = "https://links.example.com/?link=" + WebURL.percentEncoded(payload) + (query.isEmpty ? "" : "&" + query)
        let link = try AppLink(WebURL(text), on: domains, apps: apps)
        return try ApprovedAppLink(link, apps: apps, domains: domains) { (parameter, url) throws(NotAllowed) in
            guard url.host?.serialized.hasSuffix(".example.com") == true else { throw NotAllowed(parameter: parameter) }
        }
    }

    func decision(_ query: String, _ device: LinkDevice, payload: String = payload) throws -> LinkDecision {
        LinkDecision(try approved(query, payload: payload), on: device)
    }
}

/// The rows and columns of the table of devices, with every parameter that counts in them.
@Suite struct `The decision about an app link` {
    static let play =
        "https://play.google.com/store/apps/details?id=com.example.android&referrer=link%3Dhttps%253A%252F%252Fwww.example.com%252Fx"
    static let store = "https://apps.apple.com/app/id123"
    static let scheme = "com.example.ios://google/link?deep_link_id=https%3A%2F%2Fwww.example.com%2Fx"
    static let web = DecidingProject.payload

    static func intent(_ query: String, or fallback: String) -> String {
        "intent://links.example.com/__/auth/links?link=https%3A%2F%2Fwww.example.com%2Fx&\(query)#Intent;scheme=https;package=com.example.android;S.browser_fallback_url="
            + WebURL.percentEncoded(fallback) + ";end"
    }

    static func universal(_ query: String) -> String {
        "https://links.example.net/__/auth/links?link=https%3A%2F%2Fwww.example.com%2Fx&" + query
    }

    typealias Row = (query: String, device: LinkDevice, targets: [(String, String)])

    static let android: [Row] = [
        ("", LinkDevice(.android), [("redirect", web)]), ("ibi=com.example.ios", LinkDevice(.android), [("redirect", web)]),
        ("ofl=https://d.example.com", LinkDevice(.android), [("redirect", web)]),
        (
            "apn=com.example.android", LinkDevice(.android),
            [("open", intent("apn=com.example.android", or: play)), ("get", play), ("web", web)]
        ),
        // The app gets the minimum, which no URL can enforce.
        (
            "apn=com.example.android&amv=7", LinkDevice(.android),
            [("open", intent("apn=com.example.android&amv=7", or: play)), ("get", play), ("web", web)]
        ),
        (
            "apn=com.example.android&afl=https://a.example.com/", LinkDevice(.android),
            [
                ("open", intent("apn=com.example.android&afl=https%3A%2F%2Fa.example.com%2F", or: "https://a.example.com/")),
                ("web", "https://a.example.com/"),
            ]
        ),
        (
            "apn=com.example.android", LinkDevice(.android, isInApp: true),
            [("open", intent("apn=com.example.android", or: web)), ("web", web)]
        ),
        (
            "apn=com.example.android", LinkDevice(.android, lacksPlay: true),
            [("open", intent("apn=com.example.android", or: web)), ("web", web)]
        ),
        (
            "apn=com.example.android&afl=https://a.example.com/", LinkDevice(.android, lacksPlay: true),
            [
                ("open", intent("apn=com.example.android&afl=https%3A%2F%2Fa.example.com%2F", or: "https://a.example.com/")),
                ("web", "https://a.example.com/"),
            ]
        ),
    ]

    static let apple: [Row] = [
        ("", LinkDevice(.iPhone), [("redirect", web)]), ("apn=com.example.android", LinkDevice(.iPhone), [("redirect", web)]),
        (
            "ibi=com.example.ios", LinkDevice(.iPhone),
            [("open", universal("ibi=com.example.ios&efr=1")), ("open", scheme), ("get", store), ("web", web)]
        ),
        // In an app, Universal Links do not open others; the page must come back.
        (
            "ibi=com.example.ios", LinkDevice(.iPhone, isInApp: true),
            [("open", universal("ibi=com.example.ios")), ("open", scheme), ("get", store), ("web", web)]
        ),
        (
            "ibi=com.example.ios&ius=exampleapp&imv=2.1", LinkDevice(.iPhone),
            [
                ("open", universal("ibi=com.example.ios&ius=exampleapp&imv=2.1&efr=1")),
                ("open", scheme.replacing("com.example.ios", with: "exampleapp") + "&imv=2.1"), ("get", store), ("web", web),
            ]
        ),
        (
            "ibi=com.example.ios&isi=123&at=a%26b&ct=c&mt=8&pt=p", LinkDevice(.iPhone),
            [
                ("open", universal("ibi=com.example.ios&isi=123&efr=1&at=a%26b&ct=c&mt=8&pt=p")), ("open", scheme),
                ("get", store + "?at=a%26b&ct=c&mt=8&pt=p"), ("web", web),
            ]
        ),
        (
            "ibi=com.example.ios&ifl=https://i.example.com/", LinkDevice(.iPhone),
            [
                ("open", universal("ibi=com.example.ios&ifl=https%3A%2F%2Fi.example.com%2F&efr=1")), ("open", scheme),
                ("web", "https://i.example.com/"),
            ]
        ),
        ("ibi=com.example.ios&efr=1", LinkDevice(.iPhone), [("redirect", store)]),
        ("ibi=com.example.ios&efr=1&ifl=https://i.example.com/", LinkDevice(.iPhone), [("redirect", "https://i.example.com/")]),
        ("ibi=com.example.bare&efr=1", LinkDevice(.iPhone), [("redirect", web)]),
        ("ibi=com.example.bare", LinkDevice(.iPhone), [("open", universal("ibi=com.example.bare&efr=1")), ("web", web)]),
    ]

    static let iPad: [Row] = [
        (
            "ibi=com.example.ios", LinkDevice(.iPad),
            [("open", universal("ibi=com.example.ios&efr=1")), ("open", scheme), ("get", store), ("web", web)]
        ),
        (
            "ibi=com.example.ios&isi=123&ius=exampleapp&ipbi=com.example.pad", LinkDevice(.iPad),
            [
                ("open", universal("ibi=com.example.ios&isi=123&ius=exampleapp&ipbi=com.example.pad&efr=1")),
                ("open", scheme.replacing("com.example.ios", with: "examplepad")), ("get", "https://apps.apple.com/app/id456"),
                ("web", web),
            ]
        ),
        (
            "ibi=com.example.ios&ifl=https://i.example.com/&ipfl=https://p.example.com/&efr=1", LinkDevice(.iPad),
            [("redirect", "https://p.example.com/")]
        ),
        (
            "ibi=com.example.ios&ifl=https://i.example.com/&ipfl=https://p.example.com/&efr=1", LinkDevice(.iPhone),
            [("redirect", "https://i.example.com/")]
        ),
        ("ibi=com.example.ios&ifl=https://i.example.com/&efr=1", LinkDevice(.iPad), [("redirect", "https://i.example.com/")]),
    ]

    static let elsewhere: [Row] = [
        ("", LinkDevice(.desktop), [("redirect", web)]),
        ("apn=com.example.android&ibi=com.example.ios", LinkDevice(.desktop), [("redirect", web)]),
        ("ofl=https://d.example.com/", LinkDevice(.desktop), [("redirect", "https://d.example.com/")]),
        ("utm_source=a%26b&gclid=g&st=t&sd=d", LinkDevice(.desktop), [("redirect", web + "?utm_source=a%26b&gclid=g")]),
        ("ofl=https://d.example.com/", LinkDevice(.desktop, mayBeIPad: true), [("redirect", "https://d.example.com/")]),
        // With efr=1 the link would take an iPad without the app to the page for Macs.
        (
            "ibi=com.example.ios&ofl=https://d.example.com/", LinkDevice(.desktop, mayBeIPad: true),
            [
                ("open", universal("ibi=com.example.ios&ofl=https%3A%2F%2Fd.example.com%2F")), ("open", scheme), ("get", store),
                ("web", web), ("web of Macs", "https://d.example.com/"),
            ]
        ),
        // A Mac is more likely than an iPad, and it has no App Store for the app.
        ("ibi=com.example.ios&efr=1", LinkDevice(.desktop, mayBeIPad: true), [("redirect", web)]),
        (
            "apn=com.example.android&ibi=com.example.ios&ofl=https://d.example.com/&efr=1", LinkDevice(.automated),
            [("page for programs, with", web)]
        ),
    ]

    @Test(arguments: android + apple + iPad + elsewhere)
    func `the decision about an app link is as the table says`(row: Row) throws {
        let decision = try DecidingProject().decision(row.query, row.device)
        #expect(decision.targets.map(\.use) == row.targets.map(\.0))
        #expect(decision.targets.map(\.url) == row.targets.map(\.1))
        #expect(decision.explanation.hasSuffix("."))
    }

    @Test(arguments: LinkDevice.examples.map(\.device))
    func `the decision about an app link is the same for a link that asks for an explanation`(device: LinkDevice)
        throws
    {
        let (project, query) = (try DecidingProject(), "apn=com.example.android&ibi=com.example.ios")
        #expect(try project.decision(query + "&d=1", device) == project.decision(query, device))
    }

    /// The Play Store hands the campaign on to the app.
    @Test func `the decision about an app link passes the campaign on to the Play Store`() throws {
        let decision = try DecidingProject().decision("apn=com.example.android&utm_source=mail&utm_campaign=a%26b", LinkDevice(.android))
        let page = try WebURL(try #require(decision.targets.first { $0.use == "get" }?.url))
        let referrer = try #require(page.queryItems.first { $0.name == "referrer" }?.value)
        let items = WebURL.formItems(in: referrer)
        #expect(items.map(\.name) == ["link", "utm_source", "utm_campaign"])
        #expect(items.map(\.value) == [DecidingProject.payload, "mail", "a&b"])
    }

    /// Without a second host and a scheme no page of ours could open the app.
    @Test func `the decision about an app link needs another host or a scheme to open an app of Apple`() throws {
        let project = try DecidingProject(domains: ["links.example.com"])
        #expect(try project.decision("ibi=com.example.ios", LinkDevice(.iPhone)).targets.map(\.use) == ["open", "get", "web"])
        #expect(try project.decision("ibi=com.example.bare", LinkDevice(.iPhone)).targets.map(\.use) == ["redirect"])
        #expect(
            try project.decision("ibi=com.example.ios", LinkDevice(.iPhone), payload: DecidingProject.action).targets.map(\.use) == [
                "redirect"
            ])
    }
}

/// The way back to the link after an installation from the App Store.
@Suite struct `A link that may be copied` {
    private func copied(_ query: String, _ device: LinkDevice, payload: String = DecidingProject.payload) throws -> String? {
        guard case .page(let offer) = try DecidingProject().decision(query, device, payload: payload).reply else { return nil }
        return offer.copied?.serialized
    }

    @Test func `a link that may be copied is the link itself, on Apple's devices`() throws {
        let link = "https://links.example.com/__/auth/links?link=https%3A%2F%2Fwww.example.com%2Fx&ibi=com.example.ios"
        for device in [LinkDevice(.iPhone), LinkDevice(.iPhone, isInApp: true), LinkDevice(.iPad), LinkDevice(.desktop, mayBeIPad: true)] {
            #expect(try copied("ibi=com.example.ios", device) == link)
            #expect(try copied("ibi=com.example.ios&d=1", device) == link)
        }
        // Android's apps get it from the store.
        #expect(try copied("apn=com.example.android", LinkDevice(.android)) == nil)
    }

    @Test func `a link that may be copied needs a store, and no code`() throws {
        for (name, device) in LinkDevice.examples {
            for query in ["ibi=com.example.bare", "ibi=com.example.ios&ifl=https://i.example.com/"] where device.kind != .android {
                #expect(try copied(query, device) == nil, "\(name)")
            }
            #expect(try copied(`A link with a code`.query, device, payload: DecidingProject.action) == nil, "\(name)")
        }
    }
}

/// A code stays between the mail, the app and its page.
@Suite struct `A link with a code` {
    static let query = "apn=com.example.android&ibi=com.example.ios&ius=exampleapp&utm_source=a"
    static let fallbacks = "&afl=https://a.example.com/&ifl=https://a.example.com/&ipfl=https://a.example.com/&ofl=https://a.example.com/"

    @Test(arguments: LinkDevice.examples.map(\.device), ["", "&efr=1", fallbacks, fallbacks + "&efr=1"])
    func `a link with a code leads to its page without the app, on every device`(device: LinkDevice, more: String) throws {
        let action = try WebURL(DecidingProject.action).serialized
        let decision = try DecidingProject().decision(Self.query + more, device, payload: action)
        let others = decision.targets.filter { $0.use != "open" }
        #expect(!others.isEmpty && others.allSatisfy { $0.url == action })
        for (_, url) in decision.targets.filter({ $0.use == "open" }) {
            #expect(url.hasPrefix("intent://links.example.com/") || url.hasPrefix("https://links.example.net/"))
            if let fallback = url.firstRange(of: "browser_fallback_url=") {
                #expect(url[fallback.upperBound...] == WebURL.percentEncoded(action) + ";end")
            }
        }
    }
}

/// R1: a link to continue leads only to a scheme and host that the project authorises. R8: a scheme
/// that runs script, or is unknown, never reaches a header, attribute or script. R14: app links use
/// only registered package names, bundle ids and link domains.
@Suite struct `Every decision` {
    static let parameters = [
        "apn=com.example.android", "afl=https://a.example.com/", "ibi=com.example.ios", "ius=exampleapp", "ifl=https://i.example.com/",
        "ipbi=com.example.pad", "ipfl=https://p.example.com/", "ofl=https://d.example.com/", "efr=1",
    ]
    static let foreign: [String: Set<String>] = [
        "android": ["ibi", "ius", "ifl", "ipbi", "ipfl", "ofl", "efr"], "iphone": ["apn", "afl", "ipbi", "ipfl", "ofl"],
        "ipad": ["apn", "afl", "ofl"], "desktop": ["apn", "afl", "ibi", "ius", "ifl", "ipbi", "ipfl", "efr"],
    ]

    private func query(_ bits: Int) -> [String] { Self.parameters.indices.filter { bits >> $0 & 1 == 1 }.map { Self.parameters[$0] } }

    /// Whether a URL leads to the project, its apps or a store.
    private func isAllowed(_ use: String, _ text: String) -> Bool {
        if use == "open" {
            return [
                "intent://links.example.com/", "https://links.example.net/__/auth/links?link=", "com.example.ios://google/",
                "exampleapp://google/", "examplepad://google/",
            ]
            .contains(where: text.hasPrefix)
        }
        guard let url = try? WebURL(text), url.scheme == "https", let host = url.host?.serialized else { return false }
        return use == "get"
            ? ["play.google.com", "apps.apple.com"].contains(host) : host.hasSuffix(".example.com") || host == "apps.apple.com"
    }

    /// All 512 combinations of parameters on nine devices.
    @Test func `every decision about an app link stays within the project, its apps and the stores`() throws {
        let project = try DecidingProject()
        for bits in 0..<1 << Self.parameters.count {
            let approved = try project.approved(query(bits).joined(separator: "&"))
            for (name, device) in LinkDevice.examples {
                let decision = LinkDecision(approved, on: device)
                for (use, url) in decision.targets where !isAllowed(use, url) { Issue.record("\(name), \(query(bits)): \(use) \(url)") }
                if decision.targets.isEmpty { Issue.record("\(name), \(query(bits)): nothing") }
            }
        }
    }

    /// Parameters of other devices change only the link that the app gets.
    @Test(arguments: foreign.keys.sorted())
    func `every decision about an app link follows the parameters of its own device`(name: String) throws {
        let project = try DecidingProject()
        let device = try #require(LinkDevice.examples.first { $0.name == name }?.device)
        func targets(_ query: [String]) throws -> [String] {
            let decision = try project.decision(query.joined(separator: "&"), device)
            return decision.targets.map { $0.use == "open" ? $0.use : $0.use + " " + $0.url }
        }
        let names = try #require(Self.foreign[name])
        let others = Self.parameters.filter { names.contains(String($0.prefix { $0 != "=" })) }
        for bits in 0..<1 << Self.parameters.count where query(bits).allSatisfy({ !others.contains($0) }) {
            let own = try targets(query(bits))
            for more in others.map({ [$0] }) + [others] {
                let with = try targets(query(bits) + more)
                if with != own { Issue.record("\(query(bits)) and \(more): \(with), not \(own)") }
            }
        }
    }

    @Test(arguments: [
        "https://play.google.com/store/apps/details?id=com.example.android", "https://apps.apple.com/us/app/example/id123",
        "https://itunes.apple.com/app/id456?mt=8",
    ])
    func `every decision about an app link may lead to the store page of a registered app`(page: String) throws {
        for parameter in ["afl", "ifl", "ipfl", "ofl"] {
            _ = try DecidingProject().approved("apn=com.example.android&ibi=com.example.ios&\(parameter)=" + WebURL.percentEncoded(page))
        }
    }

    @Test(arguments: [
        "https://play.google.com/store/apps/details?id=com.evil",
        "https://play.google.com/store/apps/details?id=com.example.android&id=com.evil",
        "https://play.google.com/store/apps/details", "https://play.google.com/url?q=https://evil.example",
        "https://apps.apple.com/app/id789",
        "https://apps.apple.com/app/123", "http://apps.apple.com/app/id123", "https://apps.apple.com:444/app/id123",
        "https://apps.apple.com.evil.example/app/id123", "https://evil.example/",
    ])
    func `no app link leads to a page of a store that is not an app of the project`(page: String) throws {
        let project = try DecidingProject()
        for (parameter, key) in [("afl", AppLink.Parameter.afl), ("ifl", .ifl), ("ipfl", .ipfl), ("ofl", .ofl)] {
            #expect(throws: DecidingProject.NotAllowed(parameter: key)) {
                try project.approved("apn=com.example.android&ibi=com.example.ios&\(parameter)=" + WebURL.percentEncoded(page))
            }
        }
        #expect(throws: DecidingProject.NotAllowed(parameter: .link)) { try project.approved("", payload: page) }
    }
}
