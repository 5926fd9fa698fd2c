import AppLinks
import Base
import Testing

/// Links with many values, built and read back, and read by the SDKs of the apps.
@Suite struct `Both forms of an app link` {
    static let characters = Array("aZ09-._~ &=?#%+/:;@!$'()*,[]{}|\\^`\"<>é߀\u{1F600}\u{301}")
    let apps: RegisteredApps
    let domains: [LinkDomain]

    init() throws {
        apps = try RegisteredApps(
            apple: [AppleApp(bundleID: "com.example.ios", teamID: "ABCDE12345", appStoreID: "123")],
            android: [AndroidApp(packageName: "com.example.android", sha256Fingerprints: [])])
        domains = [try LinkDomain("links.example.com"), try LinkDomain("localhost:9000")]
    }

    /// Numbers that are the same in every run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }

        mutating func text() -> String {
            String(
                (0..<Int.random(in: 1...12, using: &self)).map { _ in `Both forms of an app link`.characters.randomElement(using: &self)! })
        }

        /// A URL whose query has any names and values, and sometimes those of an action link.
        mutating func url(on host: String) throws -> WebURL {
            var items = (0..<Int.random(in: 0...3, using: &self)).map { _ in (name: text(), value: text()) }
            if Bool.random(using: &self) { items.append((name: "link", value: "https://evil.example/?" + text())) }
            if Bool.random(using: &self) { items.append((name: "mode", value: "resetPassword&oobCode=" + text())) }
            return try WebURL("https://\(host).example.com/" + WebURL.percentEncoded(text())).appending(query: items)
        }
    }

    @Test(arguments: 0..<100) func `are parsed into the link from which they were built`(seed: UInt64) throws {
        var numbers = Numbers(state: seed)
        var link = AppLink(linkDomain: domains[Int(seed % 2)], link: try numbers.url(on: "www"))
        if Bool.random(using: &numbers) {
            link.android = .init(packageName: "com.example.android", minimumVersion: Bool.random(using: &numbers) ? 7 : nil)
            link.android?.fallback = Bool.random(using: &numbers) ? try numbers.url(on: "android") : nil
        }
        if Bool.random(using: &numbers) {
            link.apple = .init(bundleID: "com.example.ios", appStoreID: Bool.random(using: &numbers) ? "123" : nil)
            link.apple?.fallback = Bool.random(using: &numbers) ? try numbers.url(on: "ios") : nil
            link.apple?.minimumVersion = Bool.random(using: &numbers) ? "1.\(seed)-b_2" : nil
        }
        link.elsewhere = Bool.random(using: &numbers) ? try numbers.url(on: "desktop") : nil
        link.skipsPage = Bool.random(using: &numbers)
        link.preview = .init(title: Bool.random(using: &numbers) ? numbers.text() : nil)
        for key in [AppLink.Parameter.utmSource, .utmTerm, .pt] where Bool.random(using: &numbers) { link.analytics[key] = numbers.text() }
        for form in AppLink.LinkForm.allCases {
            link.form = form
            let text = link.url.serialized
            #expect(try AppLink(WebURL(text), on: domains, apps: apps) == link, "\(text)")
        }
    }

    /// The nestings that SDKs unwrap: the payload of an app link, that of a link with a custom
    /// scheme, and both. Apple's unwraps none, and reads what one decoding shows.
    @Test(arguments: 0..<100) func `carry an action link to every SDK`(seed: UInt64) throws {
        var numbers = Numbers(state: seed)
        let goal = try numbers.url(on: "app").serialized
        let query = [
            (name: "lang", value: "de"), (name: "continueUrl", value: goal), (name: "apiKey", value: "K-\(seed)"),
            (name: "mode", value: "signIn"), (name: "oobCode", value: "C0de-_"),
        ]
        let action = try WebURL("https://auth.example.com/__/auth/action").appending(query: query)
        for form in AppLink.LinkForm.allCases {
            var link = AppLink(
                linkDomain: domains[0], link: action,
                android: .init(packageName: "com.example.android", minimumVersion: 7, fallback: action),
                apple: .init(bundleID: "com.example.ios"))
            link.form = form
            let (direct, wrapped) = (action.serialized, link.url.serialized)
            let inScheme = "com.example.ios://google/link?deep_link_id="
            let nestings = [direct, wrapped, inScheme + WebURL.percentEncoded(direct), inScheme + WebURL.percentEncoded(wrapped)]
            for text in nestings {
                let read = ActionCodeURLReaders.javaScript(text)
                #expect(read == Dictionary(uniqueKeysWithValues: query.map { ($0.name, $0.value) }), "\(text)")
            }
            for text in nestings.dropLast() {
                let read = ActionCodeURLReaders.apple(text)
                #expect(read["mode"] == "signIn" && read["oobCode"] == "C0de-_" && read["apiKey"] == "K-\(seed)", "\(text)")
            }
            #expect(ActionCodeURLReaders.apple(wrapped)["continueUrl"] == WebURL.percentEncoded(goal))
        }
    }

    /// The apps of the link decide if they agree; otherwise the project does.
    @Test(
        arguments: [
            (nil, nil, .hosting, .hosting), (nil, nil, .dynamicLinks, .dynamicLinks), (.dynamicLinks, nil, .hosting, .dynamicLinks),
            (nil, .dynamicLinks, .hosting, .dynamicLinks), (.hosting, .hosting, .dynamicLinks, .hosting),
            (.hosting, .dynamicLinks, .dynamicLinks, .dynamicLinks), (.hosting, .dynamicLinks, .hosting, .hosting),
        ] as [(AppLink.LinkForm?, AppLink.LinkForm?, AppLink.LinkForm, AppLink.LinkForm)])
    func `are chosen by the app and the project`(
        android: AppLink.LinkForm?, apple: AppLink.LinkForm?, usual: AppLink.LinkForm, both: AppLink.LinkForm
    )
        throws
    {
        let apps = try RegisteredApps(
            apple: [AppleApp(bundleID: "com.example.ios", teamID: "ABCDE12345", linkForm: apple)],
            android: [AndroidApp(packageName: "com.example.android", sha256Fingerprints: [], linkForm: android)], linkForm: usual)
        #expect(apps.linkForm(android: "com.example.android", apple: "com.example.ios") == both)
        #expect(apps.linkForm(android: "com.example.android") == android ?? usual)
        #expect(apps.linkForm(apple: "com.example.ios") == apple ?? usual)
        #expect(apps.linkForm() == usual && apps.linkForm(android: "com.other", apple: "com.other") == usual)

        let text = "https://links.example.com/?link=https%3A%2F%2Fwww.example.com%2F&apn=com.example.android&ibi=com.example.ios"
        let approved = try ApprovedAppLink(
            AppLink(WebURL(text), on: domains, apps: apps), apps: apps, domains: domains, authorize: { _, _ throws(Never) in })
        let intent = try #require(LinkDecision(approved, on: LinkDevice(.android)).targets.first).url
        #expect(intent.hasPrefix("intent://links.example.com/?link=") == ((android ?? usual) == .dynamicLinks))
        let universal = try #require(LinkDecision(approved, on: LinkDevice(.iPhone)).targets.first).url
        #expect(universal.hasPrefix("http://localhost:9000/?link=") == ((apple ?? usual) == .dynamicLinks))
    }
}
