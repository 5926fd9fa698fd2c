import AppLinks
import Foundation

extension LetterView {
    /// One line without control characters, whatever the names hold (M6).
    func subject(in language: Language) -> String {
        language.plain(wording(in: language).subject, brand.blanks).oneLine
    }

    func fields(in language: Language) -> Fields {
        let words = language.words.letters
        let wording = wording(in: language)
        let blanks = brand.blanks
        var fields = brand.fields(in: language)
        fields[.pageTitle] = .plain(wording.subject, blanks)
        fields[.title] = .phrase(wording.subject, blanks)
        fields[.greeting] =
            recipientName?.plainName.map { .phrase(words.greeting, [.name: .name($0)]) } ?? .phrase(words.plainGreeting, [:])
        fields[.lead] = .phrase(wording.lead, blanks)
        fields[.advice] = .phrase(wording.advice, blanks)
        fields[.why] = .phrase(words.whyAccount, blanks)
        fields[.facts] = .facts(facts(in: language))
        fields[.accent] = .text(brand.accent.light.fill.description)
        fields[.onAccent] = .text(brand.accent.light.label.description)
        if case .action(let action, _, _, _, let link, _) = content {
            fields[.link] = .text(link)
            fields[.linkBelow] = .phrase(words.linkBelow, [:])
            fields[.button] = .phrase(language.words.confirm[action].title, blanks)
            fields[.why] = .phrase(action.isUndo ? words.whyAccount : words.whyAsked, blanks)
        }
        return fields
    }

    private func wording(in language: Language) -> Words.Letter {
        let words = language.words.letters
        return switch content {
        case .action(let action, _, _, _, _, _): words.action[action]
        case .passwordChanged: words.passwordChanged
        case .emailChanged: words.emailChanged
        case .emailRestored: words.emailRestored
        case .secondFactorRemoved: words.secondFactorRemoved
        }
    }

    private func facts(in language: Language) -> [Fact] {
        let words = language.words.facts
        let when: Fact = (words.when, language.time(now))
        return switch content {
        case .action(let action, let account, let other, let factor, _, let expires):
            Confirmation(action, form: Form(path: ""), account: account, newAccount: other, factor: factor?.plainName, expires: expires)
                .facts(in: language, now)
        case .passwordChanged(let account), .emailRestored(let account): [(words.account, .address(account)), when]
        case .emailChanged(let account, let new): [(words.oldAccount, .address(account)), (words.newAccount, .address(new)), when]
        case .secondFactorRemoved(let account, let factor):
            [(words.account, .address(account))] + (factor?.plainName.map { [(words.factor, .name($0))] } ?? []) + [when]
        }
    }
}
