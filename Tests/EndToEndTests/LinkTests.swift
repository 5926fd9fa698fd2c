import Testing

extension `Onward from end to end`.`In the browser` {
    /// From the API call over the mail and the press of a button to where the user wanted to go,
    /// for users with scripts and without (P10). The address bar holds no code in the end (P12).
    @Suite struct `A link in a mail` {
        let environment: BrowserEnvironment

        init() throws { environment = try BrowserEnvironment.current() }

        @Test(arguments: [true, false]) func `verifies an address`(hasScripts: Bool) async throws {
            let user = try environment.user(hasScripts: hasScripts)
            let goal = await environment.landing.address("/verified?by=\(hasScripts)&say=%C3%A9")
            let ada = try await user.unverified(goingOnTo: goal)
            let mail = try await user.follow("verifyEmail", to: ada.email)
            #expect(try await user.heading == LanguageFile.title("confirm", "verifyEmail"))
            #expect(try await user.browser.element("main").text.contains(ada.email))
            #expect(try await !user.isVerified(ada))

            try await user.press()
            try await user.browser.arrive(at: goal)
            #expect(try await user.isVerified(ada))
            #expect(try await !user.api.isAlive(mail.code))
        }

        @Test(arguments: [true, false]) func `resets a password`(hasScripts: Bool) async throws {
            let user = try environment.user(hasScripts: hasScripts)
            let goal = await environment.landing.address("/reset?by=\(hasScripts)")
            let ada = try await user.forgetful(goingOnTo: goal)
            try await user.follow("resetPassword", to: ada.email)
            try await user.browser.element("#password").type("brand new horse 8")
            try await user.pressAndGoOn(to: goal)
            #expect(try await user.api.canSignIn(ada.email, "brand new horse 8"))
            #expect(try await !user.api.canSignIn(ada.email, "forgotten horse 7"))
        }

        @Test(arguments: [true, false]) func `changes an address`(hasScripts: Bool) async throws {
            let user = try environment.user(hasScripts: hasScripts)
            let goal = await environment.landing.address("/changed?by=\(hasScripts)")
            let (ada, newEmail) = try await changing(user, goingOnTo: goal)
            try await user.follow("verifyAndChangeEmail", to: newEmail)
            let page = try await user.browser.element("main").text
            #expect(page.contains(ada.email) && page.contains(newEmail))
            try await user.press()
            try await user.browser.arrive(at: goal)
            #expect(try await user.api.account(ada.id)["email"].text == newEmail)
        }

        /// C16: the old address is told, takes the change back, and chooses a new password in the
        /// same visit.
        @Test(arguments: [true, false]) func `restores an address`(hasScripts: Bool) async throws {
            let user = try environment.user(hasScripts: hasScripts)
            let (ada, newEmail) = try await changing(user, goingOnTo: environment.landing.address("/"))
            let change = try await user.api.mail("verifyAndChangeEmail", to: newEmail)
            try await user.api.get("update", ["oobCode": .text(change.code)])
            #expect(try await user.api.account(ada.id)["email"].text == newEmail)

            let mail = try await user.follow("recoverEmail", to: ada.email)
            try await user.press()
            try await isDone(user, mail, LanguageFile.title("done", "recoverEmail"))
            #expect(try await user.api.account(ada.id)["email"].text == ada.email)

            try await user.press()
            try await user.browser.element("#password").type("brand new horse 8")
            try await user.press()
            _ = try await user.browser.arrive { $0.contains("/__/auth/done") }
            #expect(try await user.api.canSignIn(ada.email, "brand new horse 8"))
        }

        /// A4: the mailbox's owner did not make the account.
        @Test(arguments: [true, false]) func `ends an account that somebody else made`(hasScripts: Bool) async throws {
            let user = try environment.user(hasScripts: hasScripts)
            let ada = try await user.forgetful(goingOnTo: await environment.landing.address("/"))
            try await user.ask("VERIFY_EMAIL", ada)
            try await user.follow("verifyEmail", to: ada.email)
            try await user.browser.element(".offer button").click()
            try await user.browser.soon("the page of the choice") {
                try await user.heading == LanguageFile.title("choices", "notMine") ? () : nil
            }
            #expect(try await user.api.canSignIn(ada.email, "forgotten horse 7"))
            try await user.press()
            _ = try await user.browser.arrive { $0.contains("/__/auth/done") }
            #expect(try await user.heading == "Your address is yours again")
            #expect(try await !user.api.canSignIn(ada.email, "forgotten horse 7"))
        }

        /// The mail of the sample accounts, found on the inbox page.
        @Test(arguments: [true, false]) func `removes a second factor`(hasScripts: Bool) async throws {
            let (user, edsger) = (try environment.user(hasScripts: hasScripts), "edsger@example.com")
            let mail = try await user.api.mail("revertSecondFactorAddition", to: edsger)
            try await user.browser.open(user.server.origin + "/inbox")
            // Other tests enrol factors, too.
            for row in try await user.browser.elements(".inbox a") {
                let text = try await row.text
                guard text.contains("Revert second factor addition"), text.contains(edsger) else { continue }
                try await row.click()
                break
            }
            try await user.browser.element("main a.button").click()
            try await user.press()
            try await isDone(user, mail, LanguageFile.title("done", "revertSecondFactorAddition"))
            let accounts = try await user.api.get("lookup", ["email": [.text(edsger)]], asAdmin: true)["users"].list
            #expect(accounts.count == 1 && accounts[0]["mfaInfo"] == .null)
        }

        /// The page never spends a sign-in code: it hands it on to the app, here over an app link
        /// that no app catches.
        @Test(arguments: [true, false]) func `continues a sign-in to the app without spending the code`(hasScripts: Bool) async throws {
            let user = try environment.user(hasScripts: hasScripts)
            let email = "barbara-\(hasScripts)@example.com"
            let goal = await environment.landing.address("/finish?state=7")
            try await user.api.get(
                "sendOobCode",
                [
                    "requestType": "EMAIL_SIGNIN", "email": .text(email), "continueUrl": .text(goal), "canHandleCodeInApp": true,
                    "iOSBundleId": "com.example.app",
                ])
            let mail = try await user.follow("signIn", to: email)
            #expect(mail.link?.hasPrefix("http://127.0.0.1:\(user.server.port)/") == true)
            #expect(try await user.heading == LanguageFile.title("confirm", "signIn"))
            try await user.press()
            let address = try await user.browser.arrive { $0.hasPrefix(goal) }
            for part in ["mode=signIn", "oobCode=\(try mail.code)", "apiKey=demo-api-key", "lang=en"] { #expect(address.contains(part)) }
            #expect(try await user.api.isAlive(mail.code))
            try await user.api.get("signInWithEmailLink", ["email": .text(email), "oobCode": .text(mail.code)])
        }

        private func changing(_ user: BrowserUser, goingOnTo goal: String) async throws -> (API.Account, newEmail: String) {
            let account = try await user.api.signUpVerified()
            let newEmail = "new-" + account.email
            try await user.ask("VERIFY_AND_CHANGE_EMAIL", account, ["newEmail": .text(newEmail), "continueUrl": .text(goal)])
            return (account, newEmail)
        }

        /// P12: the page that follows does not contain the code.
        private func isDone(_ user: BrowserUser, _ mail: API.Mail, _ heading: String) async throws {
            let address = try await user.browser.arrive { $0.contains("/__/auth/done") }
            #expect(try await user.heading == heading)
            let code = try mail.code
            #expect(!address.contains(code))
            #expect(try await !user.browser.source.contains(code))
            #expect(try await !user.api.isAlive(code))
        }
    }
}
