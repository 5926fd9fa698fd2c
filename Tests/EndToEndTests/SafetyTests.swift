import HTTPTypes
import Testing

extension `Onward from end to end`.`In the browser` {
    /// Effects of the security headers in a real browser.
    @Suite struct `The page in a real browser` {
        let environment: BrowserEnvironment
        let user: BrowserUser
        var browser: Browser { user.browser }

        init() throws {
            environment = try BrowserEnvironment.current()
            user = try environment.user(hasScripts: true)
        }

        /// P5, P11: neither a working form nor the typed password.
        @Test func `shows "already done" after the back button`() async throws {
            try await resetAndGoBack(user)
            #expect(try await user.heading == LanguageFile.title("done", "resetPassword"))
            #expect(try await browser.elements("form[method=post], input[type=password]").isEmpty)
            #expect(try await !browser.source.contains("brand new horse 8"))
        }

        /// P5, P11: the page that refused a password is not stored, so the typed password is gone.
        @Test func `keeps no password on a page that refused one`() async throws {
            let ada = try await resetAndGoBack(user, afterTrying: "12345")
            #expect(try await browser.elements("#password").first?.property("value").text ?? "" == "")
            #expect(try await user.api.canSignIn(ada.email, "brand new horse 8"))
        }

        /// P5: without scripts Chromium shows the old page from its memory despite `no-store`.
        /// Submitting it has no effect.
        @Test func `applies nothing twice when submitted again after the back button`() async throws {
            let user = try environment.user(hasScripts: false)
            let ada = try await resetAndGoBack(user)
            if let field = try await user.browser.elements("#password").first {
                try await field.type(" again")
                try await user.press()
                try await user.browser.element(".sign")
            }
            #expect(try await user.heading == LanguageFile.title("done", "resetPassword"))
            #expect(try await user.api.canSignIn(ada.email, "brand new horse 8"))
        }

        @discardableResult private func resetAndGoBack(
            _ user: BrowserUser, afterTrying weak: String? = nil
        ) async throws -> API.Account {
            let goal = await environment.landing.address("/then-back")
            let ada = try await user.forgetful(goingOnTo: goal)
            try await user.follow("resetPassword", to: ada.email)
            if let weak {
                try await user.browser.run("document.getElementById('password').removeAttribute('minlength')")
                try await user.browser.element("#password").type(weak)
                try await user.press()
                try await user.browser.element("#password-problem")
            }
            try await user.browser.element("#password").type("brand new horse 8")
            try await user.press()
            try await user.browser.element("main .success")
            try await user.browser.back()
            _ = try await user.browser.arrive { $0.hasPrefix(user.server.origin + "/__/auth/action") }
            return ada
        }

        /// P3, P6, P13: one origin, no violation of the content security policy, and no code in any
        /// request but that of the page.
        @Test func `loads nothing from another origin and violates no policy of its own`() async throws {
            let ada = try await user.forgetful(goingOnTo: environment.landing.address("/"))
            let code = try await user.api.mail("resetPassword", to: ada.email).code
            _ = try await (browser.complaints(), browser.requests())
            for path in ["/", "/inbox"] { try await browser.open(user.server.origin + path) }
            try await user.follow("resetPassword", to: ada.email)
            try await browser.element("#password").type("12345")
            try await browser.element(".peek").click()
            try await browser.run("document.getElementById('lang').value = 'ar'; document.querySelector('.languages').requestSubmit()")
            try await browser.element("html[lang=ar]")

            let requests = try await browser.requests()
            #expect(requests.count >= 6)
            for request in requests {
                let url = request["url"].text ?? ""
                #expect(url.hasPrefix(user.server.origin + "/"), "\(url)")
                #expect(!url.contains(code) || url.contains("/__/auth/action?"), "\(url)")
                // The pages of onward dev tell their own server where a request comes from.
                let referer = request["headers"]["Referer"].text ?? ""
                #expect(referer.isEmpty || ["/", "/inbox"].contains { referer == user.server.origin + $0 }, "\(url)")
            }
            #expect(try await browser.complaints() == [])
        }

