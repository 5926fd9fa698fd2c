import Accounts
import AppLinks
import Base
import HTTPTypes
import Testing
import World

/// The page after an action.
@Suite struct `A success page` {
    private func done(
        _ action: Action, url: String? = "https://app.example/welcome?a=1&b=%22", by policies: ContinuePolicies = ContinuePolicies(.page),
        _ change: (inout ActionCodeSettings) -> Void = { _ in }
    ) async throws -> (page: Visitor.Reply, location: String, visitor: Visitor) {
        let visitor = try await Visitor {
            $0.continuePolicy = policies
            $0.homeURL = try WebURL("https://home.example/start")
        }
        var settings = ActionCodeSettings()
        settings.url = url
        change(&settings)
        let code = try await visitor.world.issue(action, settings: settings)
        let typed = action == .resetPassword ? [("newPassword", "a quiet long phrase")] : []
        let location = try #require(try await visitor.press(await visitor.open(code, action), typing: typed).location)
        return (await visitor.ask(.get, location), location, visitor)
    }

    private func refresh(_ page: Visitor.Reply) -> String? {
        page.text.firstMatch(of: #/<noscript><meta http-equiv="refresh" content="([^"]*)"></noscript>/#).map { String($0.1) }
    }

    /// P16: without script by the browser, which runs no other code of the page's.
    @Test(arguments: ContinuePolicies.configurable)
    func `goes on by itself after a moment`(_ action: Action) async throws {
        let (page, location, visitor) = try await done(action)
        #expect(location.hasPrefix("/__/auth/done?") && page.status == 200)
        #expect(refresh(page) == "8; url=https://app.example/welcome?a=1&amp;b=%22")
        #expect(page.links.first == "https://app.example/welcome?a=1&amp;b=%22")
        #expect(page.text.contains(#"data-delay="8""#) && page.text.contains("Stay on this page"))
        // P3: as strict as any other page.
        let policy = page.response.headerFields[.contentSecurityPolicy]
        #expect(policy == (await visitor.ask(.get, "/__/auth/done")).response.headerFields[.contentSecurityPolicy])
        #expect(policy?.contains("unsafe") == false)
    }

    /// P16: by the button, and while the user chooses a language.
    @Test func `stays if the user wants it to`() async throws {
        let (page, location, visitor) = try await done(.resetPassword)
        let form = try #require(page.text.firstMatch(of: #/<form class="soon" action="([^"]*)"[^>]*>([\s\S]*?)</form>/#))
        let fields = form.2.matches(of: #/name="([^"]*)" value="([^"]*)"/#).map { "\($0.1)=\(WebURL.percentEncoded(String($0.2)))" }
        let stays = await visitor.ask(.get, form.1 + "?" + fields.joined(separator: "&"))
        let inGerman = await visitor.ask(.get, location + "&lang=de")
        for page in [stays, inGerman] {
            #expect(page.status == 200 && refresh(page) == nil && !page.text.contains("data-delay"))
            #expect(page.links.first == "https://app.example/welcome?a=1&amp;b=%22")
        }
        #expect(stays.title == page.title && inGerman.text.contains(#"lang="de""#))
    }

    /// A browser opens an app by a press only, and an undo has a next step.
    @Test func `does not go on by itself to an app, nor past the password reset after an undo`() async throws {
        let app = try await done(.resetPassword, url: "com.example.shop://welcome").page
        let link = try await done(.verifyEmail) { $0.iOSBundleID = "com.example.shop" }.page
        let undone = try await done(.recoverEmail).page
        let nowhere = try await done(.verifyEmail, url: nil).page
        for page in [app, link, undone, nowhere] {
            #expect(page.status == 200 && refresh(page) == nil && !page.text.contains("data-delay"))
        }
        #expect(app.links.first == "com.example.shop://welcome")
        #expect(link.links.first?.hasPrefix("https://links.example/") == true)
    }

    @Test func `follows a new password only, unless the project wants otherwise`() async throws {
        let usual = ContinuePolicies()
        #expect(try await done(.resetPassword, by: usual).location.hasPrefix("/__/auth/done?"))
        #expect(try await done(.verifyEmail, by: usual).location == "https://app.example/welcome?a=1&b=%22")
        var own = ContinuePolicies(.straight)
        own[.verifyEmail] = .page
        #expect(try await done(.resetPassword, by: own).location == "https://app.example/welcome?a=1&b=%22")
        #expect(try await done(.verifyEmail, by: own).location.hasPrefix("/__/auth/done?"))
    }

    /// R9, R10: a home page is no substitute that is taken in silence.
    @Test func `leads to the app's home page where it has no other way`() async throws {
        let nowhere = try await done(.verifyEmail, url: nil).page
        #expect(nowhere.links == ["https://home.example/start"] && nowhere.text.contains("Back to <bdi>Shop</bdi>"))
        #expect(!nowhere.text.contains("You can close this page"))
    }
}
