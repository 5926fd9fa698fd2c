import Accounts

/// The phrases of a language file. The properties are the keys of the file, which is refused if one
/// is missing.
///
/// The parts are classes: copying structs of hundreds of strings would count each string's
/// references for each page.
final class Phrases: Sendable, Codable {
    let confirm: PerCase<Action, Confirm>
    let choices: Choices
    let addEmail: AddEmail
    let changeEmail: AddressChange
    let choosePassword: ChoosePassword
    let invitation: Invited
    let done: PerCase<Action, Done>
    let next: Next
    let error: Errors
    let sent: Sent
    let openApp: OpenApp
    let phone: Phone
    let facts: Facts
    let password: Password
    let question: Question
    let letters: Letters
    let textMessage: TextMessagePhrases
    let durations: Durations
    let foot: Foot

    /// The phrases of each case of an enumeration, by its name. A file that lacks a case is
    /// refused.
    final class PerCase<Case: CaseIterable & RawRepresentable<String> & Hashable & Sendable, Wording: Codable & Sendable>: Sendable,
        Codable
    {
        private let byCase: [Case: Wording]
        /// The dictionary's default value; never used, because `init(from:)` reads every case.
        private let anyWording: Wording

        init(from decoder: any Decoder) throws {
            let names = try decoder.container(keyedBy: CaseName.self)
            let all = try Case.allCases.map { ($0, try names.decode(Wording.self, forKey: CaseName(stringValue: $0.rawValue))) }
            byCase = Dictionary(uniqueKeysWithValues: all)
            anyWording = all[0].1
        }

        func encode(to encoder: any Encoder) throws {
            var names = encoder.container(keyedBy: CaseName.self)
            for (name, wording) in byCase { try names.encode(wording, forKey: CaseName(stringValue: name.rawValue)) }
        }

        subscript(name: Case) -> Wording { byCase[name, default: anyWording] }
    }

    private struct CaseName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The title of a page and the sentence below it.
    struct Heading: Sendable, Codable {
        let title, lead: Phrase
    }

    /// `plainLead` and `plainButton` are used if a value that `lead` or `button` names is not
    /// known. `briefLead` takes the place of `lead` if the accounts are an upstream's, for which
    /// Onward can promise less. `effect` says what else the button does.
    struct Confirm: Sendable, Codable {
        let title, lead, button, plainButton, notYou: Phrase
        var briefLead, plainLead, effect: Phrase?
    }

    final class Choices: Sendable, Codable {
        let notMine, itWasMe: Choice
        let takeAddress: Phrase
    }

    /// A page that a quiet button of another one leads to, and the page after its button.
    struct Choice: Sendable, Codable {
        let offer, title, lead, button, doneTitle, doneLead: Phrase
    }

    struct Done: Sendable, Codable {
        let title, lead: Phrase
        let briefLead: Phrase?
    }

    /// The words of `verifyAndChangeEmail` for an account that has no address yet.
    final class AddEmail: Sendable, Codable {
        let title, lead, button, notYou, doneTitle, doneLead: Phrase
        let letter: LetterPhrases

        var confirm: Confirm {
            Confirm(title: title, lead: lead, button: button, plainButton: button, notYou: notYou)
        }
        var done: Done { Done(title: doneTitle, lead: doneLead, briefLead: nil) }
    }

    /// The words of `resetPassword` for an account that has no password yet, and what else saving
    /// one does.
    final class ChoosePassword: Sendable, Codable {
        let title, lead, button, notYou, confirmsAddress, endsProviders: Phrase
        let letter: LetterPhrases

        func confirm(titled title: Phrase) -> Confirm {
            Confirm(title: title, lead: lead, button: button, plainButton: button, notYou: notYou)
        }
    }

    /// Sentences about a change of address. `signInAgain` is for users who do not sign in with it,
    /// and `signInLater` for users of an upstream.
    final class AddressChange: Sendable, Codable {
        let signInWithNew, signInAgain, signInLater, signInFromNow, tellsOld, toldOld: Phrase
    }

    final class Invited: Sendable, Codable {
        let doneTitle, doneLead, why: Phrase
        let letter: LetterPhrases

        var done: Done { Done(title: doneTitle, lead: doneLead, briefLead: nil) }
    }