        /// P2: no page can be shown in a frame.
        @Test func `is not shown in a frame of another site`() async throws {
            let ada = try await user.unverified(goingOnTo: environment.landing.address("/"))
            let link = try #require(try await user.api.mail("verifyEmail", to: ada.email).link)
            let own = await environment.landing.address("/innocent")
            let html = "<!doctype html><title>Frames</title><iframe id=theirs src='\(link)'></iframe><iframe id=own src='\(own)'></iframe>"
            await environment.landing.serve(html, at: "/frames")
            try await browser.open(environment.landing.address("/frames"))
            for (frame, isShown) in [("#own", true), ("#theirs", false)] {
                let element = try await browser.element(frame)
                try await browser.ask("POST", "/frame", ["id": element.json])
                #expect(try await browser.source.contains("Landed") == isShown)
                #expect(try await browser.elements("main, form, .brand").isEmpty)
                try await browser.ask("POST", "/frame", ["id": .null])
            }
            #expect(try await browser.complaints().contains { $0.contains("frame-ancestors") })
        }

        /// P4: neither after the button nor after a link.
        @Test func `sends no referrer to the next site`() async throws {
            let goal = await environment.landing.address("/from-form")
            let ada = try await user.unverified(goingOnTo: goal)
            try await user.follow("verifyEmail", to: ada.email)
            try await user.press()
            try await browser.arrive(at: goal)
            #expect(try #require(await environment.landing.visit(to: "/from-form")).headers[.referer] == nil)

            let again = try #require(try await user.api.mail("verifyEmail", to: ada.email).link)
            try await browser.open(again)
            await environment.landing.forget()
            try await browser.element("main a.button").click()
            try await browser.arrive(at: goal)
            #expect(try #require(await environment.landing.visit(to: "/from-form")).headers[.referer] == nil)
        }

        /// P1: by form and by fetch, from another site and from another origin of the same site,
        /// even with a stolen token.
        @Test(arguments: ["localhost", "127.0.0.1"]) func `ignores forms and requests from another site`(host: String) async throws {
            let ada = try await user.unverified(goingOnTo: environment.landing.address("/"))
            let mail = try await user.api.mail("verifyEmail", to: ada.email)
            let press = try await ActionForm(on: try #require(mail.link))
            for fields in [press.fields, press.fields.filter { $0.0 != "token" }] {
                let inputs = fields.map { "<input name='\($0.0)' value='\($0.1)'>" }.joined()
                let page = """
                    <!doctype html><title>Win a prize</title>
                    <form method=post action='\(press.origin)/__/auth/action'>\(inputs)<button id=win>Win</button></form>
                    """
                await environment.landing.serve(page, at: "/prize")
                try await browser.open(environment.landing.address("/prize", host: host))
                try await browser.run(
                    """
                    return fetch(arguments[0], { method: "POST", mode: "no-cors", credentials: "include",
                        body: new URLSearchParams(new FormData(document.forms[0])) }).then(() => true)
                    """, .text(press.origin + "/__/auth/action"))
                #expect(try await user.api.isAlive(mail.code))
                try await browser.element("#win").click()
                _ = try await browser.arrive { $0.hasPrefix(press.origin) }
                #expect(try await user.heading == LanguageFile.title("error", "notUnderstood"))
                #expect(try await user.api.isAlive(mail.code))
            }
            #expect(try await !user.isVerified(ada))
        }

        /// `Docs/internal/Decisions/0005-form-action.md`: the app's own site moves on to a third,
        /// and the user with it.
        @Test(arguments: [true, false]) func `lets the landing page redirect to a third site`(hasScripts: Bool) async throws {
            let user = try environment.user(hasScripts: hasScripts)
            let third = await environment.landing.address("/third", host: "127.0.0.1")
            let ada = try await user.unverified(goingOnTo: environment.landing.address("/moved?\(third)"))
            try await user.follow("verifyEmail", to: ada.email)
            try await user.press()
            try await user.browser.arrive(at: third)
            #expect(try await user.isVerified(ada))
        }
    }
}
