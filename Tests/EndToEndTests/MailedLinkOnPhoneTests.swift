import Testing

extension `Onward from end to end`.`In the browser` {
    /// A mail that is read on a phone, whose app does not open by itself. The other devices need no
    /// browser: `WebTests/MailedLinkTests`.
    @Suite struct `A mailed link on a phone` {
        let environment: BrowserEnvironment
        let user: BrowserUser
        var browser: Browser { user.browser }

        init() throws {
            environment = try BrowserEnvironment.current()
            user = try environment.user(hasScripts: true)
        }

        /// All tests share the browser, so it is itself again afterwards.
        private func onPhone(_ body: () async throws -> Void) async throws {
            let agent = try #require(`A phone without the app`.agents["Android"])
            try await browser.devTools("Emulation.setUserAgentOverride", ["userAgent": .text(agent)])
            let failure: (any Error)?
            do {
                try await body()
                failure = nil
            } catch { failure = error }
            try await browser.devTools("Emulation.setUserAgentOverride", ["userAgent": ""])
            if let failure { throw failure }
        }

        private func mail(_ more: JSON, goingOnTo goal: String) async throws -> API.Account {
            let ada = try await user.api.signUp()
            try await user.ask("VERIFY_EMAIL", ada, more + ["continueUrl": .text(goal), "androidPackageName": "com.example.demo"])
            return ada
        }

        /// The page of an app link offers the app first, and the web.
        private func goOnWithoutTheApp() async throws {
            #expect(try await browser.element("main a.button").attribute("href")?.hasPrefix("intent:") == true)
            try await browser.element(".other a[href^='http:']").click()
        }

        @Test func `opens the app first, or the page of its action`() async throws {
            try await onPhone {
                let goal = await environment.landing.address("/app-first")
                let ada = try await mail(["canHandleCodeInApp": true], goingOnTo: goal)
                try await user.follow("verifyEmail", to: ada.email)
                try await goOnWithoutTheApp()
                #expect(try await user.heading == LanguageFile.title("confirm", "verifyEmail"))
                try await user.press()
                try await browser.arrive(at: goal)
                #expect(try await user.isVerified(ada))
            }
        }

        @Test func `opens the page of its action first, and then the app or the continue URL`() async throws {
            try await onPhone {
                let goal = await environment.landing.address("/web-first")
                let ada = try await mail([:], goingOnTo: goal)
                try await user.follow("verifyEmail", to: ada.email)
                try await user.press()
                try await goOnWithoutTheApp()
                try await browser.arrive(at: goal)
                #expect(try await user.isVerified(ada))
            }
        }
    }
}
