import Accounts
import Base
import HTTPTypes
import Store
import Testing
import World

@Suite struct `The page of a choice` {
    private let ada = AccountID(rawValue: "ada")

    /// The page behind the quiet button of a page.
    private func follow(_ page: Visitor.Reply, at visitor: Visitor) async throws -> Visitor.Reply {
        let form = try #require(page.text.firstMatch(of: #/<form class="offer" action="([^"]*)">([\s\S]*?)</form>/#))
        let fields = form.2.matches(of: #/name="([^"]*)" value="([^"]*)"/#).map { "\($0.1)=\(WebURL.percentEncoded(String($0.2)))" }
        return await visitor.ask(.get, form.1 + "?" + fields.joined(separator: "&"))
    }

    /// A5: a user who confirms the address accepts the account as it is.
    @Test func `of a confirmation names the ways in, and offers to end them`() async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        let page = await visitor.open(code, .verifyEmail)
        #expect(page.text.contains("Ways to sign in") && page.text.contains("Password") && page.text.contains("Requested"))
        let choice = try await follow(page, at: visitor)
        #expect(choice.status == 200 && choice.title == "Take your address back")
        #expect(!choice.text.contains("You will continue") && !choice.text.contains("Then close this page"))
        #expect(try await visitor.world.stored(ada)?.emailVerified == false)
        let pressed = try await visitor.press(choice)
        let done = await visitor.ask(.get, try #require(pressed.location))
        #expect(done.status == 200 && done.title == "Your address is yours again")
        let account = try #require(try await visitor.world.stored(ada))
        #expect(account.emailVerified && account.passwordHash == nil)
        #expect(await visitor.open(code, .verifyEmail).title == "Address confirmed")
    }

    /// A5: the account may be another person's, and a press accepts it.
    @Test func `the page of a first address names the account and its age`() async throws {
        let visitor = try await Visitor()
        let world = visitor.world
        let now = world.clock.now()
        let account = try await world.account(nil) { $0.setPhoneNumber(PhoneNumber("+15550100123"), at: now) }
        world.clock.advance(by: .days(40))
        var request = CodeRequest(.verifyAndChangeEmail, for: .account(account), with: ApprovedSettings(in: world.project))
        request.newEmail = EmailAddress("new@app.example")
        let code = try #require(try await world.accounts.send(request)?.code)
        let page = await visitor.open(code, .verifyAndChangeEmail)
        #expect(page.title == "Add your e-mail address")
        for words in ["new@app.example", "+••• ••23", "Account created", "Add this address"] {
            #expect(page.text.contains(words), "\(words)")
        }
        for words in ["Old address", "sign in to Shop again"] { #expect(!page.text.contains(words), "\(words)") }
        let read = try JSON(Array(await visitor.open(code, .verifyAndChangeEmail, headers: [.accept: "application/json"]).text.utf8))
        #expect(read["email"] == nil && read["newEmail"] == "new@app.example")
        #expect(read["accountCreatedAt"]?.string == String(account.createdAt.milliseconds))
        let pressed = try await visitor.press(page)
        let done = await visitor.ask(.get, try #require(pressed.location))
        #expect(done.status == 200 && done.title == "Address added")
        #expect(await visitor.open(code, .verifyAndChangeEmail).title == "Address changed")
    }

    /// A5: an intruder's session may add a way in while the owner reads the page.
    @Test(arguments: [Action.verifyEmail, .verifyAndChangeEmail], [(Project.ConfirmBy.press, false), (.number, false), (.number, true)])
    func `asks again if the ways in have changed since it was shown`(
        _ action: Action, setting: (confirmBy: Project.ConfirmBy, hadUser: Bool)
    ) async throws {
        let visitor = try await Visitor { $0.confirmBy = setting.confirmBy }
        let world = visitor.world
        let code = try await world.issue(action)
        let number = setting.confirmBy == .number ? [("number", code.confirmationNumber(by: world.secrets))] : []
        let (project, now) = (world.project.id, world.clock.now())
        func link(_ id: String) async throws {
            try await world.store.transaction { [ada] (records) throws(ActionError) in
                try records.insert(LinkedProvider(provider: "github.com", rawID: id), of: ada, in: project, at: now)
            }
        }
        if setting.hadUser { try await link("6") }
        let page = await visitor.open(code, action)
        try await link("7")
        let again = try await visitor.press(page, typing: number)
        #expect(again.status == 422 && again.text.contains("GitHub") && again.text.contains("ways to sign in have changed"))
        #expect(again.text.contains(#"name="number""#) == !number.isEmpty)
        guard case .live = try await world.inspect(code) else { throw Spent() }
        let pressed = try await visitor.press(again, typing: number)
        #expect(pressed.status == 303)
        guard case .used = try await world.inspect(code) else { throw Spent() }
    }

    /// A5: a user who confirms an address learns how it was asked for, and can end it instead.
    @Test func `says which device asked for it`() async throws {
        let visitor = try await Visitor()
        let account = try await visitor.world.account("ada@app.example")
        for (userAgent, said) in [("Firefox/142 Android", "Firefox</bdi> on <bdi>Android"), ("Android", "Android"), ("", nil)] {
            let request = CodeRequest(.verifyEmail, for: .account(account), with: ApprovedSettings(in: visitor.world.project))
            let client = Client.peer("192.0.2.1", userAgent: userAgent)
            let code = try #require(try await visitor.world.accounts.send(request, from: client)).code
            let page = await visitor.open(code, .verifyEmail)
            #expect(page.text.contains("Requested with") == (said != nil) && page.text.contains(said ?? ""))
        }
    }

    /// A5: a user who confirms an address learns how it was asked for, and can end it instead.
    @Test func `of an undo ends the link only after a second page`() async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.recoverEmail)
        let page = await visitor.open(code, .recoverEmail)
        // The token of the first page is not one of the second.
        let forged = try await visitor.press(page, typing: [("choice", "itWasMe")])
        #expect(forged.status == 403)
        let choice = try await follow(page, at: visitor)
        #expect(choice.title == "Keep the new address")
        guard case .live = try await visitor.world.inspect(code) else { throw Spent() }
        let done = await visitor.ask(.get, try #require(try await visitor.press(choice).location))
        #expect(done.title == "The new address stays")
        #expect(try await visitor.world.stored(ada)?.email?.value == "intruder@app.example")
        guard case .used = try await visitor.world.inspect(code) else { throw Spent() }
        let again = await visitor.open(code, .recoverEmail)
        #expect(again.title == "Already done" && !again.text.contains("/__/auth/reset"))
    }

    struct Spent: Error {}

    /// V10: a program that presses every button finds this one as well, however slow it is.
    @Test(arguments: [(Action.recoverEmail, "Keep the new address"), (.verifyEmail, "Take your address back")])
    func `always asks for the number`(_ action: Action, _ title: String) async throws {
        let visitor = try await Visitor { $0.confirmBy = .automatic }
        let code = try await visitor.world.issue(action)
        visitor.world.clock.advance(by: .minutes(5))
        let choice = try await follow(await visitor.open(code, action), at: visitor)
        #expect(choice.text.contains(#"name="number""#))
        visitor.world.clock.advance(by: .minutes(5))
        let asked = try await visitor.press(choice)
        #expect(choice.title == title)
        #expect(asked.status == 422 && asked.title == "Enter the number from the e-mail")
        guard case .live = try await visitor.world.inspect(code) else { throw Spent() }
        let number = code.confirmationNumber(by: visitor.world.secrets)
        #expect(try await visitor.press(choice, typing: [("number", number)]).status == 303)
    }

    /// A choice is a page's, and not an API's.
    @Test func `is refused to a client of JSON, and where it is not offered`() async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.recoverEmail)
        let choice = try await follow(await visitor.open(code, .recoverEmail), at: visitor)
        let json = try await visitor.press(choice, headers: [.accept: "application/json", .secFetchSite: "same-origin"])
        #expect(json.status == 403)
        let unknown = await visitor.open(code, .recoverEmail, extra: "&choice=notMine")
        #expect(unknown.status == 200 && unknown.title == "Restore your old address")
        guard case .live = try await visitor.world.inspect(code) else { throw Spent() }
    }

