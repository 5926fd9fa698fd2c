import Foundation
import Testing

extension `Onward from end to end`.`In the browser` {
    /// The requests of Firebase's JavaScript SDK for accounts with several ways to sign in, from a
    /// page of another origin.
    @Suite struct `A web app with providers and second factors` {
        let user: BrowserUser
        let page: ClientPage
        private let email = "several-\(UUID().uuidString.prefix(8).lowercased())@example.com"
        private let password = "correct horse 7"
        /// A provider with its user's id.
        private let google = "google.com/\(UUID().uuidString)"

        init() async throws {
            let environment = try BrowserEnvironment.current()
            user = try environment.user(hasScripts: true)
            page = try await ClientPage(for: user, on: environment)
        }

        /// I10: a provider is linked to one account, which it signs in to until it is unlinked.
        @Test func `links a provider, and unlinks it`() async throws {
            let uid = try await page.press("signUp", email: email, password: password)["user"]["uid"]
            let linked = try await page.press("linkProvider", email: "g-" + email, name: google)["user"]
            #expect(linked["uid"] == uid && Set(linked["providers"].texts) == ["password", "google.com"])
            try await page.press("signOut")
            let back = try await page.press("signInWithProvider")
            #expect(back["user"]["uid"] == uid && back["isNewUser"] == false)

            try await page.press("signUp", email: "second-" + email)
            try await page.expectRefusal("credential-already-in-use", of: "linkProvider", email: "g-" + email)
            try await page.press("signIn", email: email)
            #expect(try await page.press("unlink", name: "google.com")["user"]["providers"].texts == ["password"])
            #expect(try await page.press("reload")["user"]["providers"].texts == ["password"])
            let other = try await page.press("signInWithProvider", email: "g-" + email, name: google)
            #expect(other["isNewUser"] == true && other["user"]["uid"] != uid)
        }

        @Test func `makes an anonymous account a lasting one by a provider`() async throws {
            let anonymous = try await page.press("signInAnonymously")["user"]
            let lasting = try await page.press("linkProvider", email: email, name: google)["user"]
            #expect(lasting["uid"] == anonymous["uid"] && lasting["isAnonymous"] == false)
            #expect(lasting["email"].text == email && lasting["emailVerified"] == true)
        }

        /// I9: the maker of an account in advance keeps nothing.
        @Test func `gives an address that was registered in advance to its owner`() async throws {
            let squatter = try await page.press("signUp", email: email, password: password)["user"]
            let owner = try await page.press("signInWithProvider", name: google)["user"]
            #expect(owner["uid"] == squatter["uid"] && owner["providers"].texts == ["google.com"])
            try await page.expectRefusal("wrong-password", of: "signIn")
        }

        /// F6: an app's code is asked for after each first factor, until the mailed link undoes the
        /// enrolment.
        @Test func `enrols an authenticator app, signs in with it, and loses it by the link in the mail`() async throws {
            let uid = try await verifiedUser()
            try await page.press("linkProvider", email: "g-" + email, name: google)
            let enrolled = try await page.press("enrollTOTP", name: "My phone")
            #expect(enrolled["user"]["factors"].texts == ["My phone"])
            let recoveryCode = try #require(enrolled["recoveryCodes"].texts.first)
            try await page.press("refresh")

            try await page.press("signOut")
            try await page.expectRefusal("multi-factor-auth-required", of: "signIn", email: email, password: password)
            try await page.expectRefusal("invalid-verification-code", of: "resolveTyped", name: "12345")
            #expect(try await page.press("resolveTOTP")["user"]["uid"] == uid)
            try await page.press("signOut")
            try await page.expectRefusal("multi-factor-auth-required", of: "signInWithProvider", email: "g-" + email, name: google)
            #expect(try await page.press("resolveTyped", name: recoveryCode)["user"]["uid"] == uid)
            try await page.expectRefusal("multi-factor-auth-required", of: "signIn", email: email)
            try await page.expectRefusal("invalid-verification-code", of: "resolveTyped", name: recoveryCode)

            try await user.follow("revertSecondFactorAddition", to: email)
            try await user.press()
            _ = try await user.browser.arrive { $0.contains("/__/auth/done") }
            try await page.open()
            let free = try await page.press("signIn", email: email, password: password)["user"]
            #expect(free["uid"] == uid && free["factors"].texts == [])
        }

        /// F6: withdrawing a factor needs a recent sign-in, and ends the other sessions.
        @Test func `withdraws an authenticator app`() async throws {
            try await verifiedUser()
            try await page.press("enrollTOTP", name: "My phone")
            #expect(try await page.press("unenroll")["user"]["factors"].texts == [])
            try await page.press("signIn", email: email, password: password)
        }

        /// J1, J4: a number signs in to the account that it is linked to, and to no other.
        @Test func `signs in by phone, and links a number`() async throws {
            let number = Self.newNumber()
            let uid = try await page.press("signUp", email: email, password: password)["user"]["uid"]
            #expect(try await page.press("linkPhone", name: number)["user"]["providers"].texts.contains("phone"))
            try await page.press("signOut")
            let back = try await page.press("signInWithPhone")
            #expect(back["user"]["uid"] == uid && back["isNewUser"] == false)

            let other = try await page.press("signInWithPhone", name: Self.newNumber())
            #expect(other["isNewUser"] == true && other["user"]["uid"] != uid)
            try await page.expectRefusal("credential-already-in-use", of: "linkPhone", name: number)
            try await page.press("signIn", email: email)
            #expect(try await page.press("unlink", name: "phone")["user"]["providers"].texts == ["password"])
        }

        @Test func `makes an anonymous account a lasting one by a phone`() async throws {
            let anonymous = try await page.press("signInAnonymously")["user"]
            #expect(try await page.press("linkPhone", name: Self.newNumber())["user"]["uid"] == anonymous["uid"])
        }

        /// F10: the code of a second factor works once, and wrong ones count like those of an app.
        /// F11: enrolling a phone needs its code, and what enrolling an app needs.
        @Test func `enrols a phone, and signs in with it`() async throws {
            let uid = try await verifiedUser()
            #expect(try await page.press("enrollPhone", name: Self.newNumber())["user"]["factors"].texts == ["My telephone"])
            try await page.press("signOut")
            try await page.expectRefusal("multi-factor-auth-required", of: "signIn", email: email, password: password)
            #expect(try await page.press("resolvePhone")["user"]["uid"] == uid)
        }

        /// U1: after an admin made one account of two, both ways lead to it, and its old sessions
        /// have ended.
        @Test func `finds one account after two were merged`() async throws {
            let number = Self.newNumber()
            let kept = try await page.press("signUp", email: email, password: password)["user"]["uid"]
            let merged = try await page.press("signInWithPhone", name: number)["user"]["uid"]
            try await user.api.merge(merged, into: kept)
            try await page.expectRefusal("user-token-expired", of: "refresh")
            #expect(try await page.press("signInWithPhone")["user"]["uid"] == kept)
            #expect(try await page.press("signIn")["user"]["uid"] == kept)
        }

        private static func newNumber() -> String { "+4917\(Int.random(in: 10_000_000...99_999_999))" }

        /// Signs up a user and verifies the address by the mailed link; returns the user's id.
        @discardableResult private func verifiedUser() async throws -> JSON {
            let uid = try await page.press("signUp", email: email, password: password)["user"]["uid"]
            try await page.press("sendEmailVerification")
            try await user.follow("verifyEmail", to: email)
            try await user.press()
            try await user.browser.arrive(at: page.address)
            return uid
        }
    }
}
