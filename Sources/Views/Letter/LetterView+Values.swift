extension LetterView {
    /// The values for a project's own templates; those that the mail does not have are missing.
    func values(in language: Language) -> [MailName: TemplateValue] {
        let shipped = context(in: language)
        let named = MailName.allCases.compactMap { name in
            TemplateKey(rawValue: name.rawValue).flatMap { shipped[$0] }.map { (name, $0) }
        }
        var values = Dictionary(uniqueKeysWithValues: named)
        values[.facts] = nil
        values[.subject] = shipped[.title]
        values[.appName] = brand.name.map { .name($0) }
        values[.displayName] = recipientName?.personName.map { .name($0) }
        values[.requested] = language.time(requestedAt ?? now, in: brand.timeZone)
        values[.device] = device?.name(by: language.phrases.facts)
        values[.number] = number.map { .address($0) }
        values[.validity] = validity(in: language).first?.value
        let subjects: (account: String?, other: String?, factor: String?)
        switch content {
        case .action(_, let account, let other, let factor, _, let expires):
            subjects = (account, other, factor)
            values[.expires] = language.time(expires, in: brand.timeZone)
        case .providerAdded(let account, _), .passwordChanged(let account), .emailRestored(let account), .accountDeleted(let account):
            subjects = (account, nil, nil)
        case .emailChanged(let account, let new): subjects = (account, new, nil)
        case .secondFactorRemoved(let account, let factor): subjects = (account, nil, factor)
        }
        values[.email] = subjects.account.map { .address($0) }
        values[.newEmail] = subjects.other.map { .address($0) }
        values[.secondFactor] = subjects.factor?.plainName.map { .name($0) }
        return values
    }
}