    final class Next: Sendable, Codable {
        let button, home, soon, stay, close, refused, resetTitle, resetLead, resetButton, chooseLead, staysTitle,
            staysLead: Phrase
    }

    final class Errors: Sendable, Codable {
        private let headings: PerCase<ErrorPage.Wording, Heading>
        let sentences: Sentences

        struct Sentences: Sendable, Codable {
            /// Below the title of an action that was done.
            let doneEarlier: Phrase
            /// Below the title of `linkRefused`.
            let placeRefused, appRefused: Phrase
            let copyWhole, startOver, notSaved, resendLead, resendButton, retryButton: Phrase
        }

        /// Both are beside each other in the file.
        init(from decoder: any Decoder) throws { (headings, sentences) = (try PerCase(from: decoder), try Sentences(from: decoder)) }

        func encode(to encoder: any Encoder) throws {
            try headings.encode(to: encoder)
            try sentences.encode(to: encoder)
        }

        subscript(wording: ErrorPage.Wording) -> Heading { headings[wording] }
    }

    final class Sent: Sendable, Codable {
        let newLink, passwordReset: Sending
        let wait: Phrase

        /// `plainLead` is used if the address is not shown.
        struct Sending: Sendable, Codable {
            let title, lead, plainLead: Phrase
        }
    }

    final class OpenApp: Sendable, Codable {
        let title, lead, button, another, store, after, copy, copyWhy, copied, web: Phrase
    }

    final class Phone: Sendable, Codable {
        let title, lead, code: Phrase
    }

    final class Facts: Sendable, Codable {
        let account, oldAccount, newAccount, restoredAccount, presentAccount, when, factor, validity, validFor, forAccount, continuesTo,
            expires, expiresToday, newer,
            requested, device, usedDevice, deviceName, number, ways, created, password: Phrase
    }

    final class Password: Sendable, Codable {
        let label, show, hide, showShort, hideShort, refused, refusedTitle, strengthWeak, strengthFair, strengthGood: Phrase
        /// `more` and `fewer` are what a typed password lacks, or has too many.
        let minimum, maximum, more, fewer: Plural
        let needsLowercase, needsUppercase, needsDigit, needsSymbol: Phrase
        let empty, tooCommon, tooPersonal, refusedUnexplained: Phrase
    }

    final class Question: Sendable, Codable {
        let title, why, number, wrong, wrongTitle, pressAgain, againTitle, changedWays: Phrase
        let triesLeft: Plural
    }

    final class Letters: Sendable, Codable {
        let common: Common
        let action: PerCase<Action, LetterPhrases>
        let notice: PerCase<LetterKind.Notice, LetterPhrases>

        struct Common: Sendable, Codable {
            /// `number` is for mails whose page may ask for it.
            let greeting, plainGreeting, linkBelow, number, whyAsked, whyAgain, whyAccount, whyFormer: Phrase
        }

        private enum CodingKeys: CodingKey { case action }

        /// Phrases of actions are nested in the file, those of notices are not.
        init(from decoder: any Decoder) throws {
            common = try Common(from: decoder)
            action = try decoder.container(keyedBy: CodingKeys.self).decode(PerCase.self, forKey: .action)
            notice = try PerCase(from: decoder)
        }

        func encode(to encoder: any Encoder) throws {
            try common.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(action, forKey: .action)
            try notice.encode(to: encoder)
        }
    }

    struct TextMessagePhrases: Sendable, Codable {
        let code: Phrase
    }

    /// `plainLead` takes the place of `lead` if the other address is not known. The last two take
    /// the places of `lead` and `advice` if the account has no password.
    struct LetterPhrases: Sendable, Codable {
        var subject, lead, advice: Phrase
        var plainLead, leadWithoutPassword, adviceWithoutPassword: Phrase?
    }

    final class Durations: Sendable, Codable {
        let minutes, hours, days: Plural
    }

    final class Foot: Sendable, Codable {
        /// `whyLink` is for links that need not be from a mail, and `whyAny` for links of no known
        /// app.
        let why, whyLink, whyAny, help, terms, privacy, reference, language, change: Phrase
    }
}

extension Phrases.Choices {
    /// The words of a choice; nil for one without its own page.
    subscript(choice: ActionChoice) -> Phrases.Choice? {
        switch choice {
        case .notMine: notMine
        case .itWasMe: itWasMe
        case .takeAddress: nil
        }
    }
}
