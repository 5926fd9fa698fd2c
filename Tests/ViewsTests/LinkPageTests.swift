import Testing
import Views

/// The pages of app links.
@Suite struct `The page of an app link` {
    let views: Views
    let brand: Brand

    init() throws {
        views = try Samples.views.get()
        brand = try Samples().brand(views)
    }

    private func page(_ offer: OpenAppPage, in code: String = "en") throws -> Markup {
        let language = try #require(views.language(matching: code))
        return Markup(views.text(Page(.openApp(offer), brand: brand, now: Samples.now), in: language))
    }

    private let web = ContinueLink.to(host: "notes.app.example", url: "https://notes.app.example/")

    @Test func `offers the app first, then its store, then the web`() throws {
        let page = try page(OpenAppPage(open: ["intent://x#Intent;end", "notes://x"], store: "https://store.example/", web: web))
        let ways = page.all("a").filter { $0.values["href"] != nil }.prefix(4)
        #expect(
            ways.compactMap { $0.values["href"] } == [
                "intent://x#Intent;end", "notes://x", "https://store.example/", "https://notes.app.example/",
            ])
        #expect(ways.map { $0.values["class"] } == ["button", nil, nil, nil], "one button")
        for words in [
            "Open Sunlit Notes", "Open it another way", "Get the app", "Continue on notes.app.example", "open this link again",
        ] {
            #expect(page.text.contains(words))
        }
        #expect(page.text.contains("you opened a link from Sunlit Notes") && !page.text.contains("e-mail"))
    }

    @Test func `speaks of installing only where there is a store`() throws {
        #expect(try !page(OpenAppPage(open: ["intent://x#Intent;end"], web: web)).text.contains("Don’t have it?"))
    }

    /// A script puts the store in the place of the app.
    @Test func `shows the store of an app that is too old only where a script takes it on`() throws {
        let outdated = OpenAppPage.Outdated(
            manifest: "/x.webmanifest", app: "com.example.app", versions: "[]", store: "https://store.example/?a&b")
        let offer = OpenAppPage(open: ["intent://x#Intent;end"], web: web, outdated: outdated)
        let language = try #require(views.language(matching: "en"))
        let html = views.text(Page(.openApp(offer), brand: brand, now: Samples.now), in: language)
        let start = try #require(html.firstRange(of: "<template ")).lowerBound
        let end = try #require(html.firstRange(of: "</template>")).upperBound
        let hidden = Markup(String(html[start..<end]))
        #expect(hidden.all("a").map { $0.values["href"] } == ["https://store.example/?a&b"] && hidden.text.contains("Get the app"))
        #expect(!Markup(String(html[..<start]) + html[end...]).text.contains("Get the app"))
    }

    /// Without script nothing could copy it.
    @Test func `shows a button to copy the link only where a script takes it on`() throws {
        let page = try page(
            OpenAppPage(open: ["notes://x"], store: "https://store.example/", copied: "https://links.example/?a&b", web: web))
        let button = try #require(page.all("button").first { $0.values["id"] == "copy" })
        #expect(button.values["data-link"] == "https://links.example/?a&b" && button.values["data-copied"] == "Link copied")
        #expect(button.values["type"] == "button" && page.text.contains("Copy the link"))
        #expect(page.all("p").contains { $0.values["class"] == "other" && $0.attributes.contains("hidden") })
        #expect(try !self.page(OpenAppPage(open: ["notes://x"], web: web)).text.contains("Copy"))
    }

    /// The page for programs is no invitation to open anything but the web page.
    @Test func `has a preview for programs only`() throws {
        func properties(_ page: Markup) -> [String: String] {
            Dictionary(
                page.all("meta").compactMap { tag in tag.values["property"].map { ($0, tag.values["content"] ?? "") } },
                uniquingKeysWith: { first, _ in first })
        }
        #expect(try properties(page(OpenAppPage(open: ["notes://x"], web: web))) == [:])
        let usual = try properties(page(OpenAppPage(web: web, preview: LinkPreview())))
        #expect(usual["og:title"] == "Continue in Sunlit Notes" && usual["og:site_name"] == "Sunlit Notes")
        let own = try properties(page(OpenAppPage(web: web, preview: LinkPreview(title: "Sale", description: "Today"))))
        #expect(own["og:title"] == "Sale" && own["og:description"] == "Today")
        #expect(usual["og:image"] == nil && own["og:image"] == nil)
        let image = "https://cdn.example/a.png?\"><script>"
        let shown = try page(OpenAppPage(web: web, preview: LinkPreview(image: image)))
        #expect(properties(shown)["og:image"] == image && !shown.text.contains("script"))
    }

    /// P7: every value on a page or in a mail is escaped for its place.
    @Test func `explains itself without following a text of the link`() throws {
        let hostile = "\"><script>alert(1)</script><a href=\"javascript:alert(1)\">"
        let group = LinkExplanation.Group(
            devices: ["Android"], explanation: hostile, targets: [LinkExplanation.Target(use: hostile, url: hostile)])
        for explanation in [
            LinkExplanation(brand: brand, decisions: .groups([group])), LinkExplanation(brand: brand, decisions: .refused(hostile)),
        ] {
            let page = Markup(String(decoding: views.html(explanation), as: UTF8.self))
            #expect(page.all("script").isEmpty && page.all("a").isEmpty && page.all("h1").count == 1)
            #expect(page.text.contains("alert(1)"))
        }
    }
}
