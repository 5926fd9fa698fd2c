import Accounts
import Base
import HTTPTypes
import Testing
import Web
import World

/// The pages that ask whether a person pressed (V10).
@Suite struct `A page that was pressed at once` {
    static let actions: [Action] = [.verifyEmail, .verifyAndChangeEmail, .recoverEmail, .revertSecondFactorAddition]

    private func visit(_ confirmBy: Project.ConfirmBy = .automatic) async throws -> Visitor {
        try await Visitor { $0.confirmBy = confirmBy }
    }

    private func isLive(_ code: OobCode, _ visitor: Visitor) async throws -> Bool {
        if case .live = try await visitor.world.inspect(code) { true } else { false }
    }

    private func number(of code: OobCode, _ visitor: Visitor) -> String { code.confirmationNumber(by: visitor.world.secrets) }

    @Test(arguments: actions) func `asks for the number, and goes on with it`(_ action: Action) async throws {
        let visitor = try await visit()
        let code = try await visitor.world.issue(action)
        let page = await visitor.open(code, action)
        #expect(!page.text.contains(#"name="number""#))
        let asked = try await visitor.press(page)
        #expect(asked.status == 422 && asked.location == nil)
        #expect(asked.text.contains(#"name="number" inputmode="numeric" autocomplete="one-time-code" required"#))
        #expect(!asked.text.contains(number(of: code, visitor)))
        #expect(try await isLive(code, visitor))

        let wrong = number(of: code, visitor) == "0000" ? "1111" : "0000"
        let again = try await visitor.press(asked, typing: [("number", wrong)])
        #expect(again.status == 422 && again.text.contains(#"aria-invalid="true""#))
        #expect(try await isLive(code, visitor))
        #expect(try await visitor.press(again, typing: [("number", number(of: code, visitor))]).status == 303)
        guard case .used = try await visitor.world.inspect(code) else { throw Spent() }
    }

    /// V10: a person reads for two seconds, when the mail has arrived.
    @Test(arguments: Action.allCases) func `does not ask a person`(_ action: Action) async throws {
        let visitor = try await visit()
        // Without a place to sign in, a sign-in link has no button.
        var settings = ActionCodeSettings()
        settings.url = "https://app.example/in"
        let code = try await visitor.world.issue(action, settings: settings)
        visitor.world.clock.advance(by: .seconds(10))
        let page = await visitor.open(code, action)
        visitor.world.clock.advance(by: .seconds(2))
        let typed = action == .resetPassword ? [("newPassword", "a quiet long phrase")] : []
        #expect(try await visitor.press(page, typing: typed).status == 303)
    }

    /// A program that opens the link again finds the question there.
    @Test(arguments: actions) func `asks from the start when it is opened again`(_ action: Action) async throws {
        let visitor = try await visit()
        let code = try await visitor.world.issue(action)
        _ = try await visitor.press(await visitor.open(code, action))
        visitor.world.clock.advance(by: .minutes(10))
        let page = await visitor.open(code, action)
        #expect(page.status == 200 && page.text.contains(#"name="number""#) && !page.text.contains(#"role="alert""#))
        visitor.world.clock.advance(by: .minutes(10))
        #expect(try await visitor.press(page).status == 422)
        #expect(try await visitor.press(page, typing: [("number", number(of: code, visitor))]).status == 303)
    }

    @Test func `shows the number field from the start if the project always asks`() async throws {
        let visitor = try await visit(.number)
        let code = try await visitor.world.issue(.verifyEmail)
        #expect(await visitor.open(code, .verifyEmail).text.contains(#"name="number""#))
        let reset = try #require(try await visitor.world.send(.resetPassword))
        #expect(!(await visitor.open(reset, .resetPassword)).text.contains(#"name="number""#))
    }

    @Test func `offers a new link after five wrong numbers`() async throws {
        let visitor = try await visit()
        let code = try await visitor.world.issue(.verifyEmail)
        let wrong = number(of: code, visitor) == "0000" ? "1111" : "0000"
        let page = await visitor.open(code, .verifyEmail)
        for _ in 1...4 { #expect(try await visitor.press(page, typing: [("number", wrong)]).status == 422) }
        let over = try await visitor.press(page, typing: [("number", wrong)])
        #expect(over.status == 410 && over.text.contains("The wrong number was entered five times"))
        #expect(await visitor.open(code, .verifyEmail).text.contains("The wrong number was entered five times"))
        #expect(try await visitor.press(over).status == 303)
        let next = try #require(try await visitor.world.mailedCode(.verifyEmail))
        #expect(next != code)
        #expect(
            try await visitor.press(await visitor.open(next, .verifyEmail), typing: [("number", number(of: next, visitor))]).status == 303)
    }

