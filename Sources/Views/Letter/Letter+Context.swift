import Accounts
import Base
import Foundation

extension Letter {
    /// One line without control characters, whatever the names in it contain (M6).
    func subject(in language: Language, _ brand: Brand) -> String {
        language.plain(wording(in: language).subject, brand.arguments).oneLine
    }

    /// The values for the shipped templates.
    /// - Parameter origin: the origin that serves the brand's logo, such as `https://auth.example`;
    ///   nil: the mail shows the app's name instead.
    func context(in language: Language, _ brand: Brand, at origin: String?) -> TemplateContext {
        let phrases = language.phrases.letters.common
        var (wording, arguments) = (wording(in: language), brand.arguments)
        let (account, other, _) = subjects
        arguments[.account] = account.map { .mainAddress($0) }
        arguments[.newAccount] = other.map { .mainAddress($0) }
        if let plain = wording.plainLead, !wording.lead.isFilled(by: arguments) { wording.lead = plain }
        if let provider { arguments[.provider] = .name(provider.oneLine) }
        var context = brand.mailContext(in: language, at: origin)
        context[.pageTitle] = .plain(wording.subject, arguments)
        context[.preheader] = .plain(wording.lead, arguments)
        context[.title] = .phrase(wording.subject, arguments)
        // Anyone can choose a display name, so it is shown only if it cannot be taken for a link or
        // a sentence.
        context[.greeting] =
            displayName?.personName.map { .phrase(phrases.greeting, [.name: .name($0)]) } ?? .phrase(phrases.plainGreeting, [:])
        context[.lead] = .phrase(wording.lead, arguments)
        // The button of a letter that tells of a change is for readers who did not make it.
        context[kind.isAlarm ? .warning : .advice] = .phrase(wording.advice, arguments)
        context[.why] = .phrase(why(by: language.phrases), arguments)
        context[.details] = .list(details(in: language, brand.timeZone))
        if let link, kind.action == nil, let host = (try? WebURL(link))?.host?.serialized {
            // Where the reader goes on; there is nothing to confirm.
            context[.link] = .text(link)
            context[.linkBelow] = .phrase(phrases.linkBelow, [:])
            context[.button] = .phrase(language.phrases.next.button, [.host: .address(host)])
        }
        if let action = kind.action {
            context[.link] = .text(link ?? "")
            context[.isMain] = action.isUndo ? nil : .flag
            context[.linkBelow] = .phrase(phrases.linkBelow, [:])
            context[.button] = .phrase(buttonTitle(of: action, by: language.phrases), arguments)
            if action.changesByPressAlone {
                context[.number] = confirmationNumber.map { .phrase(phrases.number, [.number: .address($0)]) }
            }
        }
        return context
    }

    /// The reason why the reader gets the letter.
    private func why(by phrases: Phrases) -> Phrase {
        let common = phrases.letters.common
        return switch kind {
        case .invitation: phrases.invitation.why
        case .notice(.addressLeft): common.whyFormer
        case .notice(.noAccount): common.whyAsked
        case .action(let action) where !action.isUndo: isSentAgain ? common.whyAgain : common.whyAsked
        case .action, .notice: common.whyAccount
        }
    }

    /// The title of the page that the link opens.
    private func buttonTitle(of action: Action, by phrases: Phrases) -> Phrase {
        if action.setsPassword, formerPassword == .never { return phrases.choosePassword.title }
        return addsAddress ? phrases.addEmail.title : phrases.confirm[action].title
    }

    /// The words for the letter in the state of its account.
    private func wording(in language: Language) -> Phrases.LetterPhrases {
        let phrases = language.phrases
        var words =
            switch kind {
            case .invitation: phrases.invitation.letter
            case .action(.resetPassword) where formerPassword == .never: phrases.choosePassword.letter
            case .action(let action): addsAddress ? phrases.addEmail.letter : phrases.letters.action[action]
            case .notice(let notice): phrases.letters.notice[notice]
            }
        if formerPassword != .inForce {
            if kind == .action(.resetPassword) { words.advice = phrases.choosePassword.letter.advice }
            if provider != nil { words.lead = words.leadWithoutPassword ?? words.lead }
            words.advice = words.adviceWithoutPassword ?? words.advice
        }
        if case .notice(let notice) = kind, notice.advisesReset, !canReset {
            words.advice = phrases.letters.notice[.emailChanged].advice
        }
        return words
    }
}

extension LetterKind {
    /// Whether the letter tells of something that was done, and may have been an intruder.
    var isAlarm: Bool { action?.isUndo ?? true }
}

extension LetterKind.Notice {
    /// Whether the letter advises its reader to ask for a new password.
    fileprivate var advisesReset: Bool {
        switch self {
        case .passwordAdded, .passwordChanged, .passwordRemoved, .secondFactorRemoved, .recoveryCodeUsed, .providerRemoved, .newNetwork:
            true
        case .providerAdded, .emailChanged, .emailRestored, .addressLeft, .accountDeleted, .alreadyMember, .noPassword,
            .sessionsEnded, .registrationTried, .noAccount:
            false
        }
    }
}
