import Foundation
import Testing

extension `Onward from end to end`.`In the browser` {
    /// Requests as the JavaScript SDK sends them, from a page of another origin, so that the
    /// browser sends a CORS preflight for each.
    @Suite struct `A web app of another origin` {
        let user: BrowserUser
        let page: ClientPage
        private let email = "client-\(UUID().uuidString.prefix(8).lowercased())@example.com"
        private let password = "correct horse 7"

        init() async throws {
            let environment = try BrowserEnvironment.current()
            user = try environment.user(hasScripts: true)
            page = try await ClientPage(for: user, on: environment)
        }

        @Test func `signs up a user, whose address is verified by mail and after a reload`() async throws {
            let line = try await page.press("signUp", email: email, password: password)
            #expect(line["isNewUser"] == true)
            #expect(line["user"]["email"].text == email)
            #expect(line["user"]["emailVerified"] == false)
            #expect(line["user"]["isAnonymous"] == false)
            #expect(line["user"]["providers"].texts == ["password"])
            try await page.press("sendEmailVerification")

            try await user.follow("verifyEmail", to: email)
            try await user.press()
            try await user.browser.arrive(at: page.address)
            #expect(try await page.press("reload")["user"]["emailVerified"] == true)
        }

        @Test func `keeps a profile after signing out and in`() async throws {
            let uid = try await page.press("signUp", email: email, password: password)["user"]["uid"]
            let changed = try await page.press("updateProfile", name: "Ada Lovelace")["user"]
            #expect(changed["displayName"] == "Ada Lovelace")
            #expect(changed["photoUrl"] == .null)
            #expect(try await page.press("signOut")["user"] == .null)
            let back = try await page.press("signIn")["user"]
            #expect(back["uid"] == uid)
            #expect(back["displayName"] == "Ada Lovelace")
        }

        @Test func `lets a forgotten password be replaced`() async throws {
            try await page.press("signUp", email: email, password: password)
            try await page.press("signOut")
            try await page.press("sendPasswordReset")

            try await user.follow("resetPassword", to: email)
            try await user.browser.element("#password").type("brand new horse 8")
            try await user.pressAndGoOn(to: page.address)
            try await page.expectRefusal("wrong-password", of: "signIn", email: email, password: password)
            #expect(try await page.press("signIn", password: "brand new horse 8")["user"]["emailVerified"] == true)
        }

        @Test(arguments: [true, false]) func `signs a user in by a mailed link that leads back to it`(isKnown: Bool) async throws {
            if isKnown { try await page.press("signUp", email: email, password: password) }
            try await page.press("signOut")
            try await page.press("sendSignInLink", email: email)
            try await user.follow("signIn", to: email)
            try await user.press()
            _ = try await user.browser.arrive { [page] in $0.hasPrefix(page.address + "?") }

            let line = try await page.press("finishSignIn")
            #expect(line["isNewUser"].bool == !isKnown)
            #expect(line["user"]["email"].text == email)
            #expect(line["user"]["emailVerified"] == true)
            try await page.expectRefusal("invalid-action-code", of: "finishSignIn")
        }

        /// As in production, a change of address ends all sessions.
        @Test func `changes an address once the new one is proven`() async throws {
            let (uid, newEmail) = (try await page.press("signUp", email: email, password: password)["user"]["uid"], "new-" + email)
            try await page.press("verifyBeforeUpdateEmail", email: newEmail)
            try await user.follow("verifyAndChangeEmail", to: newEmail)
            try await user.press()
            try await user.browser.arrive(at: page.address)
            try await page.expectRefusal("user-token-expired", of: "reload")
            let back = try await page.press("signIn", email: newEmail, password: password)["user"]
            #expect(back["uid"] == uid)
            #expect(back["emailVerified"] == true)
        }

