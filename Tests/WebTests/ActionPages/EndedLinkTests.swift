import Accounts
import Base
import HTTPTypes
import Testing
import World

/// Links whose account has changed since they were mailed.
@Suite struct `An older link` {
    private let typed = [("newPassword", "a quiet long phrase")]

    /// P17, C12: the reset has withdrawn the link, and has confirmed the address itself.
    @Test func `of an address that a password reset confirmed says that it is confirmed`() async throws {
        let visitor = try await Visitor()
        let older = try await visitor.world.issue(.verifyEmail)
        let reset = try #require(try await visitor.world.send(.resetPassword))
        #expect(try await visitor.press(await visitor.open(reset, .resetPassword), typing: typed).status == 303)
        let page = await visitor.open(older, .verifyEmail)
        #expect(page.status == 200 && page.title == "Your address is already confirmed")
        #expect(Form(page.text) == nil && !page.text.contains("Send a new one"))
        visitor.world.clock.advance(by: .days(4))
        #expect(await visitor.open(older, .verifyEmail).title == "Your address is already confirmed")
    }

    @Test func `of an address that is not confirmed is renewed as before`() async throws {
        let visitor = try await Visitor()
        let older = try await visitor.world.issue(.verifyEmail)
        visitor.world.clock.advance(by: .days(4))
        let page = await visitor.open(older, .verifyEmail)
        #expect(page.status == 410 && page.text.contains("Send a new one") && page.text.contains("1 day ago, on"))
    }

    /// The newer mail may never arrive.
    @Test func `that was superseded leads back to the app`() async throws {
        let visitor = try await Visitor()
        var settings = ActionCodeSettings()
        settings.url = "https://app.example/welcome"
        let older = try await visitor.world.issue(.verifyEmail, settings: settings)
        visitor.world.clock.advance(by: .days(2))
        _ = try #require(try await visitor.world.send(.verifyEmail))
        visitor.world.clock.advance(by: .days(2))
        let page = await visitor.open(older, .verifyEmail)
        #expect(page.title == "A newer link was sent" && page.links.contains("https://app.example/welcome"))
    }

    /// It is in no inbox.
    @Test func `is not followed by one that an admin's program got`() async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.resetPassword)
        visitor.world.clock.advance(by: .minutes(5))
        var request = CodeRequest(.resetPassword, for: .address(.ada), with: ApprovedSettings(in: visitor.world.project))
        request.mails = false
        _ = try #require(try await visitor.world.accounts.send(request))
        #expect(!(await visitor.open(code, .resetPassword)).text.contains("A newer link was sent"))
        _ = try await visitor.world.send(.resetPassword)
        #expect(await visitor.open(code, .resetPassword).text.contains("A newer link was sent"))
    }

    /// The app spends the code, and only it knows whether the user is signed in.
    @Test func `that signed a user in is renewed, and its code is not handed on again`() async throws {
        let visitor = try await Visitor()
        var settings = ActionCodeSettings()
        settings.url = "https://app.example/welcome"
        let code = try await visitor.world.issue(.signIn, settings: settings)
        _ = try await visitor.world.accounts.signIn(try await visitor.world.inspect(code).pending(), as: .ada)
        let page = await visitor.open(code, .signIn)
        #expect(page.status == 410 && page.title == "This link does not work any more")
        #expect(!page.text.contains("nothing more to do") && !page.links.contains { $0.contains(code.text) })
        // The page of the live code has no address either.
        #expect(!page.text.contains("@app.example"))
        let before = try await visitor.world.mails().count
        let sent = await visitor.ask(.get, try #require(try await visitor.press(page).location))
        #expect(sent.title == "Check your inbox")
        #expect(try await visitor.world.mails().count == before + 1)
    }

    /// P17: a mail to a disabled account is not sent, so it is not offered.
    @Test(arguments: [Action.resetPassword, .verifyEmail, .verifyAndChangeEmail, .recoverEmail])
    func `of a disabled account offers nothing that will not come`(_ action: Action) async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(action)
        let before = try await visitor.world.mails().count
        try await visitor.world.disableAccount()
        for wait in [Duration.zero, .days(40)] {
            visitor.world.clock.advance(by: wait)
            let page = await visitor.open(code, action)
            #expect(page.status == 410 && page.title == "This account is closed")
            #expect(Form(page.text) == nil && !page.text.contains("Send a new one") && !page.text.contains("app.example"))
        }
        #expect(try await visitor.world.mails().count == before)
    }

    /// P17: no mail goes to an address that the account has left, and the page does not say which
    /// one it has.
    @Test(arguments: [Action.resetPassword, .verifyEmail])
    func `an ended link does not offer a mail to an address that the account has left`(_ action: Action) async throws {
        let visitor = try await Visitor()
        let world = visitor.world
        let code = try await world.issue(action)
        world.clock.advance(by: .days(10))
        let earlier = await visitor.open(code, action)
        #expect(earlier.text.contains("Send a new one"))
        var change = AccountChange()
        change.email = EmailAddress("moved@app.example")
        _ = try await world.change(change, byAdmin: true)
        let before = try await world.mails().count
        let pressed = try await visitor.press(earlier)
        #expect(pressed.status == 410 && pressed.title == "This link no longer applies")
        for wait in [Duration.zero, .days(40)] {
            world.clock.advance(by: wait)
            let page = await visitor.open(code, action)
            #expect(page.status == 410 && page.title == "This link no longer applies")
            #expect(page.text.contains("account no longer has this address.") && !page.text.contains("moved@"))
            #expect(!page.text.contains("Send a new one"))
        }
        #expect(try await world.mails().count == before)
    }

    /// P17, V6: without the code, a link tells nothing about the account.
    @Test func `tells nothing to a visitor who does not have its code`() async throws {
        let visitor = try await Visitor()
        _ = try await visitor.world.issue(.verifyEmail)
        let guess = OobCode { [UInt8](repeating: 3, count: $0) }
        let before = await visitor.open(guess, .verifyEmail)
        try await visitor.world.disableAccount()
        let after = await visitor.open(guess, .verifyEmail)
        #expect(before.title == after.title && before.status == after.status && after.title == "We do not know this link")
    }
}

@Suite struct `What a replica may answer` {
    /// N12: a press, and what is said after it, has to be the latest.
    @Test(arguments: [Action.verifyEmail, .resetPassword]) func `is the page of a link, and nothing that follows it`(_ action: Action)
        async throws
    {
        let counted = Counted()
        let visitor = try await Visitor(World(counted: counted))
        let code = try await visitor.world.issue(action)
        _ = counted.reset()
        let page = await visitor.open(code, action)
        var work = counted.reset()
        #expect(page.status == 200 && work.previews == 1 && work.reads == 0 && work.transactions == 0)
        let typed = action == .resetPassword ? [("newPassword", "a quiet long phrase")] : []
        let reply = try await visitor.press(page, typing: typed)
        #expect(reply.status == 303)
        _ = await visitor.ask(.get, try #require(reply.location))
        work = counted.reset()
        #expect(work.previews == 0 && work.reads > 0 && work.transactions > 0)
    }
}

extension World {
    /// Disables the only account, as an admin does.
    fileprivate func disableAccount() async throws {
        var change = AccountChange()
        change.disabled = true
        _ = try await self.change(change, byAdmin: true)
    }
}
