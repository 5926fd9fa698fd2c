import Accounts
import Base
import Foundation

extension Letter {
    /// The addresses and the second factor that the mail names.
    var subjects: (account: String?, other: String?, factor: String?) {
        switch kind {
        case .action, .invitation: (account?.shown, otherAddress?.shown, secondFactor?.plainName)
        case .notice(.emailChanged): (recipient.shown, otherEmail?.shown, nil)
        case .notice(.secondFactorRemoved): (recipient.shown, nil, secondFactor?.plainName)
        case .notice: (recipient.shown, nil, nil)
        }
    }

    /// The facts that a project's own templates may list: the addresses, who asked for the mail and
    /// when, how long its link works, and its number.
    func facts(in language: Language, _ zone: NamedTimeZone) -> [Fact] {
        let phrases = language.phrases.facts
        let more: [(Phrase, TemplateValue?)] = [
            (phrases.validity, validity(in: language, zone)), (phrases.number, confirmationNumber.map { .address($0) }),
        ]
        return subjectFacts(in: language) + origin(in: language, zone) + more.compactMap { label, value in value.map { (label, $0) } }
    }

    /// The lines in small print: until when the link works, when and with what it was asked for,
    /// and what else the letter is about. The sentence above names the addresses.
    func details(in language: Language, _ zone: NamedTimeZone) -> [TemplateContext] {
        let phrases = language.phrases.facts
        let others = subjectFacts(in: language).filter { [phrases.ways, phrases.factor].contains($0.label) }
        return [expiry(in: language, zone)].compactMap { $0.map { [.value: $0] } }
            + (origin(in: language, zone) + others).map { [.label: .phrase($0.label, [:]), .value: $0.value] }
    }

    /// Until when the link works: by the clock alone, if it expires on the day of the letter.
    private func expiry(in language: Language, _ zone: NamedTimeZone) -> TemplateValue? {
        guard let end = expiresAt.map(Date.init(_:)) else { return nil }
        let (phrases, start) = (language.phrases.facts, Date(createdAt))
        guard !zone.isSameDay(start, end) else {
            return .phrase(phrases.expiresToday, [.time: .time(language.clock(end, in: zone), iso: end.iso)])
        }
        return .phrase(phrases.expires, RelativeTime.future(end).formatted(in: language, at: start, zone).arguments(in: language))
    }

    /// When and with what the letter was asked for, or the change that it tells of was made.
    private func origin(in language: Language, _ zone: NamedTimeZone) -> [Fact] {
        let phrases = language.phrases.facts
        let isAlarm = kind.isAlarm || kind == .invitation
        // Names that could be taken for a link are left out, because the client of the request
        // chose them.
        let rows: [(Phrase, TemplateValue?)] = [
            (phrases.created, accountCreatedAt.map { language.time(Date($0), in: zone) }),
            (isAlarm ? phrases.usedDevice : phrases.device, device?.name(by: phrases)),
            (isAlarm ? phrases.when : phrases.requested, language.time(Date(createdAt), in: zone)),
        ]
        return rows.compactMap { label, value in value.map { (label, $0) } }
    }

    private func subjectFacts(in language: Language) -> [Fact] {
        let (account, other, factor) = subjects
        if let action = kind.action { return action.facts(account, other, factor: factor, waysIn, in: language) }
        let phrases = language.phrases.facts
        let rows: [(Phrase, TemplateValue?)] = [
            (other == nil ? phrases.account : phrases.oldAccount, kind == .notice(.noAccount) ? nil : account.map { .address($0) }),
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
