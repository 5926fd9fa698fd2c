public import Accounts
import Base
import Foundation

extension Samples {
    public typealias NamedLetter = (name: String, letter: Letter)

    /// Every kind of mail, by its name, and further states of some.
    ///
    /// Their links open a page that says that the link is incomplete.
    public func letters(in language: String) -> [NamedLetter] {
        letterStates.map { state in (state.name, letter(state, in: language)) }
    }

    private typealias LetterState = (name: String, kind: LetterKind, change: (inout Letter) -> Void)

    private var letterStates: [LetterState] {
        // Hostile names are left out of mails; a test checks that.
        let (phone, account, other) = ("Phone ending in 45", recipient, otherRecipient)
        let actions = Action.allCases.map { action -> LetterState in
            (
                "\(action)", .action(action),
                { letter in
                    if action.setsNewAddress { letter.otherEmail = account }
                    if action == .recoverEmail { letter.otherEmail = other }
                    if action == .revertSecondFactorAddition { letter.secondFactor = phone }
                }
            )
        }
        let details: [LetterKind.Notice: (inout Letter) -> Void] = [
            .providerAdded: { $0.provider = words ?? "Google" }, .providerRemoved: { $0.provider = words ?? "Google · +••• ••45" },
            .noPassword: { $0.provider = words ?? "Google" }, .emailChanged: { $0.otherEmail = other },
            .secondFactorRemoved: { $0.secondFactor = phone }, .noAccount: { $0.displayName = nil },
        ]
        let notices = LetterKind.Notice.allCases.map { notice -> LetterState in
            (notice.rawValue, .notice(notice), details[notice] ?? { _ in })
        }
        return actions + notices + [
            ("invitation", .invitation, { $0.formerPassword = .never }),
            (
                "addEmail", .action(.verifyAndChangeEmail),
                {
                    $0.accountCreatedAt = Timestamp(now - 90 * 86400)
                    $0.waysIn = waysInOfLetters
                }
            ), ("choosePassword", .action(.resetPassword), { $0.formerPassword = .never }),
            ("sentAgain", .action(.verifyEmail), { $0.isSentAgain = true }),
            ("secondFactorRemoved-bare", .notice(.secondFactorRemoved), { _ in }),
        ]
    }

    private var waysInOfLetters: WaysIn { WaysIn(hasPassword: true, names: ["Google", "+••• ••45"]) }

    private func letter(_ state: LetterState, in language: String) -> Letter {
        let isMove = state.name == "verifyAndChangeEmail"
        var letter = Letter(state.kind, to: isMove ? otherRecipient : recipient, language: language, createdAt: Timestamp(now))
        letter.displayName = words ?? "Ada Lovelace"
        letter.confirmationNumber = "4182"
        if state.name == "verifyEmail" { letter.waysIn = waysInOfLetters }
        // An admin's server says nothing about a device.
        if ![.invitation, .notice(.alreadyMember), .notice(.sessionsEnded)].contains(state.kind) {
            letter.device = ClientDevice(browser: "Firefox", system: "Android")
        }
        if let action = state.kind.action {
            letter.link =
                "\(actionURL)?mode=\(action.rawValue)&oobCode=SAMPLE-NOT-A-CODE&apiKey=SAMPLE"
                + "&continueUrl=https%3A%2F%2Fnotes.app.example%2F&lang=\(language)"
            letter.expiresAt = Timestamp(now) + lifetimes[state.kind]
        } else {
            letter.link = homeURL
        }
        state.change(&letter)
        return letter
    }
}
