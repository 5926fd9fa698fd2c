import Accounts
import AppLinks
import EmailActions
import Testing
import World

@Suite struct `After an action, the user` {
    private func destination(_ action: Action, in world: World, _ change: (inout ActionCodeSettings) -> Void) async throws -> Destination {
        var settings = ActionCodeSettings()
        change(&settings)
        let code = try await world.issue(action, settings: settings)
        let link = ActionLink(action: action, code: code, apiKey: "shop-key", language: "en")
        return try await world.inspect(code).pending().destination(link: link)
    }

    @Test func `goes to the continue URL`() async throws {
        let there = try await destination(.verifyEmail, in: try await World()) { $0.url = "https://APP.example:443/a/../b?q#f" }
        #expect(there.location == "https://app.example/b?q#f")
        #expect(there.host == "app.example")
    }

    /// R12: No code is passed to the continue URL, except a sign-in code, which the app applies.
    @Test func `carries only a sign-in code along`() async throws {
        let there = try await destination(.signIn, in: try await World()) { $0.url = "https://app.example/in?mode=old" }
        let location = try #require(there.location)
        #expect(location.hasPrefix("https://app.example/in?lang=en&apiKey=shop-key&mode=signIn&oobCode="))
    }

    @Test func `goes by an app link when an app is named`() async throws {
        let there = try await destination(.verifyEmail, in: try await World()) {
            $0.url = "https://app.example/welcome"
            $0.androidPackageName = "com.example.shop"
        }
        let link = "https://links.example/__/auth/links?link=https%3A%2F%2Fapp.example%2Fwelcome&apn=com.example.shop"
        #expect(there.location == link + "&afl=https%3A%2F%2Fapp.example%2Fwelcome")
        #expect(there.host == "app.example")
    }

    @Test func `goes by an app link in the form that the project chose`() async throws {
        let world = try await World {
            $0.apps = try RegisteredApps(
                android: [AndroidApp(packageName: "com.example.shop", sha256Fingerprints: [])], linkForm: .dynamicLinks)
        }
        let there = try await destination(.verifyEmail, in: world) {
            $0.url = "https://app.example/welcome"
            $0.androidPackageName = "com.example.shop"
        }
        #expect(there.location?.hasPrefix("https://links.example/?link=https%3A%2F%2Fapp.example%2Fwelcome&apn=") == true)
    }

    @Test func `stays if no continue URL was requested`() async throws {
        let there = try await destination(.verifyEmail, in: try await World()) { _ in }
        #expect(there == .stay(notAllowed: nil))
    }

    /// R9: The current list of domains applies, not that of the time when the link was sent.
    @Test func `stays if the domain is no longer authorised`() async throws {
        var world = try await World()
        var settings = ActionCodeSettings()
        settings.url = "https://app.example/"
        let code = try await world.issue(.verifyEmail, settings: settings)
        world.project.authorizedDomains = try AuthorizedDomains([])
        let link = ActionLink(action: .verifyEmail, code: code, apiKey: "shop-key")
        let outcome = try await world.redeem(code)
        #expect(outcome.account == AccountID(rawValue: "ada"))
        guard case .stay(notAllowed: _?) = outcome.done.destination(link: link) else { throw Missing() }
    }
}
