import Accounts
import Base
import HTTPTypes
import Testing
import World

/// Links that are incomplete, or complete with a code that is not known.
@Suite struct `A broken link` {
    private let code = OobCode { [UInt8](repeating: 3, count: $0) }.text
    private static let incomplete = "This link is incomplete"
    private static let over = "We do not know this link"

    private func visitor() async throws -> Visitor {
        try await Visitor {
            $0.homeURL = try WebURL("https://home.example/start")
            $0.appearance.terms = "https://home.example/terms"
        }
    }

    /// P15: what is missing or malformed.
    @Test(arguments: ["&mode=verifyEmail&oobCode=", "&mode=verifyEmail", "&mode=verifyE", "&mode=verifyEmail&oobCode=short", ""])
    func `is called incomplete by the app whose API key it has`(rest: String) async throws {
        let page = try await visitor().ask(.get, "/__/auth/action?apiKey=shop-key" + rest)
        #expect(page.status == 400 && page.title == Self.incomplete)
        #expect(page.text.contains("copy the whole link"))
        #expect(page.text.contains(">Shop<") && page.text.contains(#"href="https://home.example/start""#))
        #expect(page.text.contains(#"href="https://home.example/terms""#))
    }

    /// P15: a mail program cut the code itself.
    @Test func `is called incomplete if its code was cut`() async throws {
        let visitor = try await visitor()
        let own = try await visitor.world.issue(.verifyEmail)
        let page = await visitor.ask(.get, visitor.path(own, .verifyEmail).dropLast(3).description)
        #expect(page.status == 400 && page.title == Self.incomplete && page.text.contains(">Shop<"))
    }

    /// P15. The code of 54 characters is one of Firebase's.
    @Test(arguments: [nil, String(repeating: "aB3_x9", count: 9)])
    func `that is complete says that it is not known, and leads back to the app`(other: String?) async throws {
        let visitor = try await visitor()
        let link = "/__/auth/action?apiKey=shop-key&mode=verifyEmail&oobCode=" + (other ?? code)
        let page = await visitor.ask(.get, link)
        #expect(page.status == 410 && page.title == Self.over)
        #expect(page.text.contains(">Shop<") && !page.text.contains("copy the whole link"))
        #expect(page.text.contains(#"href="https://home.example/start""#))
        let json = await visitor.ask(.get, link, headers: [.accept: "application/json"])
        #expect(json.status == 400 && json.text.contains("INVALID_OOB_CODE"))
    }

    /// R1: the continue URL of the link only if the project allows it, and never with the code.
    @Test(arguments: [
        ("https://app.example/welcome?a=1", "https://app.example/welcome?a=1"), ("https://evil.example/", "https://home.example/start"),
        ("javascript:alert(1)", "https://home.example/start"), ("https://app.example@evil.example", "https://home.example/start"),
    ])
    func `leads back to its continue URL where the project allows that`(url: String, target: String) async throws {
        for mode in ["verifyEmail", "signIn"] {
            let page = try await visitor().ask(
                .get, "/__/auth/action?apiKey=shop-key&mode=\(mode)&oobCode=\(code)&continueUrl=" + WebURL.percentEncoded(url))
            #expect(page.title == Self.over)
            #expect(page.links.filter { $0.contains("example/") && !$0.hasSuffix("terms") } == [target])
        }
    }

    /// P15: a page of no known app has no name on it.
    @Test(arguments: ["apiKey=other-key&", "apiKey=shop-ke&"]) func `without a known API key names neither an app nor us`(
        key: String
    ) async throws {
        let query = "\(key)mode=verifyEmail&oobCode=\(code)&continueUrl=https%3A%2F%2Fapp.example%2F"
        let page = try await visitor().ask(.get, "/__/auth/action?" + query)
        // It is not known what became of a code of another installation.
        #expect(page.title == "We do not know the app that this link is for")
        for name in ["Shop", "Onward", "app.example", "home.example"] { #expect(!page.text.contains(name), "\(name)") }
        #expect(!page.text.contains("<p></p>") && !page.text.contains("from .") && !page.text.contains("{"))
    }

    /// P15: also where a page is missing, in every language.
    @Test(arguments: ["en", "ar", "de", "ja"]) func `and a page that is not there do not name us`(language: String) async throws {
        for path in ["/nowhere", "/__/auth/done", "/__/auth/action"] {
            let page = try await visitor().ask(.get, path + "?lang=" + language)
            #expect(page.status >= 400 && !page.text.contains("Onward"))
        }
    }

    /// P15: a key of Google's has 39 characters.
    @Test func `is called incomplete if its API key was cut`() async throws {
        let visitor = try await Visitor { $0.apiKeys = ["AIzaSyA-0123456789_0123456789_012345678"] }
        for (key, title) in [
            ("AIzaSyA-0123456789_0123456789_01234567", Self.incomplete),
            ("AIzaSyA-0123456789_", "We do not know the app that this link is for"),
        ] {
            #expect(await visitor.ask(.get, "/__/auth/action?mode=verifyEmail&oobCode=\(code)&apiKey=\(key)").title == title)
        }
    }

    /// The form of a page that was shown before the API key was withdrawn.
    @Test func `answers forms in the same way`() async throws {
        let visitor = try await visitor()
        for path in ["/__/auth/action", "/__/auth/resend"] {
            let cut = await visitor.ask(.post, path, body: "apiKey=shop-key&mode=verifyEmail")
            #expect(cut.status == 400 && cut.title == Self.incomplete && cut.text.contains(">Shop<"))
            let unknown = await visitor.ask(.post, path, body: "apiKey=other&mode=verifyEmail&oobCode=\(code)")
            #expect(
                unknown.status == 400 && unknown.title == "We do not know the app that this link is for" && !unknown.text.contains("Shop"))
        }
    }
}

extension Visitor.Reply {
    /// Without the marks that keep words whole.
    var title: String? { text.firstMatch(of: #/<h1[^>]*>([^<]*)/#).map { String($0.1).replacing("\u{2060}", with: "") } }
    /// The targets of the links of a page.
    var links: [String] { text.matches(of: #/<a [^>]*href="([^"]*)"/#).map { String($0.1) } }
}