    /// A8: an intruder's program cannot end the owner's link, and cannot guess without an end.
    @Test func `lets an undo link wait after five wrong numbers, and longer each time`() async throws {
        let visitor = try await visit()
        let code = try await visitor.world.issue(.recoverEmail)
        let (right, clock) = (number(of: code, visitor), visitor.world.clock)
        let (wrong, made) = (right == "0000" ? "1111" : "0000", clock.now())
        var pauses: [Duration] = []
        for _ in 1...4 {
            let page = await visitor.open(code, .recoverEmail)
            clock.advance(by: .seconds(5))
            for _ in 1...5 { #expect(try await visitor.press(page, typing: [("number", wrong)]).status == 422) }
            let pause = max(.hours(1), clock.now() - made)
            pauses.append(pause)
            clock.advance(by: pause - .seconds(60))
            let early = try await visitor.press(await visitor.open(code, .recoverEmail), typing: [("number", right)])
            #expect(early.status == 429 && early.title == "Too many attempts")
            clock.advance(by: .minutes(1))
        }
        #expect(pauses[2] > pauses[1] && pauses[3] > .hours(4))
        let page = await visitor.open(code, .recoverEmail)
        clock.advance(by: .seconds(5))
        #expect(try await visitor.press(page, typing: [("number", right)]).status == 303)
    }

    /// A program that presses every button leaves the language as it is.
    @Test(arguments: ["en", "de"]) func `asks after a use of the language switch that changed nothing`(chosen: String) async throws {
        let visitor = try await visit()
        let code = try await visitor.world.issue(.verifyEmail)
        visitor.world.clock.advance(by: .minutes(5))
        let first = await visitor.open(code, .verifyEmail)
        #expect(first.text.contains(#"<input type="hidden" name="from" value="en">"#))
        let page = await visitor.open(code, .verifyEmail, extra: "&from=en&lang=\(chosen)")
        visitor.world.clock.advance(by: .minutes(5))
        #expect(try await visitor.press(page).status == (chosen == "en" ? 422 : 303))
    }

    /// A token cannot be changed to be older or to name other traits.
    @Test func `has a token that cannot be changed`() async throws {
        let visitor = try await visit()
        let code = try await visitor.world.issue(.verifyEmail)
        let page = await visitor.open(code, .verifyEmail)
        let token = try #require(Form(page.text)?.fields.first { $0.0 == "token" }?.1)
        var bytes = try #require(Base64URL.decode(token))
        for index in [3, 7, 8, 15] {
            bytes[index] ^= 1
            let forged = Visitor.Reply(response: page.response, text: page.text.replacing(token, with: Base64URL.encode(bytes)))
            #expect(try await visitor.press(forged).status == 403, "byte \(index)")
            bytes[index] ^= 1
        }
    }

    @Test func `says in JSON what it asks`() async throws {
        let visitor = try await visit()
        let code = try await visitor.world.issue(.verifyEmail)
        let json: [HTTPField.Name: String] = [.accept: "application/json"]
        func read(_ reply: Visitor.Reply) throws -> JSON { try JSON(Array(reply.text.utf8)) }
        func press(_ page: Visitor.Reply, _ more: String = "") async throws -> Visitor.Reply {
            let body = "mode=verifyEmail&apiKey=shop-key&oobCode=\(code.text)&token=\(try read(page)["token"]?.string ?? "")\(more)"
            return await visitor.ask(.post, "/__/auth/action", body: body, headers: json)
        }
        let page = await visitor.open(code, .verifyEmail, headers: json)
        #expect(try read(page)["question"] == nil)
        let asked = try await press(page)
        #expect(asked.status == 422)
        #expect(try read(asked)["question"] == "number")
        #expect(try await press(asked, "&number=\(number(of: code, visitor))").status == 200)
    }
}
