/// All that Onward says, as it stands in a language file. The properties are the keys: a file without one of them is refused.
/// Classes, as hundreds of strings would otherwise be counted anew for each page.
final class Words: Sendable, Codable {
    let confirm: PerAction<Confirm>
    let done: PerAction<Saying>
    let next: Onwards
    let trouble: Troubles
    let sent: Sent
    let openApp: OpenApp
    let facts: Facts
    let password: Password
    let letters: Letters
    let durations: Durations
    let foot: Foot

    /// What is said per action.
    final class PerAction<Wording: Codable & Sendable>: Sendable, Codable {
        let resetPassword, verifyEmail, signIn, verifyAndChangeEmail, recoverEmail, revertSecondFactorAddition: Wording

        subscript(action: LinkAction) -> Wording {
            switch action {
            case .resetPassword: resetPassword
            case .verifyEmail: verifyEmail
            case .signIn: signIn
            case .verifyAndChangeEmail: verifyAndChangeEmail
            case .recoverEmail: recoverEmail
            case .revertSecondFactorAddition: revertSecondFactorAddition
            }
        }
    }

    struct Saying: Sendable, Codable {
        let title, lead: Phrase
    }

    /// `plainButton` where what the button names is not known.
    struct Confirm: Sendable, Codable {
        let title, lead, button, plainButton, notYou: Phrase
    }

    final class Onwards: Sendable, Codable {
        let button, close, refused, resetTitle, resetLead, resetButton: Phrase
    }

    final class Troubles: Sendable, Codable {
        let alreadyDone, expired, expiredSometime, damaged, newerLinkSent, wrongAction, withdrawn, tooManyTries, unavailable, uncertain,
            pageExpired, accountClosed, addressTaken, notOffered, linkRefused, notFound, notUnderstood: Saying
        let copyWhole, resendLead, resendButton, retryButton: Phrase
    }

    final class Sent: Sendable, Codable {
        let newLink, passwordReset: Saying
        let wait: Phrase
    }

    final class OpenApp: Sendable, Codable {
        let title, lead, button, store, web: Phrase
    }

    final class Facts: Sendable, Codable {
        let account, oldAccount, newAccount, restoredAccount, presentAccount, when, factor, destination, validity, validFor, newer: Phrase
    }

    final class Password: Sendable, Codable {
        let label, show, hide, refused, strengthWeak, strengthFair, strengthGood: Phrase
        let minimum, maximum: Plural
        let needsLowercase, needsUppercase, needsDigit, needsSymbol: Phrase
        let empty, tooCommon, tooPersonal: Phrase
    }

    final class Letters: Sendable, Codable {
        let greeting, plainGreeting, linkBelow, whyAsked, whyAccount: Phrase
        let action: PerAction<Letter>
        let passwordChanged, emailChanged, emailRestored, secondFactorRemoved: Letter
    }

    struct Letter: Sendable, Codable {
        let subject, lead, advice: Phrase
    }

    final class Durations: Sendable, Codable {
        let minutes, hours, days: Plural
        let date: Phrase
    }

    final class Foot: Sendable, Codable {
        let why, help, reference, language, change: Phrase
    }
}