        /// Its session goes on, because the address came together with its proof.
        @Test func `an account without an address gets a proven one and stays signed in`() async throws {
            let uid = try await page.press("signInAnonymously")["user"]["uid"]
            try await page.press("verifyBeforeUpdateEmail", email: email)
            try await user.follow("verifyAndChangeEmail", to: email)
            try await user.press()
            try await user.browser.arrive(at: page.address)
            let line = try await page.press("reload")["user"]
            #expect(line["uid"] == uid && line["email"].text == email && line["emailVerified"] == true)
        }

        /// An app may have its own action page.
        @Test func `applies codes itself`() async throws {
            try await page.press("signUp", email: email, password: password)
            try await page.press("sendEmailVerification")
            let verification = try await user.api.mail("verifyEmail", to: email).code
            let seen = try await page.press("checkActionCode", name: verification)
            #expect(seen["operation"] == "VERIFY_EMAIL")
            #expect(seen["email"].text == email)
            try await page.press("applyActionCode", name: verification)
            #expect(try await page.press("reload")["user"]["emailVerified"] == true)
            try await page.expectRefusal("invalid-action-code", of: "applyActionCode", name: verification)

            try await page.press("verifyBeforeUpdateEmail", email: "new-" + email)
            let change = try await page.press(
                "checkActionCode", name: user.api.mail("verifyAndChangeEmail", to: "new-" + email).code)
            #expect(change["email"].text == "new-" + email)
            #expect(change["previousEmail"].text == email)

            try await page.press("sendPasswordReset", email: email)
            let reset = try await user.api.mail("resetPassword", to: email).code
            try await page.expectRefusal("weak-password", of: "confirmPasswordReset", password: "short", name: reset)
            try await page.press("confirmPasswordReset", password: "brand new horse 8", name: reset)
            try await page.press("signIn")
        }

        @Test func `refreshes its token, again and again`() async throws {
            try await page.press("signUp", email: email, password: password)
            for _ in 1...3 {
                let line = try await page.press("refresh")
                #expect(line["isOfThePerson"] == true)
                #expect(line["lasts"] == 3600)
            }
            #expect(try await page.press("reload")["user"]["email"].text == email)
        }

        @Test func `goes on with the tokens that come with a new password`() async throws {
            try await page.press("signUp", email: email, password: password)
            try await page.press("updatePassword", password: "brand new horse 8")
            try await page.press("refresh")
            try await page.press("signOut")
            try await page.expectRefusal("wrong-password", of: "signIn", password: password)
            try await page.press("signIn", password: "brand new horse 8")
        }

        @Test func `makes an anonymous account a lasting one`() async throws {
            let anonymous = try await page.press("signInAnonymously")["user"]
            #expect(anonymous["isAnonymous"] == true)
            #expect(anonymous["email"] == .null)
            let lasting = try await page.press("linkPassword", email: email, password: password)["user"]
            #expect(lasting["uid"] == anonymous["uid"])
            #expect(lasting["isAnonymous"] == false)
            #expect(lasting["email"].text == email)
            try await page.press("signOut")
            #expect(try await page.press("signIn")["user"]["uid"] == anonymous["uid"])
        }

        @Test func `deletes an account for good`() async throws {
            try await page.press("signUp", email: email, password: password)
            #expect(try await page.press("deleteUser")["user"] == .null)
            try await page.expectRefusal("user-not-found", of: "signIn")
        }

        @Test func `is told that its user was deleted`() async throws {
            let uid = try await page.press("signUp", email: email, password: password)["user"]["uid"]
            try await user.api.get("delete", ["localId": uid], asAdmin: true)
            try await page.expectRefusal("user-token-expired", of: "reload")
        }

        @Test func `takes a custom token, in development as plain JSON`() async throws {
            let line = try await page.press("signInWithCustomToken", name: "custom-" + email)
            #expect(line["isNewUser"] == true)
            #expect(line["premium"] == true)
            #expect(line["user"]["uid"].text == "custom-" + email)
        }

