import Testing

extension `Onward from end to end`.`In the browser` {
    /// The page that says that a password was saved (P16).
    @Suite struct `The page after a new password` {
        let environment: BrowserEnvironment

        init() throws { environment = try BrowserEnvironment.current() }

        private func saved(_ user: BrowserUser, goingOnTo goal: String) async throws {
            let ada = try await user.forgetful(goingOnTo: goal)
            try await user.follow("resetPassword", to: ada.email)
            try await user.browser.element("#password").type("brand new horse 8")
            try await user.press()
            try await user.browser.element("main .success")
            #expect(try await user.heading == LanguageFile.title("done", "resetPassword"))
        }

        @Test(arguments: [true, false]) func `goes on by itself`(hasScripts: Bool) async throws {
            let (user, goal) = (try environment.user(hasScripts: hasScripts), await environment.landing.address("/by-itself?a=1&b=2"))
            try await saved(user, goingOnTo: goal)
            try await user.browser.arrive(at: goal)
        }

        /// With script the page stays as it is; without, it is asked for once more.
        @Test(arguments: [true, false]) func `stays if the user presses the button for that`(hasScripts: Bool) async throws {
            let (user, goal) = (try environment.user(hasScripts: hasScripts), await environment.landing.address("/at-last"))
            try await saved(user, goingOnTo: goal)
            try await user.browser.element(".soon button").click()
            try await user.browser.soon("the page that stays") {
                try await user.browser.run("return !document.querySelector('.soon')?.checkVisibility()") == true ? () : nil
            }
            #expect(try await user.browser.address.contains("/__/auth/done?"))
            if hasScripts {
                #expect(try await user.browser.run("return document.activeElement.matches('main a.button')") == true)
            } else {
                #expect(try await !user.browser.source.contains("http-equiv"))
            }
            try await user.browser.element("main a.button").click()
            try await user.browser.arrive(at: goal)
        }
    }
}
