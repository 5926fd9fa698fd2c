import Accounts

extension LetterView {
    /// The facts below the lead: the addresses, who asked for the mail and when, how long its link
    /// works, and its number.
    func facts(in language: Language) -> [Fact] {
        let number: [Fact] = number.map { [(language.phrases.facts.number, .address($0))] } ?? []
        return subjects(in: language) + origin(in: language) + validity(in: language) + number
    }

    private func subjects(in language: Language) -> [Fact] {
        let phrases = language.phrases.facts
        return switch content {
        case .action: confirmation?.facts(in: language) ?? []
        case .providerAdded(let account, _), .passwordChanged(let account), .emailRestored(let account), .accountDeleted(let account):
            [(phrases.account, .address(account))]
        case .emailChanged(let account, let new): [(phrases.oldAccount, .address(account)), (phrases.newAccount, .address(new))]
        case .secondFactorRemoved(let account, let factor):
            [(phrases.account, .address(account))] + (factor?.plainName.map { [(phrases.factor, .name($0))] } ?? [])
        }
    }

    /// The time of the request or event, and its device. Names that could be taken for a link are
    /// left out, because the client of the request chose them.
    private func origin(in language: Language) -> [Fact] {
        let phrases = language.phrases.facts
        var facts: [Fact] = []
        if let accountCreatedAt { facts.append((phrases.created, language.time(accountCreatedAt, in: brand.timeZone))) }
        if let name = device?.name(by: phrases) { facts.append((phrases.device, name)) }
        if case .action = content {
            if let requestedAt { facts.append((phrases.requested, language.time(requestedAt, in: brand.timeZone))) }
        } else {
            facts.append((phrases.when, language.time(now, in: brand.timeZone)))
        }
        return facts
    }

    func validity(in language: Language) -> [Fact] {
        confirmation?.validity(in: language, now, brand.timeZone) ?? []
    }

    /// Whether the mail is about an account that gets its first address.
    var addsAddress: Bool { confirmation?.addsAddress ?? false }

    /// The page behind the link, which states the same facts.
    var confirmation: ConfirmationPage? {
        guard case .action(let action, let account, let other, let factor, _, let expires) = content else { return nil }
        return ConfirmationPage(
            action, form: Form(path: ""), account: account, newAccount: other, factor: factor?.plainName, expires: expires, waysIn: waysIn)
    }
}
