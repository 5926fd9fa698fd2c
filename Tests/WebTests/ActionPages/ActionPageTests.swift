import Accounts
import Base
import Foundation
import HTTPTypes
import Store
import Testing
import Web
import World

@Suite struct `An action page` {
    private func issue(_ action: Action, at visitor: Visitor, url: String? = "https://app.example/welcome") async throws -> OobCode {
        var settings = ActionCodeSettings()
        settings.url = url
        return try await visitor.world.issue(action, settings: settings)
    }

    /// The field that the page of this action has.
    private func typed(_ action: Action) -> [(String, String)] {
        action == .resetPassword ? [("newPassword", "a quiet long phrase")] : []
    }

    /// C6: reading a page changes nothing, however often.
    @Test(arguments: Action.allCases)
    func `changes nothing by being read`(_ action: Action) async throws {
        let visitor = try await Visitor()
        let code = try await issue(action, at: visitor)
        for method in [HTTPRequest.Method.get, .head, .get, .options, .put] {
            _ = await visitor.ask(method, visitor.path(code, action), headers: [HTTPField.Name("Purpose")!: "prefetch"])
        }
        let page = await visitor.open(code, action)
        #expect(page.status == 200)
        #expect(page.text.contains("<form"))
        guard case .live = try await visitor.world.inspect(code) else { throw Spent() }
    }

    /// R11: the redirect is a 303, so that no browser repeats the password.
    @Test(arguments: [Action.resetPassword, .verifyEmail, .verifyAndChangeEmail])
    func `applies its code when its button is pressed, and redirects`(_ action: Action) async throws {
        let visitor = try await Visitor()
        let code = try await issue(action, at: visitor)
        let reply = try await visitor.press(await visitor.open(code, action), typing: typed(action))
        #expect(reply.status == 303)
        #expect(reply.location == "https://app.example/welcome")
        guard case .used = try await visitor.world.inspect(code) else { throw Spent() }
    }

    /// P12: the URL no longer contains the code.
    @Test func `says what was undone and offers a password reset`() async throws {
        let visitor = try await Visitor()
        let code = try await issue(.revertSecondFactorAddition, at: visitor)
        let reply = try await visitor.press(await visitor.open(code, .revertSecondFactorAddition))
        let location = try #require(reply.location)
        #expect(location.hasPrefix("/__/auth/done?receipt="))
        #expect(!location.contains(code.text))
        let done = await visitor.ask(.get, location)
        #expect(done.status == 200)
        let sent = try await visitor.press(done)
        #expect(await visitor.ask(.get, try #require(sent.location)).status == 200)
        #expect(try await visitor.world.mails().first?.kind == .action(.resetPassword))
    }

    /// The step is not lost with the page on which it was offered first, such as by a double click.
    @Test(arguments: [Action.recoverEmail, .revertSecondFactorAddition])
    func `offers a password reset again where the link is opened again`(_ action: Action) async throws {
        let visitor = try await Visitor()
        let code = try await issue(action, at: visitor)
        let page = await visitor.open(code, action)
        _ = try await visitor.press(page)
        for again in [try await visitor.press(page), await visitor.open(code, action)] {
            let title = action == .recoverEmail ? "Address restored" : "Second factor removed"
            #expect(again.status == 200 && again.title == title && !again.text.contains("nothing more to do"))
            let sent = try await visitor.press(again)
            #expect(await visitor.ask(.get, try #require(sent.location)).title == "Check your inbox")
        }
        let resets = try await visitor.world.mails().filter { $0.kind == .action(.resetPassword) }
        #expect(resets.map(\.to) == ["ada@app.example", "ada@app.example"])
        for silence in [{ $0.offersResetAfterUndo = false }, { $0.signIn.password = false }] as [(inout Project) -> Void] {
            let silent = try await Visitor(silence)
            let other = try await issue(action, at: silent)
            _ = try await silent.press(await silent.open(other, action))
            #expect(Form(await silent.open(other, action).text) == nil)
        }
    }

