public import Base

/// A limit: what is counted, per what. The raw value is its key in the configuration.
public enum Limit: String, Sendable, CaseIterable {
    case passwordsPerAccountAndSource, passwordsPerKnownNetwork, passwordsPerSource
    case mailsPerAddress, mailsPerAccount, mailsPerSource, noAccountMailsPerSource
    case textMessagesPerNumber, textMessagesPerKnownNetwork, textMessagesPerRange, textMessagesPerSource
    case signUpsPerSource, takenAddressesPerSource
    case changesPerAccount, changesPerSource
    case wrongCodesPerSource
    case probesPerSource, refreshesPerSource, customTokensPerSource
    case providerSignInsPerSource
    case shortLinksPerSource

    /// The allowance unless the configuration sets another. A source is an IPv4 address or an IPv6
    /// /64, and may be a whole office. The networks around it have more; see `Source`.
    public var standard: Allowance { definition.standard }
    var kind: Kind { definition.kind }
    /// The explanation of its key in the configuration.
    public var explanation: String { definition.explanation }

    private var definition: (standard: Allowance, kind: Kind, explanation: String) {
        switch self {
        // Enough to try every password that a user remembers, then one guess in half an hour. A
        // reset by mail resets the count. Guesses from all sources together have no limit, because
        // strangers could use it up; they run one at a time instead (decision 8).
        case .passwordsPerAccountAndSource:
            (
                Allowance(10, per: .hours(5)), .guesses(answers: nil),
                "Wrong passwords for one account from one source."
            )
        // The user may mistype it all day long where the account was used before.
        case .passwordsPerKnownNetwork:
            (
                Allowance(10, per: .minutes(15)), .guesses(answers: nil),
                "Wrong passwords for one account from a network (IPv4 /24, IPv6 /64) where its user signed in during the last 90 days."
            )
        // Slows down one password against all accounts. Right passwords do not count, so that an
        // office can sign in at once.
        case .passwordsPerSource:
            (
                Allowance(100, per: .minutes(10)), .guesses(answers: nil),
                "Wrong passwords for all accounts from one source."
            )
        // What a mailbox can bear of each kind. The mails that used it up were sent, and their
        // links work (B4).
        case .mailsPerAddress:
            (
                Allowance(10, per: .hours(1)), .effects,
                """
                Mails of each kind to one address. Where accounts are hidden, a request for one mail too many is answered as usual. A \
                project has a pace instead (mailsPerMinute).
                """
            )
        // A signed-in user can have mails sent to any address by asking to change to it.
        case .mailsPerAccount: (Allowance(10, per: .hours(1)), .effects, "Requests for mails by one signed-in account.")
        // An office in which many users sign up on one day.
        case .mailsPerSource: (Allowance(100, per: .hours(1)), .effects, "Requests for mails from one source.")
        // A stranger chooses their recipients.
        case .noAccountMailsPerSource:
            (
                Allowance(10, per: .hours(1)), .effects,
                "Mails from one source that tell of an address without an account (`noAccount` in the notices). No excess is mailed."
            )
        // Each costs money. The codes of all of them together allow fewer guesses than a pause.
        case .textMessagesPerNumber:
            (
                Allowance(5, per: .hours(1)), .effects,
                "Text messages to one number, for strangers and again after a right first factor."
            )
        // The user is not kept waiting by strangers where the account was used before.
        case .textMessagesPerKnownNetwork:
            (
                Allowance(5, per: .hours(1)), .effects,
                """
                Text messages to one number from a network (as above) where its user signed in. All of them together have eight times \
                as many as one number.
                """
            )
        // A thousand numbers in a row, because toll fraud buys whole ranges. A hundred thousand
        // have eight times as many.
        case .textMessagesPerRange:
            (
                Allowance(30, per: .hours(1)), .deliveries,
                "Text messages to a thousand numbers in a row. A hundred thousand have eight times as many."
            )
        // An office in which many users sign in on one day.
        case .textMessagesPerSource: (Allowance(30, per: .hours(1)), .deliveries, "Requests for text messages from one source.")
        // The same as Firebase.
        case .signUpsPerSource:
            (
                Allowance(100, per: .hours(1)), .effects,
                """
                New accounts: with a password, anonymous, by a provider or a phone number. Accounts that a mailed link or a custom \
                token begins do not count.
                """
            )
        // The answer tells a stranger of an account. A sign-up whose address is free costs none, so
        // an office in which many users sign up is not kept waiting.
        case .takenAddressesPerSource:
            (
                Allowance(10, per: .hours(1)), .guesses(answers: [.emailExists, .emailNotFound]),
                """
                Answers that an address is taken, which tell of an account: at a sign-up, and to a provider's user whose address the \
                provider has not verified.
                """
            )
        // A user who edits a profile. Others in the same office have their own.
        case .changesPerAccount: (Allowance(30, per: .minutes(10)), .effects, "Edits of one profile by its signed-in user.")
        // An office in which many users sign up, and apps complete each profile.
        case .changesPerSource:
            (
                Allowance(300, per: .minutes(10)), .effects,
                """
                Changes that signed-in users make to their accounts from one source: profiles, passwords, providers, second factors, \
                deletions.
                """
            )
        // Codes have 192 bits, so this only keeps the log quiet. Used and expired codes do not
        // count, so mail scanners do not either. A limit for all sources together would protect
        // nothing and let an attacker block every link.
        case .wrongCodesPerSource:
            (
                Allowance(60, per: .minutes(10)), .guesses(answers: [.invalidOobCode, .invalidEmail]),
                "Codes that do not exist."
            )
        // Questions about which addresses have accounts; with hidden accounts the answers say
        // nothing.
        case .probesPerSource:
            (
                Allowance(300, per: .hours(1)), .questions,
                """
                Requests for the ways in which an address signs in. Where accounts are not hidden, requests for mails that are refused \
                because of the address as well.
                """
            )
        // Clients refresh once an hour: enough for 30,000 users behind one address.
        case .refreshesPerSource:
            (
                Allowance(10_000, per: .minutes(10)), .questions,
                "Requests that clients of signed-in users send by themselves: new ID tokens, the own account."
            )
        // Custom tokens come from a team's own server; this only bounds the work.
        case .customTokensPerSource: (Allowance(1_000, per: .minutes(10)), .questions, "Sign-ins with a custom token.")
        // Bounds what strangers make a provider do. Right credentials do not count, so that an
        // office can sign in at once.
        case .providerSignInsPerSource: (Allowance(100, per: .minutes(10)), .credentials, "Refused sign-ins with a provider.")
        // Links that users share. Clients' links are also limited in number.
        case .shortLinksPerSource: (Allowance(100, per: .hours(1)), .effects, "Short links that are created with an API key.")
        }
    }

    /// The limits of `serve` unless the configuration sets others.
    public static var standards: [Limit: Allowance] { Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.standard) }) }
}
