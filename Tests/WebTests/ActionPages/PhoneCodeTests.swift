import Accounts
import AppLinks
import Base
import HTTPTypes
import Testing
import World
@testable import Web

/// The QR code on the page of an action, for users who read their mail at a desk and have the app
/// on their phone.
@Suite struct `The QR code on an action page` {
    typealias Devices = `An app link that opened in a browser`

    static func settings(_ change: (inout ActionCodeSettings) -> Void = { _ in }) -> ActionCodeSettings {
        var settings = ActionCodeSettings()
        settings.url = "https://app.example/welcome"
        (settings.handleCodeInApp, settings.androidPackageName) = (true, "com.example.shop")
        change(&settings)
        return settings
    }

    private func page(of code: OobCode, _ action: Action, at visitor: Visitor, on device: String = "desktop") async throws -> Visitor.Reply
    {
        await visitor.open(code, action, extra: "&lang=en", headers: [.userAgent: try #require(Devices.agents[device])])
    }

    private func path(in page: Visitor.Reply) -> String? {
        page.text.firstMatch(of: #/<svg class="code"[^>]*>.*? d="([^"]*)"/#).map { String($0.1) }
    }

    @Test(arguments: [Action.verifyEmail, .resetPassword, .signIn, .verifyAndChangeEmail])
    func `is that of the mailed app link`(action: Action) async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(action, settings: Self.settings())
        let mailed = try #require(try await visitor.world.mails().first?.link)
        let page = try await page(of: code, action, at: visitor)
        #expect(mailed.hasPrefix("https://links.example/"))
        #expect(path(in: page) == QRCode(onScreen: mailed)?.path)
        #expect(page.text.contains("<summary>Open on your phone</summary>") && page.text.contains(#"role="img" aria-label="QR code"#))
        #expect(try await self.page(of: code, action, at: visitor, on: "mac").text.contains("<svg class=\"code\""))
    }

    /// P3, P5: no URL contains the code but that of the page.
    @Test func `is part of a page that is not cached and loads no more than others`() async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.signIn, settings: Self.settings())
        let page = try await page(of: code, .signIn, at: visitor)
        #expect(path(in: page) != nil && page.response.headerFields[.cacheControl] == "no-store")
        let policy = try #require(page.response.headerFields[.contentSecurityPolicy])
        #expect(policy.contains("img-src 'self';") && policy.contains("style-src 'self';") && !policy.contains("data:"))
        for url in page.text.matches(of: #/(?:src|href|action)="([^"]*)"/#) { #expect(!url.1.contains(code.text)) }
        #expect(!page.text.contains("style="))
        #expect(page.text.utf8.count < 25_000)
    }

    @Test(arguments: ["iphone", "android", "program"]) func `is for desktops only`(device: String) async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.signIn, settings: Self.settings())
        #expect(try await !page(of: code, .signIn, at: visitor, on: device).text.contains("<details"))
    }

    @Test func `is not there if the mail has the link of the page`() async throws {
        let (visitor, bare) = (try await Visitor(), try await Visitor { $0.linkDomains = [] })
        let web = try await visitor.world.issue(.verifyEmail, settings: Self.settings { $0.handleCodeInApp = false })
        #expect(try await !page(of: web, .verifyEmail, at: visitor).text.contains("<details"))
        let code = try await bare.world.issue(.verifyEmail, settings: Self.settings())
        #expect(try await !page(of: code, .verifyEmail, at: bare).text.contains("<details"))
    }

    @Test func `ends with its code`() async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail, settings: Self.settings())
        _ = try await visitor.press(try await page(of: code, .verifyEmail, at: visitor))
        #expect(try await !page(of: code, .verifyEmail, at: visitor).text.contains("<details"))
        let late = try #require(try await visitor.world.send(.signIn, settings: Self.settings()))
        visitor.world.clock.advance(by: .days(8))
        #expect(try await !page(of: late, .signIn, at: visitor).text.contains("<details"))
    }

    @Test func `is left out if it would be too fine`() async throws {
        let visitor = try await Visitor()
        let long = Self.settings { $0.url = "https://app.example/" + String(repeating: "x", count: 1200) }
        let code = try await visitor.world.issue(.verifyEmail, settings: long)
        let page = try await page(of: code, .verifyEmail, at: visitor)
        #expect(page.status == 200 && !page.text.contains("<details"))
    }
}
