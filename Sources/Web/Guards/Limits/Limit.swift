internal import EmailActions

/// One of the things that are counted, and for whom. The raw value is its key in the configuration.
package enum Limit: String, Sendable, CaseIterable {
    case passwordsPerAccountAndSource, passwordsPerAccount, passwordsPerSource
    case mailsPerAddress, mailsPerAccount, mailsPerSource, mailsPerProject
    case signUpsPerSource
    case wrongCodesPerSource
    case probesPerSource, refreshesPerSource, customTokensPerSource

    /// How often where the configuration says nothing. A source is an IPv4 address or a /64 of IPv6, and may be a whole office.
    package var standard: Allowance {
        switch self {
        // Whoever has forgotten a password has tried all the likely ones by then.
        case .passwordsPerAccountAndSource: Allowance(10, per: .minutes(15))
        // Takes ten sources at least to use up, and 2,400 guesses a day are far from a decent password; a reset by mail empties it.
        case .passwordsPerAccount: Allowance(100, per: .hours(1))
        // Right passwords do not count, so that an office can come to work; who tries one password on all accounts is slow.
        case .passwordsPerSource: Allowance(100, per: .minutes(10))
        // Nobody needs more, and a mailbox bears it. The mails that used it up were sent: their links work (B4).
        case .mailsPerAddress: Allowance(10, per: .hours(1))
        // Whoever is signed in may write to any address by asking to change to it.
        case .mailsPerAccount: Allowance(10, per: .hours(1))
        // An office in which many begin on one day.
        case .mailsPerSource: Allowance(100, per: .hours(1))
        // What a sender's good name bears. Firebase: 10,000 resets, 25,000 sign-in links, 100,000 verifications a day.
        case .mailsPerProject: Allowance(5_000, per: .hours(1))
        // Firebase's own.
        case .signUpsPerSource: Allowance(100, per: .hours(1))
        // Codes have 192 bits: this is for quiet in the log. Used and expired ones are no guesses, so scanners behind it do not count. There
        // is no limit for all sources together: it would protect nothing, and let whoever used it up stop everybody's links.
        case .wrongCodesPerSource: Allowance(60, per: .minutes(10))
        // Asking which addresses have accounts. Tells nothing where accounts are hidden.
        case .probesPerSource: Allowance(300, per: .hours(1))
        // Once an hour for each client: enough for 30,000 people behind one address.
        case .refreshesPerSource: Allowance(10_000, per: .minutes(10))
        // Made by a team's own server, which knows its people; this bounds the work.
        case .customTokensPerSource: Allowance(1_000, per: .minutes(10))
        }
    }

    /// What `serve` holds people to unless told otherwise.
    package static var standards: [Limit: Allowance] { Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.standard) }) }
}
