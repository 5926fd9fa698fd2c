import HTTPTypes
import Testing

extension `Onward from end to end`.`In the browser` {
    /// What browsers make of the pages, which no look at headers can tell.
    @Suite struct `The page in a real browser` {
        let stage: Stage
        let person: Stage.Person
        var browser: Browser { person.browser }

        init() throws {
            stage = try Stage.set()
            person = try stage.person(hasScripts: true)
        }

        /// P5, P11: neither a form that would work nor what was typed.
        @Test func `shows by the back button that it is done`() async throws {
            try await resetAndGoBack(person)
            #expect(try await person.heading == Words.title("trouble", "alreadyDone"))
            #expect(try await browser.elements("form[method=post], input[type=password]").isEmpty)
            #expect(try await !browser.source.contains("brand new horse 8"))
        }

        /// P5, P11: the page that refused a password cannot be asked for again, so it forgets.
        @Test func `keeps no password on a page that refused one`() async throws {
            let ada = try await resetAndGoBack(person, afterTrying: "12345")
            #expect(try await browser.elements("#password").first?.property("value").text ?? "" == "")
            #expect(try await person.api.canSignIn(ada.email, "brand new horse 8"))
        }

        /// P5: without scripts Chromium shows the old page out of its memory, whatever `no-store` says. It does nothing any more.
        @Test func `repeats nothing when pressed again after the back button`() async throws {
            let person = try stage.person(hasScripts: false)
            let ada = try await resetAndGoBack(person)
            if let field = try await person.browser.elements("#password").first {
                try await field.type(" again")
                try await person.press()
                try await person.browser.element(".sign")
            }
            #expect(try await person.heading == Words.title("trouble", "alreadyDone"))
            #expect(try await person.api.canSignIn(ada.email, "brand new horse 8"))
        }

        @discardableResult private func resetAndGoBack(
            _ person: Stage.Person, afterTrying weak: String? = nil
        ) async throws -> API.Account {
            let goal = await stage.landing.address("/then-back")
            let ada = try await person.forgetful(goingOnTo: goal)
            try await person.follow("resetPassword", to: ada.email)
            if let weak {
                try await person.browser.run("document.getElementById('password').removeAttribute('minlength')")
                try await person.browser.element("#password").type(weak)
                try await person.press()
                try await person.browser.element("#password-problem")
            }
            try await person.browser.element("#password").type("brand new horse 8")
            try await person.press()
            try await person.browser.arrive(at: goal)
            try await person.browser.back()
            _ = try await person.browser.arrive { $0.hasPrefix(person.onward.origin) }
            return ada
        }

        /// P3, P6, P13: one origin, nothing refused by the policy, and no code on the way to anything but the page itself.
        @Test func `loads nothing from elsewhere and breaks no rule of its own`() async throws {
            let ada = try await person.forgetful(goingOnTo: stage.landing.address("/"))
            let code = try await person.api.mail("resetPassword", to: ada.email).code
            _ = try await (browser.complaints(), browser.requests())
            for path in ["/", "/inbox"] { try await browser.open(person.onward.origin + path) }
            try await person.follow("resetPassword", to: ada.email)
            try await browser.element("#password").type("12345")
            try await browser.element(".peek").click()
            try await browser.run("document.getElementById('lang').value = 'ar'; document.querySelector('.languages').requestSubmit()")
            try await browser.element("html[lang=ar]")

            let requests = try await browser.requests()
            #expect(requests.count >= 6)
            for request in requests {
                let url = request["url"].text ?? ""
                #expect(url.hasPrefix(person.onward.origin + "/"), "\(url)")
                #expect(!url.contains(code) || url.contains("/__/auth/action?"), "\(url)")
                #expect((request["headers"]["Referer"].text ?? "").isEmpty, "\(url)")
            }
            #expect(try await browser.complaints() == [])
        }

