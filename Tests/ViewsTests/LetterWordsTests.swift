import Accounts
import AppLinks
import Base
import Testing
@testable import Views

/// The sentences of a mail that depend on the state of its account: none is untrue.
@Suite struct `The words of a mail` {
    /// A sentence of a language file.
    enum Words: Sendable {
        case own, choosePassword, noPasswordSet, withoutPassword, askForHelp
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let kind: LetterKind
        var former = PasswordFacts.Former.inForce
        var provider: String?
        var canReset = true
        var lead = Words.own
        var advice = Words.own

        var testDescription: String { "\(kind.rawValue), password \(former), \(provider ?? "no provider"), reset \(canReset)" }
    }

    static let table: [Row] = [
        Row(kind: .action(.resetPassword)),
        Row(kind: .action(.resetPassword), former: .removed, advice: .noPasswordSet),
        Row(kind: .action(.resetPassword), former: .never, lead: .choosePassword, advice: .noPasswordSet),
        Row(kind: .action(.revertSecondFactorAddition)),
        Row(kind: .action(.revertSecondFactorAddition), former: .removed, advice: .withoutPassword),
        Row(kind: .action(.revertSecondFactorAddition), former: .never, advice: .withoutPassword),
        Row(kind: .notice(.alreadyMember)),
        Row(kind: .notice(.alreadyMember), provider: "Google"),
        Row(kind: .notice(.alreadyMember), former: .never, provider: "Google", lead: .withoutPassword),
        Row(kind: .notice(.alreadyMember), former: .never),
        Row(kind: .notice(.passwordChanged)),
        Row(kind: .notice(.passwordChanged), canReset: false, advice: .askForHelp),
        Row(kind: .notice(.passwordAdded), canReset: false, advice: .askForHelp),
        Row(kind: .notice(.providerRemoved), former: .never, provider: "Google"),
        Row(kind: .notice(.providerRemoved), former: .never, provider: "Google", canReset: false, advice: .askForHelp),
        Row(kind: .notice(.newNetwork), former: .never, canReset: false, advice: .askForHelp),
        Row(kind: .notice(.recoveryCodeUsed), canReset: false, advice: .askForHelp),
        Row(kind: .notice(.secondFactorRemoved), canReset: false, advice: .askForHelp),
        Row(kind: .notice(.sessionsEnded), canReset: false), Row(kind: .notice(.noAccount), canReset: false),
    ]

    @Test(arguments: table) func `a mail says what is true of the account, in all languages`(_ row: Row) throws {
        let views = try Samples.views.get()
        for language in views.languages {
            let phrases = language.phrases
            var letter = Letter(
                row.kind, to: EmailAddress("ada@app.example")!, language: language.code, createdAt: Timestamp(Samples.now))
            (letter.formerPassword, letter.provider, letter.canReset) = (row.former, row.provider, row.canReset)
            letter.otherEmail = EmailAddress("old@app.example")
            let mail = try views.mail(SampleLetter(letter: letter, brand: Samples().brand(views)), in: language)
            let own =
                switch row.kind {
                case .action(let action): phrases.letters.action[action]
                case .notice(let notice): phrases.letters.notice[notice]
                case .invitation: phrases.invitation.letter
                }
            func phrase(_ words: Words, _ usual: Phrase, _ other: Phrase?) throws -> Phrase {
                switch words {
                case .own: usual
                case .choosePassword: phrases.choosePassword.letter.lead
                case .noPasswordSet: phrases.choosePassword.letter.advice
                case .withoutPassword: try #require(other)
                case .askForHelp: phrases.letters.notice[.emailChanged].advice
                }
            }
            let arguments: PhraseArguments = [
                .app: .text("Sunlit Notes"), .account: .text("ada@app.example"), .provider: .text(row.provider ?? ""),
            ]
            for expected in [
                try phrase(row.lead, own.lead, own.leadWithoutPassword), try phrase(row.advice, own.advice, own.adviceWithoutPassword),
            ] {
                let sentence = language.plain(expected, arguments)
                #expect(mail.text.unwrapped.contains(sentence.unwrapped), "\(language.code): \(sentence)")
            }
        }
    }
}

extension String {
    /// Without spaces, line breaks and direction marks.
    fileprivate var unwrapped: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !$0.properties.isWhitespace && !(0x2066...0x2069).contains($0.value) }))
    }
}
