import Testing

extension `Onward from end to end`.`In the browser` {
    @Suite struct `The page for a new password` {
        let environment: BrowserEnvironment

        init() throws { environment = try BrowserEnvironment.current() }

        /// P11, S9: the typed password is neither on the page, nor in its address or title, nor
        /// stored.
        @Test(arguments: [true, false]) func `explains a refused password beside the field and repeats no password`(hasScripts: Bool)
            async throws
        {
            let (user, goal) = (try environment.user(hasScripts: hasScripts), await environment.landing.address("/saved"))
            let ada = try await user.forgetful(goingOnTo: goal)
            try await user.follow("resetPassword", to: ada.email)
            #expect(try await user.browser.element("#password-rules").text.contains("6"))
            // Shorter than the field would let through, as a browser that does not know `minlength`
            // would send it.
            try await user.browser.run("document.getElementById('password').removeAttribute('minlength')")
            try await user.browser.element("#password").type("q7Zw!")
            try await user.press()

            let problem = try await user.browser.element("#password-problem")
            #expect(try await !problem.text.isEmpty)
            let field = try await user.browser.element("#password")
            #expect(try await field.attribute("aria-invalid") == "true")
            #expect(try await field.attribute("aria-describedby")?.contains("password-problem") == true)
            #expect(try await field.property("value") == "")
            let page = try await user.browser.run("return [document.documentElement.outerHTML, document.title, location.href]").texts
            #expect(page.count == 3 && !page.contains { $0.contains("q7Zw!") })
            if hasScripts {
                #expect(try await user.browser.run("return localStorage.length + sessionStorage.length + document.cookie.length") == 0)
            }

            #expect(try await user.browser.run("return document.activeElement.id") == "password")
            #expect(try await user.browser.title == "Please choose another password · Demo App")

            try await field.type("brand new horse 8")
            try await user.pressAndGoOn(to: goal)
            #expect(try await user.api.canSignIn(ada.email, "brand new horse 8"))
        }

        /// P10: attributes for password managers, pasting and the keyboard.
        @Test(arguments: [true, false]) func `takes a pasted password and the Enter key`(hasScripts: Bool) async throws {
            let (user, goal) = (try environment.user(hasScripts: hasScripts), await environment.landing.address("/pasted"))
            let ada = try await user.forgetful(goingOnTo: goal)
            try await user.follow("resetPassword", to: ada.email)
            let field = try await user.browser.element("#password")
            #expect(try await field.attribute("autocomplete") == "new-password")
            #expect(try await user.browser.element("input[autocomplete=username]").property("value").text == ada.email)

            // The text is cut from another field and pasted into this one.
            try await user.browser.run("const text = document.createElement('textarea'); document.body.append(text); text.focus()")
            let (control, enter) = ("\u{E009}", "\u{E007}")
            try await user.browser.element("textarea").type("pasted horse 9")
            try await user.browser.element("textarea").type(control + "ax")
            try await user.browser.element("#password").type(control + "v")
            #expect(try await field.property("value") == "pasted horse 9")
            try await user.browser.element("#password").type(enter)
            try await user.goOn(to: goal)
            #expect(try await user.api.canSignIn(ada.email, "pasted horse 9"))
        }

        @Test func `shows and hides the typed password`() async throws {
            let user = try environment.user(hasScripts: true)
            let ada = try await user.forgetful(goingOnTo: environment.landing.address("/shown"))
            try await user.follow("resetPassword", to: ada.email)
            let (field, peek) = (try await user.browser.element("#password"), try await user.browser.element(".peek"))
            try await field.type("brand new horse 8")
            #expect(try await field.property("type") == "password")
            let show = try await peek.text
            try await peek.click()
            #expect(try await field.property("type") == "text")
            #expect(try await peek.text != show)
            #expect(try await peek.attribute("aria-label") != peek.text)
            try await peek.click()
            #expect(try await field.property("type") == "password")
            #expect(try await peek.text == show)
        }

        /// Rules are ticked while the user types, and the strength is told of a password that keeps
        /// them all; nothing moves by it.
        @Test func `ticks the rules that the typed password keeps, and moves no button`() async throws {
            let user = try environment.user(hasScripts: true)
            let ada = try await user.forgetful(goingOnTo: environment.landing.address("/ticked"))
            try await user.follow("resetPassword", to: ada.email)
            let (browser, field) = (user.browser, try await user.browser.element("#password"))
            func place() async throws -> JSON {
                try await browser.run("return document.querySelector('main form > .button').getBoundingClientRect().top")
            }
            func kept() async throws -> JSON { try await browser.run("return document.querySelectorAll('#password-rules .kept').length") }
            func said() async throws -> String { try await browser.element("#password-strength").text }
            let start = try await place()
            #expect(try await kept() == 0)
            try await field.type("abcde")
            #expect(try await kept() == 0)
            #expect(try await said() == "")
            try await field.type("f and a few more words")
            #expect(try await kept() == 1)
            let word = try await said()
            #expect(!word.isEmpty && !word.contains(" "))
            #expect(try await place() == start)
        }

        @Test func `shows no button that needs scripts in a browser without scripts`() async throws {
            let user = try environment.user(hasScripts: false)
            let ada = try await user.forgetful(goingOnTo: environment.landing.address("/shown"))
            try await user.follow("resetPassword", to: ada.email)
            #expect(try await user.browser.element(".peek").text == "")
        }
    }
}
