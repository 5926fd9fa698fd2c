import Accounts
import AppLinks
import Base
import HTTPTypes
import Testing
import Web
import World

/// The sentences of pages in front of an upstream that behaves as Firebase's emulator does.
@Suite struct `The action pages in front of an emulator` {
    private static let appLink = #"href="https://app.example/welcome?a=1""#

    /// Y1: used through the upstream's own page, or superseded, or lost.
    @Test(arguments: Action.allCases)
    func `say of a spent link that it does not work any more, and lead back to the app`(_ action: Action) async throws {
        try await Installations.run(.standIn) { all in
            let page = await all.open(all.link(action, FakeUpstream.code))
            #expect(page.text.contains("This link does not work any more"))
            #expect(page.text.contains("It was used already, or a newer one was sent"))
            #expect(page.text.contains(Self.appLink))
            #expect(!page.text.contains("incomplete"))
        }
    }

    /// Y2: the upstream has deleted the code with its refusal.
    @Test func `show the refusal of a change whose code is gone with it`() async throws {
        try await Installations.run(.standIn) { all in
            let link = try await all.issue(.verifyAndChangeEmail)
            let page = await all.open(link)
            try await all.occupy("new@app.example")
            let refused = try await all.press(page)
            #expect(refused.status == 400 && refused.text.contains("The address is in use"))
            #expect(!refused.text.contains("does not work any more"))
            #expect(all.standIn?.hasCodes == false)
            // Two presses at once, or one more after *back*, and the link once more.
            for later in [try await all.press(page), await all.open(link)] {
                #expect(later.text.contains("The address is in use") && !later.text.contains("It was used already"))
            }
            all.advance(by: .seconds(1800))
            let muchLater = await all.open(link)
            #expect(muchLater.text.contains("This link does not work any more") && !muchLater.text.contains("Already done"))
        }
    }

    /// Y2: both presses saw a live code.
    @Test func `show that refusal to a second press at the same time`() async throws {
        try await Installations.run(.standIn) { all in
            let page = await all.open(try await all.issue(.verifyAndChangeEmail))
            try await all.occupy("new@app.example")
            _ = try await all.press(page)
            let asked = all.requests.count
            let live = #"{"requestType":"VERIFY_AND_CHANGE_EMAIL","email":"ada@app.example","newEmail":"new@app.example"}"#
            all.fail { _ in all.requests.count == asked + 1 ? .instead(200, live) : nil }
            let second = try await all.press(page)
            #expect(all.requests.count == asked + 3)
            #expect(second.status == 400 && second.text.contains("The address is in use"))
        }
    }

    /// The app's own resolver opens it, and Onward's would be of no use.
    @Test func `have no page for Google's resolver`() async throws {
        try await Installations.run(.standIn) { all in
            let page = await all.ask(.get, "/__/auth/handler?apiKey=shop-key&authType=signInViaPopup")
            #expect(page.status == 404 && !page.text.contains("onwardResolver"))
        }
    }

    @Test func `report that refusal in JSON`() async throws {
        try await Installations.run(.standIn) { all in
            let link = try await all.issue(.verifyAndChangeEmail)
            let page = await all.open(link)
            try await all.occupy("new@app.example")
            let refused = try await all.press(page, accepting: "application/json")
            #expect(refused.status == 400 && refused.text.contains(#""message":"EMAIL_EXISTS""#))
        }
    }

