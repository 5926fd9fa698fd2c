import Testing

extension `Onward from end to end`.`In the browser` {
    @Suite struct `A mail that the inbox shows` {
        let environment: BrowserEnvironment

        init() throws { environment = try BrowserEnvironment.current() }

        /// The frame is sandboxed: a page that opened inside of it would be a broken one.
        @Test(arguments: [true, false]) func `opens its button in a new tab, where the link works`(hasScripts: Bool) async throws {
            let user = try environment.user(hasScripts: hasScripts)
            let browser = user.browser
            let goal = await environment.landing.address("/signed-in")
            let ada = try await user.unverified(goingOnTo: goal)
            let mail = try await user.api.mail("verifyEmail", to: ada.email)
            try await browser.open("\(user.server.origin)/inbox/\(mail.id)")
            let inbox = try await browser.tab
            try await browser.enter(try await browser.element("iframe"))
            let button = try await browser.soon("the mail's button") { try await browser.elements("td.button a").first }
            try await button.click()

            let opened = try await browser.soon("a new tab") { try await browser.tabs.first { $0 != inbox } }
            try await browser.change(to: opened)
            #expect(try await browser.arrive { $0.contains("oobCode=") } == mail.link)
            try await user.press()
            try await browser.arrive(at: goal)
            #expect(try await user.isVerified(ada))

            try await browser.closeTab()
            try await browser.change(to: inbox)
        }
    }
}
