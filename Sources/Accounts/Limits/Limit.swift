public import Base

/// A limit: what is counted, per what. The raw value is its key in the configuration.
public enum Limit: String, Sendable, CaseIterable {
    case passwordsPerAccountAndSource, passwordsPerKnownNetwork, passwordsPerSource
    case mailsPerAddress, mailsPerAccount, mailsPerSource
    case textMessagesPerNumber, textMessagesPerKnownNetwork, textMessagesPerRange, textMessagesPerSource
    case signUpsPerSource, takenAddressesPerSource
    case changesPerAccount, changesPerSource
    case wrongCodesPerSource
    case probesPerSource, refreshesPerSource, customTokensPerSource
    case providerSignInsPerSource
    case shortLinksPerSource

    /// The allowance unless the configuration sets another. A source is an IPv4 address or an IPv6
    /// /64, and may be a whole office. The networks around it have more; see `Source`.
    public var standard: Allowance {
        switch self {
        // Enough to try every password that a user remembers, then one guess in half an hour. A
        // reset by mail resets the count. Guesses from all sources together have no limit, because
        // strangers could use it up; they run one at a time instead (decision 8).
        case .passwordsPerAccountAndSource: Allowance(10, per: .hours(5))
        // The user may mistype it all day long where the account was used before.
        case .passwordsPerKnownNetwork: Allowance(10, per: .minutes(15))
        // Slows down one password against all accounts. Right passwords do not count, so that an
        // office can sign in at once.
        case .passwordsPerSource: Allowance(100, per: .minutes(10))
        // What a mailbox can bear of each kind. The mails that used it up were sent, and their
        // links work (B4).
        case .mailsPerAddress: Allowance(10, per: .hours(1))
        // A signed-in user can have mails sent to any address by asking to change to it.
        case .mailsPerAccount: Allowance(10, per: .hours(1))
        // An office in which many users sign up on one day.
        case .mailsPerSource: Allowance(100, per: .hours(1))
        // Each costs money. The codes of all of them together allow fewer guesses than a pause.
        case .textMessagesPerNumber: Allowance(5, per: .hours(1))
        // The user is not kept waiting by strangers where the account was used before.
        case .textMessagesPerKnownNetwork: Allowance(5, per: .hours(1))
        // A thousand numbers in a row, because toll fraud buys whole ranges. A hundred thousand
        // have eight times as many.
        case .textMessagesPerRange: Allowance(30, per: .hours(1))
        // An office in which many users sign in on one day.
        case .textMessagesPerSource: Allowance(30, per: .hours(1))
        // The same as Firebase.
        case .signUpsPerSource: Allowance(100, per: .hours(1))
        // The answer tells a stranger of an account. A sign-up whose address is free costs none, so
        // an office in which many users sign up is not kept waiting.
        case .takenAddressesPerSource: Allowance(10, per: .hours(1))
        // A user who edits a profile. Others in the same office have their own.
        case .changesPerAccount: Allowance(30, per: .minutes(10))
        // An office in which many users sign up, and apps complete each profile.
        case .changesPerSource: Allowance(300, per: .minutes(10))
        // Codes have 192 bits, so this only keeps the log quiet. Used and expired codes do not
        // count, so mail scanners do not either. A limit for all sources together would protect
        // nothing and let an attacker block every link.
        case .wrongCodesPerSource: Allowance(60, per: .minutes(10))
        // Questions about which addresses have accounts; with hidden accounts the answers say
        // nothing.
        case .probesPerSource: Allowance(300, per: .hours(1))
        // Clients refresh once an hour: enough for 30,000 users behind one address.
        case .refreshesPerSource: Allowance(10_000, per: .minutes(10))
        // Custom tokens come from a team's own server; this only bounds the work.
        case .customTokensPerSource: Allowance(1_000, per: .minutes(10))
        // Bounds what strangers make a provider do. Right credentials do not count, so that an
        // office can sign in at once.
        case .providerSignInsPerSource: Allowance(100, per: .minutes(10))
        // Links that users share. Clients' links are also limited in number.
        case .shortLinksPerSource: Allowance(100, per: .hours(1))
        }
    }

    /// The limits of `serve` unless the configuration sets others.
    public static var standards: [Limit: Allowance] { Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.standard) }) }
}