        @Test func `learns the sign-in methods of an address if accounts are not hidden`() async throws {
            #expect(try await page.press("fetchSignInMethods", email: email)["methods"].texts == [])
            try await page.press("signUp", password: password)
            #expect(try await page.press("fetchSignInMethods")["methods"].texts == ["password"])
        }

        @Test func `reads which domains are authorised`() async throws {
            #expect(try await page.press("projectConfig")["domains"].texts.contains("localhost"))
        }

        @Test func `reads the password policy`() async throws {
            let policy = try await page.press("passwordPolicy")
            #expect(policy["minimum"] == 6)
            #expect(["OFF", "ENFORCE"].contains(policy["enforcement"].text))
        }

        @Test func `reads that no captcha is asked for`() async throws {
            #expect(try await page.press("recaptchaConfig")["enforced"].texts == [])
        }

        @Test func `reads the codes that an emulator shows, and empties a project, as apps' own tests do`() async throws {
            try await page.press("signUp", email: email, password: password)
            try await page.press("sendEmailVerification")
            let code = try #require(try await page.press("oobCodes")["codes"].list.last { $0["email"].text == email })
            #expect(code["requestType"] == "VERIFY_EMAIL")
            #expect(code["oobCode"].text == (try await user.api.mail("verifyEmail", to: email).code))
            #expect(code["oobLink"].text?.contains("apiKey=") == true)
            try await page.press("deleteAccounts")
        }

        @Test func `can read refusals`() async throws {
            try await page.press("signUp", email: email, password: password)
            try await page.expectRefusal("email-already-in-use", of: "signUp")
            try await page.expectRefusal("wrong-password", of: "signIn", password: "no horse at all")
            try await page.expectRefusal("invalid-email", of: "signUp", email: "no address")
            try await page.expectRefusal("weak-password", of: "signUp", email: "x" + email, password: "short")
            try await page.expectRefusal("user-not-found", of: "signIn")
        }

        /// The browser hides an answer that is not shared with the page, and the SDK then knows
        /// nothing but that the network failed.
        @Test(arguments: ["lostPath", "brokenBody", "strangeBearer", "missingKey"]) func `can read errors of malformed requests`(
            call: String
        ) async throws {
            try await page.expectReadable(call)
        }

        /// The headers that the SDK sends with JSON, with a refresh, and with a GET.
        @Test(arguments: [
            ("signUp", "accounts:signUp", "content-type,x-client-version,x-firebase-gmpid,x-firebase-locale"),
            ("refresh", "/v1/token", "x-client-version,x-firebase-gmpid"),
            ("projectConfig", "/v1/projects", "content-type,x-client-version,x-firebase-gmpid,x-firebase-locale"),
        ]) func `gets the answer to its CORS preflight before it sends`(call: String, path: String, headers: String) async throws {
            // A browser keeps the answer to a preflight for two hours, perhaps since another test;
            // one without a cache asks each time.
            try await user.browser.devTools("Network.setCacheDisabled", ["cacheDisabled": true])
            if call != "signUp" { try await page.press("signUp", email: "first-" + email, password: password) }
            _ = try await user.browser.requests()
            // The browser reports requests with a delay, and it repeats a preflight if the
            // connection was closed.
            let asked = try await user.browser.soon("a preflight for \(path)") {
                try await page.press(call, email: "\(UUID().uuidString.lowercased())@example.com", password: password)
                try await Task.sleep(for: .milliseconds(500))
                let asked = try await user.browser.requests().filter {
                    $0["method"] == "OPTIONS" && $0["url"].text?.contains(path) == true
                }
                return asked.isEmpty ? nil : Set(asked.map { $0["headers"]["Access-Control-Request-Headers"].text })
            }
            try await user.browser.devTools("Network.setCacheDisabled", ["cacheDisabled": false])
            #expect(asked == [headers])
        }
    }
}
