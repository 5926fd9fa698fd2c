import Testing

extension `Onward from end to end`.`In the browser` {
    /// Onward's pages before accounts and codes that are another's, each action by a browser.
    @Suite struct `In front of an upstream` {
        let stage: Stage

        init() throws { stage = try Stage.set() }

        /// - Parameter body: told of a person whose API is the upstream's, and of the door before it.
        private func atTheDoor(_ body: (Stage.Person, FrontDoor, _ goal: String) async throws -> Void) async throws {
            let (inside, outside) = (try Folder(), try Folder())
            let upstream = try await Onward(in: inside)
            let door = try await FrontDoor(in: outside, upstream: upstream)
            let browser = try stage.person(hasScripts: true).browser
            do {
                try await body(
                    Stage.Person(onward: upstream, browser: browser, hasScripts: true), door, stage.landing.address("/behind?the=door"))
            } catch {
                print(inside.log)
                await door.kill()
                await upstream.kill()
                throw error
            }
            await door.kill()
            await upstream.kill()
        }

        /// Opens the link of a mail at the door, presses, and arrives.
        private func pass(
            _ mode: String, to email: String, _ person: Stage.Person, _ door: FrontDoor, goal: String, typing password: String? = nil
        ) async throws {
            let code = try await person.api.mail(mode, to: email).code
            try await person.browser.open(door.link(mode, code, goingOnTo: goal))
            #expect(try await person.heading == Words.title("confirm", mode))
            #expect(try await person.api.isAlive(code))
            if let password { try await person.browser.element("#password").type(password) }
            try await person.press()
            if ["recoverEmail", "revertSecondFactorAddition"].contains(mode) {
                _ = try await person.browser.arrive { $0.hasPrefix(door.origin + "/__/auth/done") }
                #expect(try await person.heading == Words.title("done", mode))
            } else {
                try await person.browser.arrive(at: goal)
            }
            #expect(try await !person.api.isAlive(code))
            try await person.browser.open(door.link(mode, code, goingOnTo: goal))
            #expect(try await person.heading == "Already done")
        }

        @Test func `an address is verified`() async throws {
            try await atTheDoor { person, door, goal in
                let ada = try await person.unverified(goingOnTo: goal)
                try await pass("verifyEmail", to: ada.email, person, door, goal: goal)
                #expect(try await person.isVerified(ada))
            }
        }

        @Test func `a password is reset`() async throws {
            try await atTheDoor { person, door, goal in
                let ada = try await person.forgetful(goingOnTo: goal)
                try await pass("resetPassword", to: ada.email, person, door, goal: goal, typing: "brand new horse 8")
                #expect(try await person.api.canSignIn(ada.email, "brand new horse 8"))
            }
        }

        @Test func `an address is changed, and the change taken back`() async throws {
            try await atTheDoor { person, door, goal in
                let ada = try await person.api.signUp()
                let newEmail = "new-" + ada.email
                try await person.ask("VERIFY_AND_CHANGE_EMAIL", ada, ["newEmail": .text(newEmail), "continueUrl": .text(goal)])
                try await pass("verifyAndChangeEmail", to: newEmail, person, door, goal: goal)
                #expect(try await person.api.account(ada.id)["email"].text == newEmail)
                try await pass("recoverEmail", to: ada.email, person, door, goal: goal)
                #expect(try await person.api.account(ada.id)["email"].text == ada.email)
            }
        }

        @Test func `a second step is removed`() async throws {
            try await atTheDoor { person, door, goal in
                try await pass("revertSecondFactorAddition", to: "edsger@example.com", person, door, goal: goal)
            }
        }

        @Test func `a sign-in is handed on to the app`() async throws {
            try await atTheDoor { person, door, goal in
                let email = "barbara@example.com"
                try await person.api.get(
                    "sendOobCode",
                    ["requestType": "EMAIL_SIGNIN", "email": .text(email), "continueUrl": .text(goal), "canHandleCodeInApp": true])
                let code = try await person.api.mail("signIn", to: email).code
                try await person.browser.open(door.link("signIn", code, goingOnTo: goal))
                try await person.press()
                let address = try await person.browser.arrive { $0.hasPrefix(goal) }
                #expect(address.contains("oobCode=\(code)"))
                #expect(try await person.api.isAlive(code))
            }
        }
    }
}