        /// P2.
        @Test func `stays blank in a frame`() async throws {
            let ada = try await person.unverified(goingOnTo: stage.landing.address("/"))
            let link = try #require(try await person.api.mail("verifyEmail", to: ada.email).link)
            let own = await stage.landing.address("/innocent")
            let html = "<!doctype html><title>Frames</title><iframe id=theirs src='\(link)'></iframe><iframe id=own src='\(own)'></iframe>"
            await stage.landing.serve(html, at: "/frames")
            try await browser.open(stage.landing.address("/frames"))
            for (frame, isShown) in [("#own", true), ("#theirs", false)] {
                let element = try await browser.element(frame)
                try await browser.ask("POST", "/frame", ["id": element.json])
                #expect(try await browser.source.contains("Landed") == isShown)
                #expect(try await browser.elements("main, form, .brand").isEmpty)
                try await browser.ask("POST", "/frame", ["id": .null])
            }
            #expect(try await browser.complaints().contains { $0.contains("frame-ancestors") })
        }

        /// P4: neither by the press of the button nor by a link.
        @Test func `tells the next site nothing`() async throws {
            let goal = await stage.landing.address("/from-form")
            let ada = try await person.unverified(goingOnTo: goal)
            try await person.follow("verifyEmail", to: ada.email)
            try await person.press()
            try await browser.arrive(at: goal)
            #expect(try #require(await stage.landing.visit(to: "/from-form")).headers[.referer] == nil)

            let again = try #require(try await person.api.mail("verifyEmail", to: ada.email).link)
            try await browser.open(again)
            await stage.landing.forget()
            try await browser.element("main a.button").click()
            try await browser.arrive(at: goal)
            #expect(try #require(await stage.landing.visit(to: "/from-form")).headers[.referer] == nil)
        }

        /// P1: by form and by fetch, from another site and from another origin of the same site, even with a token that was stolen.
        @Test(arguments: ["localhost", "127.0.0.1"]) func `is not pressed by another site`(host: String) async throws {
            let ada = try await person.unverified(goingOnTo: stage.landing.address("/"))
            let mail = try await person.api.mail("verifyEmail", to: ada.email)
            let press = try await Press(on: try #require(mail.link))
            for fields in [press.form, press.form.filter { $0.0 != "token" }] {
                let inputs = fields.map { "<input name='\($0.0)' value='\($0.1)'>" }.joined()
                let page = """
                    <!doctype html><title>Win a prize</title>
                    <form method=post action='\(press.origin)/__/auth/action'>\(inputs)<button id=win>Win</button></form>
                    """
                await stage.landing.serve(page, at: "/prize")
                try await browser.open(stage.landing.address("/prize", host: host))
                try await browser.run(
                    """
                    return fetch(arguments[0], { method: "POST", mode: "no-cors", credentials: "include",
                        body: new URLSearchParams(new FormData(document.forms[0])) }).then(() => true)
                    """, .text(press.origin + "/__/auth/action"))
                #expect(try await person.api.isAlive(mail.code))
                try await browser.element("#win").click()
                _ = try await browser.arrive { $0.hasPrefix(press.origin) }
                #expect(try await person.heading == Words.title("trouble", "pageExpired"))
                #expect(try await person.api.isAlive(mail.code))
            }
            #expect(try await !person.isVerified(ada))
        }

        /// `Docs/Decisions/0005-form-action.md`: the app's own site moves on to a third, and the person with it.
        @Test(arguments: [true, false]) func `lets the landing page lead on`(hasScripts: Bool) async throws {
            let person = try stage.person(hasScripts: hasScripts)
            let third = await stage.landing.address("/third", host: "127.0.0.1")
            let ada = try await person.unverified(goingOnTo: stage.landing.address("/moved?\(third)"))
            try await person.follow("verifyEmail", to: ada.email)
            try await person.press()
            try await person.browser.arrive(at: third)
            #expect(try await person.isVerified(ada))
        }
    }
}
