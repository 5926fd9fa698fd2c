import Testing

extension `Onward from end to end`.`In the browser` {
    /// From the API call over the mail and the press of a button to where the person wanted to go, for people with scripts and
    /// without (P10). The address bar holds no code in the end (P12).
    @Suite struct `A link in a mail` {
        let stage: Stage

        init() throws { stage = try Stage.set() }

        @Test(arguments: [true, false]) func `verifies an address`(hasScripts: Bool) async throws {
            let person = try stage.person(hasScripts: hasScripts)
            let goal = await stage.landing.address("/verified?by=\(hasScripts)&say=%C3%A9")
            let ada = try await person.unverified(goingOnTo: goal)
            let mail = try await person.follow("verifyEmail", to: ada.email)
            #expect(try await person.heading == Words.title("confirm", "verifyEmail"))
            #expect(try await person.browser.element("main").text.contains(ada.email))
            #expect(try await !person.isVerified(ada))

            try await person.press()
            try await person.browser.arrive(at: goal)
            #expect(try await person.isVerified(ada))
            #expect(try await !person.api.isAlive(mail.code))
        }

        @Test(arguments: [true, false]) func `resets a password`(hasScripts: Bool) async throws {
            let person = try stage.person(hasScripts: hasScripts)
            let goal = await stage.landing.address("/reset?by=\(hasScripts)")
            let ada = try await person.forgetful(goingOnTo: goal)
            try await person.follow("resetPassword", to: ada.email)
            try await person.browser.element("#password").type("brand new horse 8")
            try await person.press()
            try await person.browser.arrive(at: goal)
            #expect(try await person.api.canSignIn(ada.email, "brand new horse 8"))
            #expect(try await !person.api.canSignIn(ada.email, "forgotten horse 7"))
        }

        @Test(arguments: [true, false]) func `changes an address`(hasScripts: Bool) async throws {
            let person = try stage.person(hasScripts: hasScripts)
            let goal = await stage.landing.address("/changed?by=\(hasScripts)")
            let (ada, newEmail) = try await changing(person, goingOnTo: goal)
            try await person.follow("verifyAndChangeEmail", to: newEmail)
            let page = try await person.browser.element("main").text
            #expect(page.contains(ada.email) && page.contains(newEmail))
            try await person.press()
            try await person.browser.arrive(at: goal)
            #expect(try await person.api.account(ada.id)["email"].text == newEmail)
        }

        /// C16: the old address is told, takes the change back, and is offered a new password as the second step.
        @Test(arguments: [true, false]) func `restores an address`(hasScripts: Bool) async throws {
            let person = try stage.person(hasScripts: hasScripts)
            let (ada, newEmail) = try await changing(person, goingOnTo: stage.landing.address("/"))
            let change = try await person.api.mail("verifyAndChangeEmail", to: newEmail)
            try await person.api.get("update", ["oobCode": .text(change.code)])
            #expect(try await person.api.account(ada.id)["email"].text == newEmail)

            let mail = try await person.follow("recoverEmail", to: ada.email)
            try await person.press()
            try await isDone(person, mail, Words.title("done", "recoverEmail"))
            #expect(try await person.api.account(ada.id)["email"].text == ada.email)

            try await person.press()
            try await person.browser.element(".sign:not(.success)")
            let reset = try await person.api.mail("resetPassword", to: ada.email)
            #expect(try await person.api.isAlive(reset.code))
        }

        /// With the mail that waits in every new inbox, found by hand.
        @Test(arguments: [true, false]) func `removes a second step`(hasScripts: Bool) async throws {
            let (person, edsger) = (try stage.person(hasScripts: hasScripts), "edsger@example.com")
            let mail = try await person.api.mail("revertSecondFactorAddition", to: edsger)
            try await person.browser.open(person.onward.origin + "/inbox")
            for row in try await person.browser.elements(".inbox a") where try await row.text.contains("revertSecondFactorAddition") {
                try await row.click()
                break
            }
            try await person.browser.element("main a.button").click()
            try await person.press()
            try await isDone(person, mail, Words.title("done", "revertSecondFactorAddition"))
            let accounts = try await person.api.get("lookup", ["email": [.text(edsger)]], asAdmin: true)["users"].list
            #expect(accounts.count == 1 && accounts[0]["mfaInfo"] == .null)
        }

        /// The page never spends a sign-in code: it hands it on to the app, here over an app link that no app catches.
        @Test(arguments: [true, false]) func `hands a sign-in on`(hasScripts: Bool) async throws {
            let person = try stage.person(hasScripts: hasScripts)
            let email = "barbara-\(hasScripts)@example.com"
            let goal = await stage.landing.address("/finish?state=7")
            try await person.api.get(
                "sendOobCode",
                [
                    "requestType": "EMAIL_SIGNIN", "email": .text(email), "continueUrl": .text(goal), "canHandleCodeInApp": true,
                    "iOSBundleId": "com.example.app",
                ])
            let mail = try await person.follow("signIn", to: email)
            #expect(mail.link?.hasPrefix("http://127.0.0.1:\(person.onward.port)/") == true)
            #expect(try await person.heading == Words.title("confirm", "signIn"))
            try await person.press()
            let address = try await person.browser.arrive { $0.hasPrefix(goal) }
            for part in ["mode=signIn", "oobCode=\(try mail.code)", "apiKey=demo-api-key", "lang=en"] { #expect(address.contains(part)) }
            #expect(try await person.api.isAlive(mail.code))
            try await person.api.get("signInWithEmailLink", ["email": .text(email), "oobCode": .text(mail.code)])
        }

        private func changing(_ person: Stage.Person, goingOnTo goal: String) async throws -> (API.Account, newEmail: String) {
            let account = try await person.api.signUp()
            let newEmail = "new-" + account.email
            try await person.ask("VERIFY_AND_CHANGE_EMAIL", account, ["newEmail": .text(newEmail), "continueUrl": .text(goal)])
            return (account, newEmail)
        }

        /// P12: on the page afterwards the code is nowhere.
        private func isDone(_ person: Stage.Person, _ mail: API.Mail, _ heading: String) async throws {
            let address = try await person.browser.arrive { $0.contains("/__/auth/done") }
            #expect(try await person.heading == heading)
            let code = try mail.code
            #expect(!address.contains(code))
            #expect(try await !person.browser.source.contains(code))
            #expect(try await !person.api.isAlive(code))
        }
    }
}
