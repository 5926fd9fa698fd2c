import Foundation
import HTTPTypes
import Testing
import World

extension `Onward from end to end`.`In the browser` {
    /// Onward's pages for accounts and codes of an upstream, each action in a browser.
    @Suite struct `In front of an upstream` {
        let environment: BrowserEnvironment

        init() throws { environment = try BrowserEnvironment.current() }

        /// - Parameter body: told of a user whose API is the upstream's, and of the door before it.
        private func atTheDoor(_ body: (BrowserUser, FrontDoor, _ goal: String) async throws -> Void) async throws {
            let (inside, outside) = (try TemporaryFolder(), try TemporaryFolder())
            let upstream = try await DevServer(in: inside)
            let door = try await FrontDoor(in: outside, upstream: upstream)
            let browser = try environment.user(hasScripts: true).browser
            do {
                try await body(
                    BrowserUser(server: upstream, browser: browser, hasScripts: true), door, environment.landing.address("/behind?the=door")
                )
            } catch {
                print(inside.log)
                await door.kill()
                await upstream.kill()
                throw error
            }
            await door.kill()
            await upstream.kill()
        }

        /// Opens the link of a mail at the front door, submits its page, and waits for the continue
        /// URL.
        private func pass(
            _ mode: String, to email: String, _ user: BrowserUser, _ door: FrontDoor, goal: String, typing password: String? = nil
        ) async throws {
            let code = try await user.api.mail(mode, to: email).code
            try await user.browser.open(door.link(mode, code, goingOnTo: goal))
            #expect(try await user.heading == LanguageFile.title("confirm", mode))
            #expect(try await user.api.isAlive(code))
            if let password {
                try await user.keepPicture(named: "front-door-reset")
                try await user.browser.element("#password").type(password)
            }
            try await user.press()
            if ["recoverEmail", "revertSecondFactorAddition"].contains(mode) {
                _ = try await user.browser.arrive { $0.hasPrefix(door.origin + "/__/auth/done") }
                #expect(try await user.heading == LanguageFile.title("done", mode))
            } else if password != nil {
                try await user.goOn(to: goal)
            } else {
                try await user.browser.arrive(at: goal)
            }
            #expect(try await !user.api.isAlive(code))
            try await user.browser.open(door.link(mode, code, goingOnTo: goal))
            #expect(try await user.heading == LanguageFile.title("done", mode))
        }

        /// Y12: the SDK needs a frame and a window of `authDomain` that talk to the app.
        @Test func `the app's SDK finds Firebase's helper pages`() async throws {
            let (inside, outside) = (try TemporaryFolder(), try TemporaryFolder())
            let upstream = try await DevServer(in: inside)
            let landing = environment.landing
            let policy = HTTPField(name: HTTPField.Name("Content-Security-Policy")!, value: "script-src 'nonce-7'")
            for (path, other) in [("/__/auth/iframe", "parent"), ("/__/auth/handler", "opener")] {
                let page = "<!doctype html><script nonce=7>\(other).postMessage(location.origin + location.pathname, '*')</script>"
                await landing.serve(page, at: path, headers: HTTPFields([policy]))
            }
            let door = try await FrontDoor(in: outside, upstream: upstream, helpers: landing.address("", host: "127.0.0.1"))
            let browser = try environment.user(hasScripts: true).browser
            await landing.serve(
                """
                <!doctype html><title>App</title><h1>App</h1><script>
                const heard = [];
                addEventListener("message", (event) => heard.push(event.data));
                addEventListener("click", () => window.open("\(door.origin)/__/auth/handler?apiKey=x"));
                </script>
                <iframe src="\(door.origin)/__/auth/iframe?apiKey=x"></iframe>
                <iframe src="\(door.link("verifyEmail", "x", goingOnTo: ""))"></iframe>
                """, at: "/app")
            try await browser.open(landing.address("/app", host: "127.0.0.1"))
            try await browser.soon("the frame") {
                try await browser.run("return heard").texts == [door.origin + "/__/auth/iframe"] ? () : nil
            }
            let (own, before) = (try await browser.tab, Set(try await browser.tabs))
            try await browser.element("h1").click()
            try await browser.soon("the window") {
                try await browser.run("return heard").texts.last == door.origin + "/__/auth/handler" ? () : nil
            }
            // Only Firebase's pages may be framed.
            #expect(try await browser.complaints().filter { $0.contains("frame-ancestors 'none'") }.count == 1)
            for window in Set(try await browser.tabs).subtracting(before) {
                try await browser.change(to: window)
                try await browser.closeTab()
            }
            try await browser.change(to: own)
            await door.kill()
            await upstream.kill()
        }

