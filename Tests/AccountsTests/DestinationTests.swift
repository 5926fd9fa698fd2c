import AppLinks
import Base
import Testing
import World
@testable import Accounts

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

    /// Chromium checks the whole chain of redirects, so the page allows http if that is its end.
    @Test(arguments: ["https", "http"]) func `may go by an app link to a page without TLS`(_ scheme: String) async throws {
        let world = try await World { $0.authorizedDomains = try AuthorizedDomains(["app.example"], plainHTTP: ["app.example"]) }
        let there = try await destination(.verifyEmail, in: world) {
            $0.url = "\(scheme)://app.example/welcome"
            $0.androidPackageName = "com.example.shop"
        }
        #expect(there.location?.hasPrefix("https://links.example/") == true && there.scheme == scheme)
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

    /// R16: any app on the phone may have registered the scheme.
    @Test func `gets no sign-in code by a custom scheme`() async throws {
        var settings = ActionCodeSettings()
        settings.url = "com.example.shop://in"
        let world = try await World()
        let approved = try ApprovedSettings(settings, in: world.project)
        await expectRefused(.unauthorizedDomain) {
            try await world.accounts.send(CodeRequest(.signIn, for: .address(.ada), with: approved))
        }
        let link = ActionLink(action: .signIn, code: OobCode(random: world.random.bytes), apiKey: "shop-key")
        let there = Destination(after: .signIn, requesting: settings, in: world.project, link: link)
        guard case .stay(notAllowed: _?) = there else { throw Missing() }
        #expect(Destination(after: .verifyEmail, requesting: settings, in: world.project, link: link).location == "com.example.shop://in")
    }

    /// The link domain opens the app by itself, and an app link may not lead to another.
    @Test func `goes to a continue URL on a link domain without another app link`() async throws {
        let world = try await World { $0.authorizedDomains = try AuthorizedDomains(["links.example"]) }
        let there = try await destination(.verifyEmail, in: world) {
            ($0.url, $0.iOSBundleID) = ("https://links.example/spring", "com.example.shop")
        }
        #expect(there.location == "https://links.example/spring")
    }

    /// R14: apps and link domains may be removed while a mail is on its way.
    @Test(arguments: [Action.verifyEmail, .signIn]) func `goes to the continue URL if the app is not there any more`(_ action: Action)
        async throws
    {
        var world = try await World()
        var settings = ActionCodeSettings()
        (settings.url, settings.androidPackageName, settings.linkDomain) = ("https://app.example/in", "com.example.shop", "links.example")
        let code = try await world.issue(action, settings: settings)
        world.project.apps = try RegisteredApps()
        world.project.linkDomains = []
        let link = ActionLink(action: action, code: code, apiKey: "shop-key")
        let location = try await world.inspect(code).pending().destination(link: link).location
        #expect(location?.hasPrefix("https://app.example/in") == true)
        world.clock.advance(by: .days(30))
        guard case .expired(let ended) = try await world.inspect(code) else { throw Missing() }
        try await world.accounts.sendAgain(ended)
        let again = try #require(try await world.mailedCode(action))
        let next = try await world.inspect(again).pending().destination(link: link).location
        #expect(next?.hasPrefix("https://app.example/in") == true)
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
