import Foundation

extension Trouble {
    func fields(in language: Language, _ brand: Brand, _ now: Date) -> Fields {
        let words = language.words.trouble
        let (saying, more) = saying(in: language, now)
        let blanks = brand.blanks.merging(more) { own, _ in own }
        var fields = Fields(saying, blanks)
        fields[sign] = .flag
        fields[.steps] = reason == .damaged ? .phrase(words.copyWhole, blanks) : nil
        if reason == .alreadyDone || next != .nowhere { fields.merge(next.fields(in: language, blanks)) { own, _ in own } }
        if let resend {
            fields[.resend] = .group(
                resend.fields.merging([.text: .phrase(words.resendLead, blanks), .button: .phrase(words.resendButton, blanks)]) { own, _ in
                    own
                })
            fields[.facts] = account.flatMap { .facts([(language.words.facts.account, .address($0))]) }
        }
        if let retry {
            fields[.retry] = .group(retry.fields.merging([.button: .phrase(words.retryButton, blanks)]) { own, _ in own })
        }
        return fields
    }

    /// What is no fault is not drawn as one.
    private var sign: Slot {
        switch reason {
        case .alreadyDone: .success
        case .newerLinkSent: .envelope
        default: .trouble
        }
    }

    private func saying(in language: Language, _ now: Date) -> (Words.Saying, [Blank: Value]) {
        let words = language.words.trouble
        return switch reason {
        case .alreadyDone: (words.alreadyDone, [:])
        case .expired(let moment?): (words.expired, moment.told(in: language, at: now).blanks(in: language))
        case .expired(nil): (words.expiredSometime, [:])
        case .damaged: (words.damaged, [:])
        case .newerLinkSent(let moment): (words.newerLinkSent, moment.told(in: language, at: now).blanks(in: language))
        case .wrongAction: (words.wrongAction, [:])
        case .withdrawn: (words.withdrawn, [:])
        case .tooManyTries(let moment): (words.tooManyTries, moment.told(in: language, at: now).blanks(in: language))
        case .unavailable: (words.unavailable, [:])
        case .uncertain: (words.uncertain, [:])
        case .pageExpired: (words.pageExpired, [:])
        case .accountClosed: (words.accountClosed, [:])
        case .addressTaken: (words.addressTaken, [:])
        case .notOffered: (words.notOffered, [:])
        case .linkRefused: (words.linkRefused, [:])
        case .notFound: (words.notFound, [:])
        case .notUnderstood: (words.notUnderstood, [:])
        }
    }
}
