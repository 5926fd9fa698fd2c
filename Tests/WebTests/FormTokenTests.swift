import Accounts
import Base
import Testing
import World

@testable import Web

/// P1: a form is accepted only from a page that Onward showed for this link within the last hour.
@Suite struct `The token of a form` {
    private let clock = TestClock()
    private let link = ActionLink(action: .verifyEmail, code: OobCode(String(repeating: "A", count: 43))!, apiKey: "key")

    private var tokens: FormTokens {
        FormTokens(secrets: Secrets(root: [UInt8](repeating: 7, count: 32)), now: clock.now, random: { [UInt8](repeating: 1, count: $0) })
    }

    @Test func `a form token says what its page was`() throws {
        let page = try tokens.page(of: tokens.issue(for: .redeem, of: link, .asksAgain), for: .redeem, of: link)
        #expect(page.madeAt == clock.now() && page.traits == .asksAgain && page.waysMark == 0)
    }

    @Test func `a form without a token is refused as missing`() {
        for none in [nil, ""] {
            #expect(throws: FormTokens.Objection.missing) { try tokens.page(of: none, for: .redeem, of: link) }
        }
    }

    @Test func `a form token of another length, changed, or for something else is forged`() {
        let token = tokens.issue(for: .redeem, of: link)
        let other = ActionLink(action: .resetPassword, code: link.code, apiKey: "key")
        let changed = (token.first == "A" ? "B" : "A") + token.dropFirst()
        let forged = ["A", "AAAA", "!", String(token.dropLast(4)), token + "AAAA", changed, tokens.issue(for: .sendAgain, of: link)]
        for text in forged + [tokens.issue(for: .redeem, of: other)] {
            #expect(throws: FormTokens.Objection.forged, "\(text)") { try tokens.page(of: text, for: .redeem, of: link) }
        }
    }

    @Test func `a form token is too old after an hour`() throws {
        let token = tokens.issue(for: .redeem, of: link)
        clock.advance(by: FormTokens.lifetime - .milliseconds(1))
        _ = try tokens.page(of: token, for: .redeem, of: link)
        clock.advance(by: .milliseconds(1))
        #expect(throws: FormTokens.Objection.tooOld) { try tokens.page(of: token, for: .redeem, of: link) }
    }
}
