import Testing

extension `Onward from end to end`.`In the browser` {
    @Suite struct `The page for a new password` {
        let stage: Stage

        init() throws { stage = try Stage.set() }

        /// P11, S9: what was typed is neither on the page, nor in its address or title, nor stored.
        @Test(arguments: [true, false]) func `says beside the field what is missing and repeats nothing`(hasScripts: Bool) async throws {
            let (person, goal) = (try stage.person(hasScripts: hasScripts), await stage.landing.address("/saved"))
            let ada = try await person.forgetful(goingOnTo: goal)
            try await person.follow("resetPassword", to: ada.email)
            #expect(try await person.browser.element("#password-rules").text.contains("6"))
            // Shorter than the field would let through, as a browser that does not know `minlength` would send it.
            try await person.browser.run("document.getElementById('password').removeAttribute('minlength')")
            try await person.browser.element("#password").type("q7Zw!")
            try await person.press()

            let problem = try await person.browser.element("#password-problem")
            #expect(try await !problem.text.isEmpty)
            let field = try await person.browser.element("#password")
            #expect(try await field.attribute("aria-invalid") == "true")
            #expect(try await field.attribute("aria-describedby")?.contains("password-problem") == true)
            #expect(try await field.property("value") == "")
            let page = try await person.browser.run("return [document.documentElement.outerHTML, document.title, location.href]").texts
            #expect(page.count == 3 && !page.contains { $0.contains("q7Zw!") })
            if hasScripts {
                #expect(try await person.browser.run("return localStorage.length + sessionStorage.length + document.cookie.length") == 0)
            }

            try await field.type("brand new horse 8")
            try await person.press()
            try await person.browser.arrive(at: goal)
            #expect(try await person.api.canSignIn(ada.email, "brand new horse 8"))
        }

        /// P10: what password managers and hands expect.
        @Test(arguments: [true, false]) func `takes a pasted password and the Enter key`(hasScripts: Bool) async throws {
            let (person, goal) = (try stage.person(hasScripts: hasScripts), await stage.landing.address("/pasted"))
            let ada = try await person.forgetful(goingOnTo: goal)
            try await person.follow("resetPassword", to: ada.email)
            let field = try await person.browser.element("#password")
            #expect(try await field.attribute("autocomplete") == "new-password")
            #expect(try await person.browser.element("input[autocomplete=username]").property("value").text == ada.email)

            // Written somewhere, cut there, pasted here.
            try await person.browser.run("const text = document.createElement('textarea'); document.body.append(text); text.focus()")
            let (control, enter) = ("\u{E009}", "\u{E007}")
            try await person.browser.element("textarea").type("pasted horse 9")
            try await person.browser.element("textarea").type(control + "ax")
            try await person.browser.element("#password").type(control + "v")
            #expect(try await field.property("value") == "pasted horse 9")
            try await person.browser.element("#password").type(enter)
            try await person.browser.arrive(at: goal)
            #expect(try await person.api.canSignIn(ada.email, "pasted horse 9"))
        }

        @Test func `shows what is typed when asked to, and never sends it as text`() async throws {
            let person = try stage.person(hasScripts: true)
            let ada = try await person.forgetful(goingOnTo: stage.landing.address("/shown"))
            try await person.follow("resetPassword", to: ada.email)
            let (field, peek) = (try await person.browser.element("#password"), try await person.browser.element(".peek"))
            try await field.type("brand new horse 8")
            #expect(try await field.property("type") == "password")
            let show = try await peek.text
            try await peek.click()
            #expect(try await field.property("type") == "text")
            #expect(try await peek.text != show)
            try await peek.click()
            #expect(try await field.property("type") == "password")
            #expect(try await peek.text == show)
        }

        @Test func `has no switch that needs a script where there is none`() async throws {
            let person = try stage.person(hasScripts: false)
            let ada = try await person.forgetful(goingOnTo: stage.landing.address("/shown"))
            try await person.follow("resetPassword", to: ada.email)
            #expect(try await person.browser.element(".peek").text == "")
        }
    }
}
