import Accounts
import Base
import Foundation

extension Letter {
    /// The addresses and the second factor that the mail names.
    var subjects: (account: String?, other: String?, factor: String?) {
        switch kind {
        case .action, .invitation: (account?.shown, otherAddress?.shown, secondFactor?.plainName)
        case .notice(.emailChanged): (recipient.shown, (otherEmail ?? recipient).shown, nil)
        case .notice(.secondFactorRemoved): (recipient.shown, nil, secondFactor?.plainName)
        case .notice(.noAccount): (nil, nil, nil)
        case .notice: (recipient.shown, nil, nil)
        }
    }

    /// The facts below the lead: the addresses, who asked for the mail and when, how long its link
    /// works, and its number.
    func facts(in language: Language, _ zone: NamedTimeZone) -> [Fact] {
        let (phrases, asked) = (language.phrases.facts, kind.action != nil && kind != .invitation)
        // Names that could be taken for a link are left out, because the client of the request
        // chose them.
        let origin: [(Phrase, TemplateValue?)] = [
            (phrases.created, accountCreatedAt.map { language.time(Date($0), in: zone) }),
            (kind.action == nil ? phrases.usedDevice : phrases.device, device?.name(by: phrases)),
            (asked ? phrases.requested : phrases.when, language.time(Date(createdAt), in: zone)),
            (phrases.validity, validity(in: language, zone)), (phrases.number, confirmationNumber.map { .address($0) }),
        ]
        return subjectFacts(in: language) + origin.compactMap { label, value in value.map { (label, $0) } }
    }

    private func subjectFacts(in language: Language) -> [Fact] {
        let (account, other, factor) = subjects
        if let action = kind.action { return action.facts(account, other, factor: factor, waysIn, in: language) }
        let phrases = language.phrases.facts
        let rows: [(Phrase, TemplateValue?)] = [
            (other == nil ? phrases.account : phrases.oldAccount, account.map { .address($0) }),
            (phrases.newAccount, other.map { .address($0) }), (phrases.factor, factor.map { .name($0) }),
        ]
        return rows.compactMap { label, value in value.map { (label, $0) } }
    }

    /// How long the mail's link works, and until when; nil if it has none.
    func validity(in language: Language, _ zone: NamedTimeZone) -> TemplateValue? {
        guard let expiresAt else { return nil }
        let time = RelativeTime.future(Date(expiresAt)).formatted(in: language, at: Date(createdAt), zone)
        return .phrase(language.phrases.facts.validFor, time.arguments(in: language))
    }
}

extension ClientDevice {
    /// Nil if the device has no name, or only names that could be taken for a link.
    func name(by phrases: Phrases.Facts) -> TemplateValue? {
        switch (browser?.plainName, system?.plainName) {
        case (let browser?, let system?): .phrase(phrases.deviceName, [.browser: .name(browser), .system: .name(system)])
        case (let name?, nil), (nil, let name?): .name(name)
        case (nil, nil): nil
        }
    }
}