        @Test func `an address is verified`() async throws {
            try await atTheDoor { user, door, goal in
                let ada = try await user.unverified(goingOnTo: goal)
                try await pass("verifyEmail", to: ada.email, user, door, goal: goal)
                #expect(try await user.isVerified(ada))
            }
        }

        @Test func `a password is reset`() async throws {
            try await atTheDoor { user, door, goal in
                let ada = try await user.forgetful(goingOnTo: goal)
                try await pass("resetPassword", to: ada.email, user, door, goal: goal, typing: "brand new horse 8")
                #expect(try await user.api.canSignIn(ada.email, "brand new horse 8"))
            }
        }

        @Test func `an address is changed, and the change taken back`() async throws {
            try await atTheDoor { user, door, goal in
                let ada = try await user.api.signUpVerified()
                let newEmail = "new-" + ada.email
                try await user.ask("VERIFY_AND_CHANGE_EMAIL", ada, ["newEmail": .text(newEmail), "continueUrl": .text(goal)])
                try await pass("verifyAndChangeEmail", to: newEmail, user, door, goal: goal)
                #expect(try await user.api.account(ada.id)["email"].text == newEmail)
                try await pass("recoverEmail", to: ada.email, user, door, goal: goal)
                #expect(try await user.api.account(ada.id)["email"].text == ada.email)
            }
        }

        /// Y2: a refusal at the press is what the page says, even at a second press.
        @Test func `a change to an address that was taken meanwhile is refused`() async throws {
            try await atTheDoor { user, door, goal in
                let ada = try await user.api.signUp()
                let newEmail = "new-" + ada.email
                try await user.ask("VERIFY_AND_CHANGE_EMAIL", ada, ["newEmail": .text(newEmail), "continueUrl": .text(goal)])
                let code = try await user.api.mail("verifyAndChangeEmail", to: newEmail).code
                try await user.browser.open(door.link("verifyAndChangeEmail", code, goingOnTo: goal))
                try await user.api.get("signUp", ["email": .text(newEmail), "password": "brand new horse 8"])
                try await user.press()
                // Until the next page is there, the heading is that of the last one.
                let title = try LanguageFile.title("error", "addressTaken")
                try await eventually("the refusal") { try await user.heading == title }
                try await user.keepPicture(named: "front-door-refused")
            }
        }

        /// Y1: a link whose code the upstream does not know does not work any more.
        @Test func `a link that was used at the upstream leads back to the app`() async throws {
            try await atTheDoor { user, door, goal in
                let ada = try await user.unverified(goingOnTo: goal)
                let code = try await user.api.mail("verifyEmail", to: ada.email).code
                try await user.api.get("update", ["oobCode": .text(code)])
                try await user.browser.open(door.link("verifyEmail", code, goingOnTo: goal))
                #expect(try await user.heading == LanguageFile.title("error", "unknown"))
                try await user.keepPicture(named: "front-door-spent")
            }
        }

        @Test func `a second factor is removed`() async throws {
            try await atTheDoor { user, door, goal in
                try await pass("revertSecondFactorAddition", to: "edsger@example.com", user, door, goal: goal)
            }
        }

        @Test func `a sign-in is handed on to the app`() async throws {
            try await atTheDoor { user, door, goal in
                let email = "barbara@example.com"
                try await user.api.get(
                    "sendOobCode",
                    ["requestType": "EMAIL_SIGNIN", "email": .text(email), "continueUrl": .text(goal), "canHandleCodeInApp": true])
                let code = try await user.api.mail("signIn", to: email).code
                try await user.browser.open(door.link("signIn", code, goingOnTo: goal))
                try await user.keepPicture(named: "front-door-sign-in")
                try await user.press()
                let address = try await user.browser.arrive { $0.hasPrefix(goal) }
                #expect(address.contains("oobCode=\(code)"))
                #expect(try await user.api.isAlive(code))
            }
        }
    }
}

extension BrowserUser {
    /// Keeps a picture of the page in the folder that `PICTURES` names, for reviews.
    fileprivate func keepPicture(named name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["PICTURES"] else { return }
        try await browser.element("body").picture.write(to: URL(filePath: "\(folder)/\(name).png"))
    }
}
