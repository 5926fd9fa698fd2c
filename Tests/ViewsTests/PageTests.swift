import Accounts
import AppLinks
import Testing
import Views

@Suite struct `Every page` {
    let views: Views
    let samples = Samples()

    init() throws { views = try Samples.views.get() }

    func pages(_ code: String) throws -> [(name: String, markup: Markup, html: String)] {
        let language = try #require(views.language(matching: code))
        return try samples.pages(samples.brand(views)).map { name, page in
            let html = views.text(page, in: language)
            return (name, Markup(html), html)
        }
    }

    /// P8: the language of a page is one of those installed, and sets `lang` and `dir`.
    @Test(arguments: [("en", "ltr"), ("ar", "rtl")])
    func `has one heading, a title, its language and its direction`(code: String, direction: String) throws {
        for (name, page, html) in try pages(code) {
            #expect(page.all("h1").count == 1, "\(name)")
            #expect(page.all("html").map { $0.values } == [["lang": code, "dir": direction]], "\(name)")
            // The list of symbols has braces.
            #expect(
                !html.replacing("{ }", with: "").contains("{") && !html.contains("<title></title>") && !html.contains("<h1></h1>"),
                "\(name)")
            #expect(!html.contains("<p></p>") && !html.contains("<bdi></bdi>") && !html.contains("<span></span>"), "\(name)")
        }
    }

    @Test(arguments: ["en", "ar"]) func `labels its fields and refers to their descriptions`(code: String) throws {
        for (name, page, _) in try pages(code) {
            let labels = Set(page.all("label").compactMap { $0.values["for"] })
            #expect(labels.isSubset(of: page.ids), "\(name)")
            for field in page.all("input") + page.all("select") where field.values["type"] != "hidden" {
                #expect(field.values["aria-hidden"] == "true" || labels.contains(field.values["id"] ?? ""), "\(name)")
                let described = Set((field.values["aria-describedby"] ?? "").split(separator: " ").map(String.init))
                #expect(described.isSubset(of: page.ids), "\(name)")
            }
            #expect(page.tags.compactMap { $0.values["id"] }.count == page.ids.count, "\(name): an id stands twice")
        }
    }

    /// P3, P6, P13. A page with a manifest has a policy that allows it (`LinkDomainTests`).
    @Test func `needs nothing that the content security policy forbids`() throws {
        let served = Set(try samples.brand(views).assets.map(\.path))
        for (name, page, _) in try pages("en") {
            let links = page.all("link").filter { $0.values["rel"] != "manifest" }
            let sources = page.tags.compactMap { $0.values["src"] } + links.compactMap { $0.values["href"] }
            #expect(Set(sources).isSubset(of: served), "\(name)")
            #expect(
                page.all("style").isEmpty && !page.tags.contains { $0.attributes.contains { $0 == "style" || $0.hasPrefix("on") } },
                "\(name)")
        }
    }

    /// P1: actions by POST only, views by GET.
    @Test func `applies its action by a POST form`() throws {
        for (name, page, _) in try pages("en") where name.hasPrefix("confirm") {
            let form = try #require(page.all("form").first)
            #expect(form.values["method"] == "post" && form.values["action"] == "/__/auth/action", "\(name)")
            let button = page.tags.first { $0.values["class"] == "button" }
            let before = page.tags.prefix { $0 != button }.filter { ["a", "select"].contains($0.name) }
            #expect(before.isEmpty, "\(name): something stands before the button")
        }
    }

    /// P10: pages work with autofill and pasting, and can show the typed password. P11: no page
    /// repeats a password.
    @Test(arguments: ["en", "ar"]) func `asks for a password the way password managers know, and never repeats it`(code: String) throws {
        for (name, page, _) in try pages(code) where name.hasPrefix("confirm-resetPassword") || name.hasPrefix("refused") {
            let field = try #require(page.all("input").first { $0.values["id"] == "password" })
            #expect(field.values["autocomplete"] == "new-password" && field.values["value"] == nil, "\(name)")
            #expect((field.values["aria-invalid"] == "true") == name.hasPrefix("refused"), "\(name)")
            #expect(page.tags.contains { $0.values["role"] == "alert" } == name.hasPrefix("refused"), "\(name)")
        }
    }

    /// The field is visible above the keyboard of a small phone, so nothing that can wait precedes
    /// it.
    @Test(arguments: ["en", "ar"]) func `begins with the field for a password, and has two quiet lines of facts below the button`(
        code: String
    ) throws {
        let page = try #require(try pages(code).first { $0.name == "confirm-resetPassword" })
        let main = try #require(page.html.firstMatch(of: #/<main[\s\S]*?<\/main>/#)).0
        let (before, after) = (main.split(separator: "<label").first, main.split(separator: "</form>").last)
        #expect(before?.matches(of: #/<p/#).count == 1 && before?.contains("ada.lovelace@app.example") == true)
        #expect(after?.matches(of: #/<p class="small">/#).count == 2)
        #expect(after?.contains("notes.app.example") == true)
    }

    /// WCAG 3.3.1, 3.3.3: the reader of a screen hears the title first, then the field.
    @Test func `says in its title what happened and for which app, and opens at the faulty field`() throws {
        let pages = Dictionary(uniqueKeysWithValues: try pages("en").map { ($0.name, $0.markup) })
        func title(_ name: String) throws -> String? { try #require(pages[name]).title }
        #expect(try title("confirm-resetPassword") == "Choose a new password · Sunlit Notes")
        #expect(try title("refused-tooShort") == "Please choose another password · Sunlit Notes")
        #expect(try title("confirm-asked-wrongNumber") == "The number was not right · Sunlit Notes")
        #expect(try title("confirm-asked-number") == "Confirm your e-mail address · Sunlit Notes")
        #expect(try title("confirm-asked-numberAfterPress") == "Enter the number from the e-mail · Sunlit Notes")
        #expect(try title("confirm-asked-secondPress") == "Please press the button once more · Sunlit Notes")
        #expect(try title("confirm-signIn") == "Sign in to Sunlit Notes")
        #expect(try title("done-resetPassword-next") == "Password saved · Sunlit Notes")
        for (name, page) in pages {
            let focused = page.all("input").filter { $0.attributes.contains("autofocus") }
            let isFaulty = name.hasPrefix("refused") || ["confirm-asked-wrongNumber", "confirm-asked-numberAfterPress"].contains(name)
            #expect(focused.count == (isFaulty ? 1 : 0), "\(name)")
        }
    }

    /// WCAG 3.2.2: nothing changes before the button is pressed, and the button says what it does.
    @Test func `changes its language by a button that says so`() throws {
        for (name, page, html) in try pages("en") {
            #expect(html.contains("<button>Change language</button>"), "\(name)")
            #expect(page.all("select").allSatisfy { $0.attributes == ["id", "name"] }, "\(name)")
        }
    }

    @Test func `links to the terms and to the privacy policy of the app`() throws {
        for (name, page, _) in try pages("en") {
            let links = page.all("a").compactMap { $0.values["href"] }
            #expect(links.contains("https://app.example/terms") && links.contains("https://app.example/privacy"), "\(name)")
        }
        let bare = views.text(
            Page(.error(ErrorPage(.unknown)), brand: try views.brand(name: "A"), now: Samples.now), in: views.languages[0])
        #expect(!bare.contains("legal") && !bare.contains("<a "))
    }

    /// V10: the number is asked for without script, with the keyboard for digits.
    @Test(arguments: ["en", "ar"]) func `asks for the confirmation number as phones know it, and says why it asks`(code: String) throws {
        let pages = try Dictionary(uniqueKeysWithValues: self.pages(code).map { ($0.name, $0.markup) })
        for question in ConfirmationQuestion.allCases {
            let page = try #require(pages["confirm-asked-\(question)"])
            let field = page.all("input").first { $0.values["id"] == "number" }
            #expect((field == nil) == ([.secondPress, .changedWays].contains(question)), "\(question)")
            let isOpened = question == .number || question == .numberAfterPress
            #expect(page.tags.contains { $0.values["role"] == "alert" } != isOpened, "\(question)")
            #expect(page.text.contains("3") == (field != nil), "\(question)")
            guard let field else { continue }
            #expect(field.values["autocomplete"] == "one-time-code" && field.values["inputmode"] == "numeric")
            #expect(field.values["name"] == "number" && field.values["value"] == nil && field.attributes.contains("required"))
            #expect((field.values["aria-invalid"] == "true") == (question == .wrongNumber), "\(question)")
        }
        #expect(try #require(pages["confirm-verifyEmail"]).all("input").allSatisfy { $0.values["type"] == "hidden" })
    }

    @Test func `names the app, the account, the destination and the expiry before an action`() throws {
        let pages = Dictionary(uniqueKeysWithValues: try pages("en").map { ($0.name, $0.markup.text) })
        for action in Action.allCases {
            let text = try #require(pages["confirm-\(action)"])
            let account = action == .signIn ? "Sunlit Notes" : "ada.lovelace@app.example"
            for fact in [
                "Sunlit Notes", account, "You will continue to notes.app.example",
                "Link expires in 58 minutes, on November 21, 2026 at 12:58",
            ] {
                #expect(text.contains(fact), "\(action): \(fact)")
            }
        }
    }

    @Test func `shows its request id on error pages only`() throws {
        for (name, page, _) in try pages("en") {
            #expect(
                page.text.contains("7f3a-9c21") == (name.hasPrefix("error") && !name.contains("already") && !name.contains("Earlier")),
                "\(name)")
        }
    }

    @Test func `has no continue button for a refused host`() throws {
        for (name, page, _) in try pages("en") where name.hasSuffix("-refused") {
            #expect(!page.all("a").contains { $0.values["href"]?.contains("/welcome") == true }, "\(name)")
            #expect(page.text.contains("is not approved, so we did not send you there"), "\(name)")
        }
    }

    @Test func `of onward dev renders`() throws {
        for (name, page) in try samples.devPages(samples.brand(views)) {
            let html = views.text(page)
            #expect(Markup(html).all("h1").count == 1 && !html.contains("{{"), "\(name)")
        }
    }
}

extension Markup {
    /// The title of the browser's tab.
    fileprivate var title: String? { text.split(separator: "\n").first.map(String.init) }
}