    /// An intruder has the address by now, and the mail about the factor undid only that.
    @Test func `offers no password reset to an address that the account has no longer`() async throws {
        let visitor = try await Visitor()
        let code = try await issue(.revertSecondFactorAddition, at: visitor)
        try await visitor.world.moveProved(to: "eve@evil.example")
        let done = try await visitor.press(await visitor.open(code, .revertSecondFactorAddition))
        let page = await visitor.ask(.get, try #require(done.location))
        #expect(page.title == "Second factor removed" && !page.text.contains("/__/auth/reset"))
        #expect(!(await visitor.open(code, .revertSecondFactorAddition)).text.contains("/__/auth/reset"))
    }

    /// The receipt proves it.
    @Test func `says what was done while the store cannot be read`() async throws {
        let counted = Counted()
        let visitor = try await Visitor(
            World(counted: counted) {
                $0.continuePolicy = ContinuePolicies(.page)
                $0.homeURL = try WebURL("https://home.example/start")
            })
        let code = try await issue(.resetPassword, at: visitor)
        let done = try await visitor.press(await visitor.open(code, .resetPassword), typing: typed(.resetPassword))
        counted.fail()
        let page = await visitor.ask(.get, try #require(done.location))
        #expect(page.status == 200 && page.title == "Password saved" && page.links.contains("https://home.example/start"))
    }

    /// The user chose the language on the page.
    @Test func `sends the password reset after an undo in the language of the page`() async throws {
        let visitor = try await Visitor()
        let action = Action.revertSecondFactorAddition
        let code = try await issue(action, at: visitor)
        let location = try #require(try await visitor.press(await visitor.open(code, action, extra: "&lang=en")).location)
        let sent = try await visitor.press(await visitor.ask(.get, location + "&lang=de"))
        #expect(await visitor.ask(.get, try #require(sent.location)).text.contains("<html lang=\"de\""))
        #expect(try await visitor.world.store.mails(limit: 1).first?.language == "de")
    }

    /// A limit is no dead end.
    @Test func `leads back to the page after an undo where the password reset is not sent`() async throws {
        let world = try await World()
        let visitor = try await Visitor(world, limits: Limits(Limit.standards, secrets: world.secrets, uptime: world.clock.uptime))
        let action = Action.revertSecondFactorAddition
        let code = try await issue(action, at: visitor)
        let done = await visitor.ask(.get, try #require(try await visitor.press(await visitor.open(code, action)).location))
        var last = try await visitor.press(done)
        for _ in 0..<200 where last.status == 303 { last = try await visitor.press(done) }
        #expect(last.status == 429 && last.text.contains("/__/auth/done") && last.receipt == done.receipt)
    }

    /// P17: the password that was typed second is not the one that was saved.
    @Test func `says that a password typed after another was not saved`() async throws {
        let visitor = try await Visitor()
        let code = try await issue(.resetPassword, at: visitor)
        let page = await visitor.open(code, .resetPassword)
        _ = try await visitor.press(page, typing: typed(.resetPassword))
        let second = try await visitor.press(page, typing: [("newPassword", "another quiet phrase")])
        #expect(second.title == "Password saved" && second.text.contains("it was not saved"))
        #expect(!(await visitor.open(code, .resetPassword)).text.contains("it was not saved"))
    }

    /// Such as a form's answer in another browser.
    @Test func `tells to open the link again where the page of a form is opened without the form`() async throws {
        let visitor = try await Visitor()
        for path in ["/__/auth/action", "/__/auth/done", "/__/auth/done?receipt=forged"] {
            let page = await visitor.ask(.get, path)
            #expect(page.status == 400 && page.title == "This page needs a link", "\(path)")
            #expect(page.text.contains("You are here because you opened a link.") && page.text.contains("Change language"), "\(path)")
        }
        #expect(await visitor.ask(.get, "/__/auth/action?lang=de&from=en").text.contains("<html lang=\"de\""))
        let resend = await visitor.ask(.get, "/__/auth/resend", headers: [.accept: "text/html"])
        #expect(resend.status == 405 && resend.response.headerFields[.allow] == "POST" && resend.title == "That did not work")
    }

    @Test func `says that it is done where there is no continue URL`() async throws {
        let visitor = try await Visitor()
        let code = try await issue(.verifyEmail, at: visitor, url: nil)
        let reply = try await visitor.press(await visitor.open(code, .verifyEmail))
        let done = await visitor.ask(.get, try #require(reply.location))
        #expect(done.status == 200)
        #expect(!done.text.contains("https://app.example"))
    }

    @Test func `says that it is done before it continues, where the project wants that`() async throws {
        let visitor = try await Visitor { $0.continuePolicy = ContinuePolicies(.page) }
        let code = try await issue(.verifyEmail, at: visitor)
        let reply = try await visitor.press(await visitor.open(code, .verifyEmail))
        let done = await visitor.ask(.get, try #require(reply.location))
        #expect(done.text.contains(#"href="https://app.example/welcome""#))
    }

    /// V10: the number is in the mail alone, whatever became of its code.
    @Test func `shows the confirmation number of its mail in no state`() async throws {
        let visitor = try await Visitor { $0.continuePolicy = ContinuePolicies(.page) }
        let code = try await issue(.verifyEmail, at: visitor)
        let number = code.confirmationNumber(by: visitor.world.secrets)
        func shows(_ page: Visitor.Reply) -> Bool { page.text.contains(">\(number)<") || page.text.contains("Confirmation number") }
        let page = await visitor.open(code, .verifyEmail)
        let done = await visitor.ask(.get, try #require(try await visitor.press(page).location))
        for page in [page, done, await visitor.open(code, .verifyEmail)] { #expect(!shows(page)) }
    }

    @Test func `redirects with a sign-in code without applying it`() async throws {
        let visitor = try await Visitor()
        let code = try await issue(.signIn, at: visitor)
        let page = await visitor.open(code, .signIn)
        #expect(!page.text.contains("ada@app.example"))
        let reply = try await visitor.press(page)
        #expect(reply.location?.hasPrefix("https://app.example/welcome?") == true)
        #expect(reply.location?.contains("oobCode=\(code.text)") == true)
        guard case .live = try await visitor.world.inspect(code) else { throw Spent() }
    }

    @Test func `says beside the field why a password is refused, and does not use up the code`() async throws {
        let visitor = try await Visitor()
        let code = try await issue(.resetPassword, at: visitor)
        let page = await visitor.open(code, .resetPassword)
        for password in ["", "short", "ada@app.example!"] {
            let again = try await visitor.press(page, typing: [("newPassword", password)])
            #expect(again.status == 422)
            #expect(again.text.contains("aria-invalid=\"true\""))
            #expect(password.isEmpty || !again.text.contains("value=\"\(password)\""))
        }
        #expect(try await visitor.press(page, typing: typed(.resetPassword)).status == 303)
    }

    /// Without scripts: the rules are above the field, and after a refusal what is missing is
    /// beside it.
    @Test func `says what an enforced policy requires, before and after`() async throws {
        let visitor = try await Visitor { project in
            project.passwordPolicy.maximumLength = 64
            project.passwordPolicy.requires = Set(CharacterClass.allCases)
            project.passwordPolicy.isEnforced = true
        }
        let code = try await issue(.resetPassword, at: visitor)
        let page = await visitor.open(code, .resetPassword)
        let rules = [
            "At least 8 characters", "At most 64 characters", "A lower-case letter", "An upper-case letter", "A digit",
            "A character such as",
        ]
        for rule in rules { #expect(page.text.components(separatedBy: rule).count == 2, "\(rule)") }
        let again = try await visitor.press(page, typing: [("newPassword", "quiet")])
        #expect(again.status == 422)
        // What this password lacks.
        #expect(rules.map { again.text.components(separatedBy: $0).count - 1 } == [1, 1, 1, 2, 2, 2])
        #expect(again.text.contains("<li>3 more characters</li>"))
        #expect(try await visitor.press(again, typing: [("newPassword", "A quiet phrase, 7 words")]).status == 303)
    }

    @Test func `does not list character classes if the policy is not enforced`() async throws {
        let visitor = try await Visitor { $0.passwordPolicy.requires = [.uppercase] }
        let page = await visitor.open(try await issue(.resetPassword, at: visitor), .resetPassword)
        #expect(page.text.contains("At least 8 characters") && !page.text.contains("upper-case") && !page.text.contains("At most"))
    }

    /// Used, expired and unknown are three pages.
    @Test func `differs for a code that is used, expired, withdrawn, unknown or for another action`() async throws {
        let visitor = try await Visitor()
        let code = try await issue(.verifyEmail, at: visitor)
        let page = await visitor.open(code, .verifyEmail)
        let mismatch = await visitor.open(code, .recoverEmail)
        let sibling = try #require(try await visitor.world.send(.resetPassword))
        let unknown = await visitor.open(OobCode { [UInt8](repeating: 3, count: $0) }, .verifyEmail)
        _ = try await visitor.press(page)
        let used = await visitor.open(code, .verifyEmail)
        let reset = try #require(try await visitor.world.send(.resetPassword))
        _ = try await visitor.press(await visitor.open(reset, .resetPassword), typing: typed(.resetPassword))
        let withdrawn = await visitor.open(sibling, .resetPassword)
        let late = try await Visitor()
        let old = try await issue(.verifyEmail, at: late)
        late.world.clock.advance(by: .days(4))
        let expired = await late.open(old, .verifyEmail)

        #expect([used, withdrawn, expired, unknown, mismatch].map(\.status) == [200, 410, 410, 410, 400])
        let titles = [used, withdrawn, expired, unknown, mismatch].compactMap { $0.text.firstMatch(of: #/<h1[^>]*>([^<]*)/#)?.1 }
        #expect(Set(titles).count == 5)
        #expect(used.text.contains(#"href="https://app.example/welcome""#))
    }

    @Test func `sends a new link in place of an expired one, and responds alike each time`() async throws {
        let visitor = try await Visitor()
        let code = try await issue(.resetPassword, at: visitor)
        visitor.world.clock.advance(by: .hours(2))
        let expired = await visitor.open(code, .resetPassword)
        #expect(expired.text.contains("a•••@app.example"))
        #expect(!expired.text.contains("ada@app.example"))
        let sent = await visitor.ask(.get, try #require(try await visitor.press(expired).location))
        #expect(try await visitor.world.mails().count == 2)
        let fresh = try #require(try await visitor.world.mailedCode(.resetPassword))
        #expect(await visitor.open(fresh, .resetPassword).status == 200)
        let again = await visitor.ask(.get, try #require(try await visitor.press(expired).location))
        #expect(again.text == sent.text.replacing(try #require(sent.receipt), with: again.receipt ?? ""))
        #expect(try await visitor.world.mails().count == 2)
    }

    @Test func `responds in JSON to clients that ask for it`() async throws {
        let visitor = try await Visitor()
        let code = try await issue(.verifyEmail, at: visitor)
        let json: [HTTPField.Name: String] = [.accept: "application/json"]
        let page = await visitor.open(code, .verifyEmail, headers: json)
        let read = try JSON(Array(page.text.utf8))
        #expect(read["mode"] == "verifyEmail")
        #expect(read["email"] == "ada@app.example")
        #expect(read["continueHost"] == "app.example")
        // A client shows what the press accepts.
        #expect(read["waysIn"]?["password"] == .bool(true) && read["waysIn"]?["names"]?.items == [])
        let body = "mode=verifyEmail&apiKey=shop-key&oobCode=\(code.text)&token=\(read["token"]?.string ?? "")"
        let done = await visitor.ask(.post, "/__/auth/action", body: body, headers: json)
        #expect(try JSON(Array(done.text.utf8))["continueUrl"] == "https://app.example/welcome")
        let again = await visitor.ask(.post, "/__/auth/action", body: body, headers: json)
        #expect(again.status == 400)
        #expect(again.text.contains("INVALID_OOB_CODE"))
    }

    /// P8: the language of a page is one of those installed, and sets `lang` and `dir`.
    @Test(arguments: [("ar", "rtl"), ("en", "ltr"), ("../../etc/passwd", "ltr"), ("en%0d%0aX:%20y", "ltr"), ("AR", "rtl")])
    func `is in the language of the link only if it is shipped`(_ tag: String, _ direction: String) async throws {
        let visitor = try await Visitor()
        let code = try await issue(.verifyEmail, at: visitor)
        #expect(await visitor.open(code, .verifyEmail, extra: "&lang=\(tag)").text.contains("dir=\"\(direction)\""))
    }
}

struct Spent: Error {}

extension Visitor.Reply {
    /// The receipt of a page after an action; different each time.
    var receipt: String? { text.firstMatch(of: #/name="receipt" value="([^"]*)"/#).map { String($0.1) } }
}