    /// Y3: the upstream answered that it did nothing.
    @Test(arguments: [StandIn.Fault.accountDeleted, .usedElsewhere], Action.redeemable)
    func `never say that a refused press worked`(_ fault: StandIn.Fault, _ action: Action) async throws {
        try await Installations.run(.standIn) { all in
            let link = try await all.issue(action)
            let page = await all.open(link)
            all.standIn?.fail(by: fault)
            let refused = try await all.press(page, typing: action == .resetPassword ? [("newPassword", "a quiet long phrase")] : [])
            #expect(refused.text.contains("This link does not work any more"))
            #expect(refused.text.contains("it was not saved") == (action == .resetPassword))
            let later = await all.open(link)
            for page in [refused, later] { #expect(!page.text.contains("done earlier") && !page.text.contains("worked earlier")) }
        }
    }

    /// Y3: the upstream was killed before it applied anything.
    @Test(arguments: Action.redeemable)
    func `say that the outcome is not known if the answer and the code are lost`(_ action: Action) async throws {
        try await Installations.run(.standIn) { all in
            let link = try await all.issue(action)
            let page = await all.open(link)
            all.standIn?.fail(by: .killed)
            let lost = try await all.press(page, typing: action == .resetPassword ? [("newPassword", "a quiet long phrase")] : [])
            let later = await all.open(link)
            let title = action == .resetPassword ? "We do not know whether your password was saved" : "We do not know whether it worked"
            for page in [lost, later] {
                #expect(page.status == 410 && page.text.contains(title) && page.text.contains(Self.appLink))
                #expect(!page.text.contains("done earlier") && !page.text.contains("Nothing was changed"))
            }
        }
    }

    /// Y5: a sign-in link that leads to no page or app of the project says so before the press.
    @Test(arguments: [nil, "https://evil.example/welcome"])
    func `say before the press that a sign-in link cannot sign in here`(_ continueURL: String?) async throws {
        try await Installations.run(.standIn) { all in
            let code = try await all.issue(.signIn).code
            let page = await all.open(all.link(.signIn, code, to: continueURL))
            #expect(page.status == 400 && page.text.contains("This link cannot sign you in here"))
            #expect(!page.text.contains("method=\"post\"") && !page.text.contains("href=\"https://evil.example"))
            #expect(all.standIn?.hasCodes == true)
        }
    }

    /// Y6: links that an upstream does not know lead to no refusal of a live link.
    @Test func `open a live link after many spent ones from the same source`() async throws {
        try await Installations.run(.standIn, isLimited: true) { all in
            let live = try await all.issue(.verifyEmail)
            let spent = all.link(.verifyEmail, FakeUpstream.code)
            for _ in 0..<(Limit.wrongCodesPerSource.standard.count + 5) { #expect(await all.open(spent).status != 429) }
            #expect(await all.open(live).status == 200)
        }
    }

    /// Y6: neither the neighbours of an address with many spent links wait for its looks, nor is it
    /// refused itself.
    @Test(.patience) func `open a live link while an address nearby has many looked up`() async throws {
        try await Installations.run(.standIn, isLimited: true) { all in
            let live = try await all.issue(.verifyEmail)
            let spent = all.link(.verifyEmail, FakeUpstream.code)
            for peer in ["192.0.2.7", "192.0.2.8"] {
                for _ in 0..<(Limit.wrongCodesPerSource.standard.count + 5) { _ = await all.ask(.get, all.path(spent), from: peer) }
            }
            let (waiting, gate) = AsyncStream.makeStream(of: Never.self)
            let opened = Task { for await _ in waiting {} }
            let asked = all.requests.count
            all.fail { _ in all.requests.count <= asked + 8 ? .after(opened) : nil }
            let pages = (0..<20).map { _ in Task { await all.open(spent).status } }
            try await eventually("eight are looked up") { all.requests.count == asked + 8 }
            #expect(await all.ask(.get, all.path(live), from: "192.0.2.8").status == 200)
            #expect(all.requests.count == asked + 9)
            gate.finish()
            for page in pages { #expect(await page.value == 410) }
            #expect(await all.open(live).status == 200)
        }
    }

    /// Y8: the configuration demands no more than Firebase does.
    @Test func `accept a password of six characters`() async throws {
        try await Installations.run(.standIn, { $0.passwordPolicy = PasswordPolicy(minimumLength: 6) }) { all in
            let page = await all.open(try await all.issue(.resetPassword))
            #expect(page.text.contains("At least 6 characters"))
            #expect(try await all.press(page, typing: [("newPassword", "qv7x2m")]).status == 303)
            #expect(all.standIn?.ada?.password == "qv7x2m")
        }
    }

    /// Y8: the rules for passwords are the upstream's, and no reason is invented.
    @Test func `invent no reason for a refused password, and keep the rules that a refusal names`() async throws {
        try await Installations.run(.standIn) { all in
            let link = try await all.issue(.resetPassword)
            var page = await all.open(link)
            for (code, said) in [
                ("PASSWORD_DOES_NOT_MEET_REQUIREMENTS", "This one does not meet all rules for passwords"),
                (
                    "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain at least 19 characters]",
                    "At least 19 characters"
                ),
            ] {
                let asked = all.requests.count
                all.fail { _ in all.requests.count == asked + 2 ? .instead(400, #"{"error":{"message":"\#(code)"}}"#) : nil }
                page = try await all.press(page, typing: [("newPassword", "a quiet phrase")])
                #expect(page.status == 422 && page.text.contains(said))
                #expect(!page.text.contains("Many people use this one"))
            }
            all.fail { _ in nil }
            #expect(await all.open(try await all.issue(.resetPassword)).text.contains("At least 19 characters"))
        }
    }

    /// Y8: a tenant has its own rules, and rules change.
    @Test func `forget the rules of a refusal, which are those of a tenant`() async throws {
        try await Installations.run(.standIn) { all in
            let standIn = try #require(all.standIn)
            func link(_ tenant: String?) -> ActionLink {
                ActionLink(action: .resetPassword, code: standIn.issue(.resetPassword, tenant: tenant), apiKey: "shop-key", tenant: tenant)
            }
            let strict = link("strict")
            let page = await all.open(strict)
            let no = "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain at least 19 characters]"
            let asked = all.requests.count
            all.fail { _ in all.requests.count == asked + 2 ? .instead(400, #"{"error":{"message":"\#(no)"}}"#) : nil }
            #expect(try await all.press(page, typing: [("newPassword", "a quiet phrase")]).status == 422)
            all.fail { _ in nil }
            #expect(await all.open(strict).text.contains("At least 19 characters"))
            for other in ["lax", nil] {
                let page = await all.open(link(other))
                #expect(!page.text.contains("At least 19 characters"))
                let saved = try await all.press(page, typing: [("newPassword", "a quiet phrase")])
                #expect(saved.status == 303)
            }
            all.forgetLearntPasswords()
            #expect(!(await all.open(strict)).text.contains("At least 19 characters"))
        }
    }

    /// Y9: links are read as Firebase, its emulator and mail programs deliver them.
    @Test func `pass the tenant of a link on`() async throws {
        try await Installations.run(.standIn) { all in
            let code = try #require(all.standIn).issue(.verifyEmail, tenant: "shop-1a2b")
            let link = ActionLink(action: .verifyEmail, code: code, apiKey: "shop-key", tenant: "shop-1a2b")
            #expect(await all.open(all.link(.verifyEmail, code)).text.contains("This link does not work any more"))
            let done = try await all.press(await all.open(link))
            #expect(done.status == 303)
            #expect(all.standIn?.bodies.suffix(2).allSatisfy { $0.contains(#""tenantId":"shop-1a2b""#) } == true)
        }
    }

    /// Y7, Y9: what Firebase, its emulator and mail programs make of links.
    @Test(arguments: [
        "/__/auth/action?mode=verifyEmail&oobCode=CODE&lang=de&continueUrl=https%3A%2F%2Fapp.example%2F",
        "/__/auth/action?mode=verifyEmail&amp;oobCode=CODE&amp;apiKey=shop-key&amp;lang=de",
        "/__/auth/action?mode=verifyEmail&oobCode=CODE&apiKey=shop-key&lang=de&lang=fr",
        "/__/auth/action?mode=verifyEmail&apiKey=shop-key&lang=de&oobCode=CODE.", "/__/auth/action?mode=verifyEmail&oobCode=CODE&lang=de.+",
        "/emulator/action?mode=verifyEmail&lang=de_AT&oobCode=CODE&apiKey=shop-key",
        "/__/auth/action?mode=verifyEmail&lang=DE-at&oobCode=CODE",
    ])
    func `open links as they arrive`(_ path: String) async throws {
        try await Installations.run(.standIn, isAlone: true) { all in
            let code = try await all.issue(.verifyEmail).code
            let page = await all.ask(.get, path.replacing("CODE", with: code.text))
            #expect(page.status == 200 && page.text.contains(#"lang="de""#))
            #expect(try await all.press(page).status == 303)
        }
    }

    @Test func `do not guess the project of a link without an API key among several`() async throws {
        try await Installations.run(.standIn) { all in
            let code = try await all.issue(.verifyEmail).code
            #expect(await all.ask(.get, "/__/auth/action?mode=verifyEmail&oobCode=\(code.text)").status == 400)
        }
    }

    /// Y9: apps get the links of Firebase Hosting, whose own page would use up the code.
    @Test func `open the links of the project's own Firebase Hosting`() async throws {
        try await Installations.run(.standIn) { all in
            let inner = "https://\(all.project.id).web.app/__/auth/action?mode=verifyEmail&oobCode=abc&apiKey=shop-key"
            func approved(_ inner: String, after start: String = "link=") throws -> String {
                try all.project.approve(appLink: "https://links.example/__/auth/links?" + start + WebURL.percentEncoded(inner)).link.link
                    .serialized
            }
            let page = try approved(inner)
            #expect(page == "https://auth.example/__/auth/action?mode=verifyEmail&oobCode=abc&apiKey=shop-key")
            // L6: also as a mail program leaves it.
            #expect(try approved(inner + " ", after: "lang=de&amp;link=") == page)
            #expect(throws: AppLinkRefusal.self) { try approved(inner.replacing("\(all.project.id).web.app", with: "other.web.app")) }
        }
    }

    /// Y10: after an undo the page offers a password reset, which the upstream mails.
    @Test(arguments: [Action.recoverEmail, .revertSecondFactorAddition])
    func `offer a password reset after an undo, which the upstream mails`(_ action: Action) async throws {
        try await Installations.run(.standIn) { all in
            let done = try await all.press(await all.open(try await all.issue(action)))
            let page = await all.ask(.get, try #require(done.location))
            #expect(page.text.contains("Now secure your account"))
            let sent = try await all.press(page)
            #expect(sent.status == 303)
            let mailed = try #require(all.standIn?.bodies.last)
            #expect(mailed.contains(#""requestType":"PASSWORD_RESET""#) && mailed.contains(#""email":"ada@app.example""#))
            #expect(await all.ask(.get, try #require(sent.location)).text.contains("Check your inbox"))
        }
    }

    /// Y10: the victim may have pressed twice. A tenant is separate from its project.
    @Test(arguments: [nil, "shop-1a2b"])
    func `offer the password reset once more where the link is opened again`(_ tenant: String?) async throws {
        try await Installations.run(.standIn) { all in
            let code = try #require(all.standIn).issue(.recoverEmail, tenant: tenant)
            let link = ActionLink(action: .recoverEmail, code: code, apiKey: "shop-key", tenant: tenant)
            let page = await all.open(link)
            _ = try await all.press(page)
            for again in [try await all.press(page), await all.open(link)] {
                #expect(again.text.contains("Address restored") && !again.text.contains("nothing more to do"))
                #expect(!again.text.contains("ada@app.example"))
                #expect(try await all.press(again).status == 303)
                let mailed = try #require(all.standIn?.bodies.last)
                #expect(mailed.contains(#""email":"ada@app.example""#) && mailed.contains(#""tenantId":"shop-1a2b""#) == (tenant != nil))
            }
            all.advance(by: .seconds(1800))
            #expect(!(await all.open(link)).text.contains("/__/auth/reset"))
        }
    }

    /// Y10: the intruder who added the factor may have changed the address, too.
    @Test func `offer no password reset to the address of an intruder`() async throws {
        try await Installations.run(.standIn) { all in
            let link = try await all.issue(.revertSecondFactorAddition)
            let page = await all.open(link)
            all.standIn?.account("ada", "eve@evil.example")
            let done = await all.ask(.get, try #require(try await all.press(page).location))
            #expect(done.text.contains("Second factor removed") && !done.text.contains("/__/auth/reset"))
            #expect(!(await all.open(link)).text.contains("/__/auth/reset"))
        }
    }

    /// Y10: the undo is done, whatever becomes of the offer.
    @Test(arguments: ["PASSWORD_LOGIN_DISABLED", "OPERATION_NOT_ALLOWED", nil])
    func `do not say of an undo that nothing was changed if the password reset fails`(_ said: String?) async throws {
        try await Installations.run(.standIn) { all in
            let done = try await all.press(await all.open(try await all.issue(.recoverEmail)))
            let page = await all.ask(.get, try #require(done.location))
            all.fail { path in
                guard path.hasSuffix(":sendOobCode") else { return nil }
                return said.map { .instead(400, #"{"error":{"message":"\#($0)"}}"#) } ?? .lost
            }
            var reply = try await all.press(page)
            // Sent once: a mail whose answer was lost may be on its way.
            #expect(all.requests.count { $0.hasSuffix(":sendOobCode") } == 1)
            if let location = reply.location { reply = await all.ask(.get, location) }
            #expect(!reply.text.contains("Nothing was changed") && !reply.text.contains("no longer offers"))
            #expect(reply.text.contains(said == nil ? "We do not know whether it worked" : "Address restored"))
            all.fail { _ in nil }
            #expect(said == nil || !reply.text.contains("/__/auth/reset"))
        }
    }

    /// Y10: after an undo the page offers a password reset, which the upstream mails.
    @Test func `offer no password reset if the operator does not want it, or has no passwords`() async throws {
        for silence in [{ $0.offersResetAfterUndo = false }, { $0.signIn.password = false }] as [@Sendable (inout Project) -> Void] {
            try await Installations.run(.standIn, silence) { all in
                let done = try await all.press(await all.open(try await all.issue(.recoverEmail)))
                #expect(await !all.ask(.get, try #require(done.location)).text.contains("/__/auth/reset"))
            }
        }
    }

    /// Y11: Onward does not promise what the upstream does.
    @Test func `promise neither a sign-out nor a mail to the old address`() async throws {
        try await Installations.run(.standIn) { all in
            for action in Action.redeemable {
                let page = await all.open(try await all.issue(action))
                #expect(!page.text.contains("everywhere") && !page.text.contains("write to the old one"))
            }
        }
    }

    /// Y11: the app is called by its name, not by the first word after `shop:`.
    @Test func `name the app that a link of its own scheme leads to`() async throws {
        func change(_ project: inout Project) throws {
            project.authorizedDomains = try AuthorizedDomains(["app.example"], schemes: ["shopapp"])
        }
        try await Installations.run(.standIn, change) { all in
            let code = try await all.issue(.verifyEmail).code
            let page = await all.open(all.link(.verifyEmail, code, to: "shopapp://welcome/in"))
            #expect(page.text.contains("Shop") && !page.text.contains(">welcome<"))
            // A browser without the app would stay where it is.
            let done = await all.ask(.get, try #require(try await all.press(page).location))
            #expect(done.text.contains("Address confirmed") && done.text.contains(#"href="shopapp://welcome/in""#))
        }
    }
}