    /// There is no dead end for an owner who has a newer account at the address.
    @Test func `of an undo offers the older account back`() async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.recoverEmail)
        let early = await visitor.open(code, .recoverEmail)
        try await visitor.world.account("ada@app.example", id: "newer") { $0.emailVerified = true }
        // The other account came after the page was shown.
        let again = try await visitor.press(early)
        for page in [again, await visitor.open(code, .recoverEmail)] {
            #expect(page.text.contains(" account, made on "))
        }
        #expect(try await visitor.world.stored(ada)?.email?.value == "intruder@app.example")
        let done = await visitor.ask(.get, try #require(try await visitor.press(again).location))
        #expect(done.title == "Address restored")
        #expect(try await visitor.world.stored(ada)?.email == .ada)
    }

    /// A6: after an undo the user chooses a new password and removes what was set up before.
    @Test func `after an undo leads on to a new password, and removes what stays`() async throws {
        let visitor = try await Visitor()
        let world = visitor.world
        try await world.account("ada@app.example") {
            ($0.emailVerified, $0.passwordHash) = (true, "$scrypt$")
            $0.setPhoneNumber(PhoneNumber("+15005550100"), at: $0.createdAt)
        }
        try await world.enrollApp(for: "ada")
        world.clock.advance(by: .seconds(60))
        try await world.moveProved(to: "eve@evil.example")
        let code = try #require(try await world.mailedCode(.recoverEmail))
        var page = await visitor.ask(.get, try #require(try await visitor.press(await visitor.open(code, .recoverEmail)).location))
        #expect(page.text.contains("Choose a new password") && page.text.contains("+••• ••00") && page.text.contains("App</bdi>"))
        for _ in 1...2 { page = await visitor.ask(.get, try #require(try await visitor.press(page).location)) }
        #expect(!page.text.contains("+••• ••00") && !page.text.contains("App</bdi>"))
        #expect(try await world.stored(ada)?.phoneNumber == nil)
        let next = try #require(page.text.firstMatch(of: #/mode" value="resetPassword">[\s\S]*?name="oobCode" value="([^"]*)"/#))
        let reset = try #require(OobCode(String(next.1)))
        let chosen = await visitor.open(reset, .resetPassword)
        #expect(chosen.title == "Choose a new password")
        #expect(try await visitor.press(chosen, typing: [("newPassword", "a quiet long phrase")]).status == 303)
        #expect(try await world.stored(ada)?.passwordHash != nil)
    }

    /// A2: the newest wish counts, and the page does not say which it is.
    @Test func `says that another address was asked for since, and not which`() async throws {
        let visitor = try await Visitor()
        let world = visitor.world
        let former = try await world.issue(.verifyAndChangeEmail)
        var request = CodeRequest(
            .verifyAndChangeEmail, for: .account(try #require(try await world.stored(ada))), with: ApprovedSettings(in: world.project))
        request.newEmail = EmailAddress("right@app.example")
        _ = try await world.accounts.send(request)
        let page = await visitor.open(former, .verifyAndChangeEmail)
        #expect(page.status == 410 && page.title == "Another address has been asked for since")
        #expect(!page.text.contains("right@") && Form(page.text) == nil)
    }
}
