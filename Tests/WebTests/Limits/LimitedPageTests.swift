import Accounts
import Base
import HTTPTypes
import Testing
import World
@testable import Web

@Suite struct `A page, limited` {
    let visitor: Visitor
    var world: World { visitor.world }

    init() async throws {
        let world = try await World()
        visitor = try await Visitor(world, limits: world.limits(of: 1))
    }

    private func expectLimited(_ reply: Visitor.Reply, saying words: String = "Please wait 2 minutes") {
        #expect(reply.status == 429)
        #expect(reply.response.headerFields[.retryAfter] == "90")
        #expect(reply.text.contains(words))
    }

    private func useUpWrongCodes() async {
        #expect(await visitor.open(OobCode(random: world.random.bytes), .verifyEmail).status == 410)
    }

    /// C13: attempts with unknown codes are limited by source. P8: the language of a page is one of
    /// those installed, and sets `lang` and `dir`.
    @Test(arguments: [("en", "Please wait 2 minutes"), ("ar", "دقيقتين")])
    func `looks up only one wrong code, and says how long to wait`(language: String, words: String) async throws {
        await useUpWrongCodes()
        let page = await visitor.open(OobCode(random: world.random.bytes), .verifyEmail, extra: "&lang=\(language)")
        expectLimited(page, saying: words)
        #expect(page.text.contains("<form action=\"/__/auth/action\""), "there is a way back")
        world.clock.advance(by: .seconds(90))
        #expect(await visitor.open(OobCode(random: world.random.bytes), .verifyEmail).status == 410)
    }

    /// An office behind one address, with a mail scanner.
    @Test func `opens codes that exist or existed without a limit`() async throws {
        let live = try await world.issue(.verifyEmail)
        let used = try #require(try await world.send(.resetPassword))
        try await world.redeem(used, with: .newPassword("correct horse"))
        for _ in 0..<5 {
            #expect(await visitor.open(live, .verifyEmail).status != 429)
            #expect(await visitor.open(used, .resetPassword).status == 200)
        }
    }

    @Test func `accepts a password that was typed before the limit was reached`() async throws {
        let page = await visitor.open(try await world.issue(.resetPassword), .resetPassword)
        await useUpWrongCodes()
        #expect(try await visitor.press(page, typing: [("newPassword", "quite another one")]).status == 303)
    }

    /// B2: mail is limited by address and kind, and by source.
    @Test func `sends a link again once, and no mail for the second press`() async throws {
        let codes = [try await world.issue(.verifyEmail), try #require(try await world.send(.verifyEmail))]
        world.clock.advance(by: .days(4))
        let pages = [await visitor.open(codes[0], .verifyEmail), await visitor.open(codes[1], .verifyEmail)]
        let before = try await world.mails().count
        #expect(try await visitor.press(pages[0]).status == 303)
        expectLimited(try await visitor.press(pages[1]))
        #expect(try await world.mails().count == before + 1)
    }

    /// B2: mail is limited by address and kind, and by source.
    @Test func `sends a reset after an undo once`() async throws {
        let code = try await world.issue(.revertSecondFactorAddition)
        let undone = try await visitor.press(await visitor.open(code, .revertSecondFactorAddition))
        let page = await visitor.ask(.get, try #require(undone.location))
        let before = try await world.mails().count
        #expect(try await visitor.press(page).status == 303)
        expectLimited(try await visitor.press(page))
        #expect(try await world.mails().count == before + 1)
    }

    @Test func `responds in JSON to clients that ask for JSON`() async throws {
        await useUpWrongCodes()
        let reply = await visitor.open(OobCode(random: world.random.bytes), .verifyEmail, headers: [.accept: "application/json"])
        #expect(reply.status == 400)
        #expect(reply.response.headerFields[.retryAfter] == "90")
        #expect(reply.text.contains("TOO_MANY_ATTEMPTS_TRY_LATER : "))
    }
}
