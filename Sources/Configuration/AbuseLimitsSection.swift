import Accounts
import Base

/// The abuse limits, with a key for each: `10 per 15m` or `off`.
struct AbuseLimitsSection: Section {
    var allowances = Limit.standards

    static var keys: [ConfigurationKey<Self>] {
        "Wrong passwords for one account from one source."
        key(.passwordsPerAccountAndSource)
        "Wrong passwords for one account from a network (IPv4 /24, IPv6 /64) where its user signed in during the last 90 days."
        key(.passwordsPerKnownNetwork)
        "Wrong passwords for all accounts from one source."
        key(.passwordsPerSource)
        "Mails of each kind to one address. Where accounts are hidden, a request for one mail too many is answered as usual. A project"
        "has a pace instead (mailsPerMinute)."
        key(.mailsPerAddress)
        "Requests for mails by one signed-in account."
        key(.mailsPerAccount)
        "Requests for mails from one source."
        key(.mailsPerSource)
        "Text messages to one number, for strangers and again after a right first factor."
        key(.textMessagesPerNumber)
        "Text messages to one number from a network (as above) where its user signed in. All of them together have eight times as many as"
        "one number."
        key(.textMessagesPerKnownNetwork)
        "Text messages to a thousand numbers in a row. A hundred thousand have eight times as many."
        key(.textMessagesPerRange)
        "Requests for text messages from one source."
        key(.textMessagesPerSource)
        "New accounts: with a password, anonymous, by a provider or a phone number. Accounts that a mailed link or a custom token begins"
        "do not count."
        key(.signUpsPerSource)
        "Answers that an address is taken, which tell of an account: at a sign-up, and to a provider's user whose address the provider"
        "has not verified."
        key(.takenAddressesPerSource)
        "Edits of one profile by its signed-in user."
        key(.changesPerAccount)
        "Changes that signed-in users make to their accounts from one source: profiles, passwords, providers, second factors, deletions."
        key(.changesPerSource)
        "Codes that do not exist."
        key(.wrongCodesPerSource)
        "Requests for the ways in which an address signs in. Where accounts are not hidden, requests for mails that are refused because"
        "of the address as well."
        key(.probesPerSource)
        "Requests that clients of signed-in users send by themselves: new ID tokens, the own account."
        key(.refreshesPerSource)
        "Sign-ins with a custom token."
        key(.customTokensPerSource)
        "Refused sign-ins with a provider."
        key(.providerSignInsPerSource)
        "Short links that are created with an API key."
        key(.shortLinksPerSource)
    }

    private static func key(_ limit: Limit) -> ConfigurationKey<Self> {
        ConfigurationKey(limit.rawValue, \.allowances[limit], .word("off", or: .allowance))
    }

    func value(in setting: Setting) -> [Limit: Allowance]? { allowances }
}

extension ValueForm<Allowance> {
    fileprivate static var allowance: ValueForm {
        ValueForm(
            [.text("a number of attempts per duration, such as 10 per 15m")], written: { "\($0.count) per \($0.span.configured)" }
        ) { setting in
            let words = (setting.word ?? "").split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, words[1] == "per", let count = Int(words[0]), Allowance.counts.contains(count),
                let span = Duration(configured: String(words[2])), Allowance.spans.contains(span)
            else {
                let (counts, spans) = (Allowance.counts, Allowance.spans)
                throw SettingError(
                    "expected a number per duration, such as 10 per 15m, or off; from \(counts.lowerBound) to \(counts.upperBound), "
                        + "from \(spans.lowerBound.configured) to \(spans.upperBound.configured)")
            }
            return Allowance(count, per: span)
        }
    }
}
