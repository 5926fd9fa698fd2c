/// An attempt that is limited.
public enum LimitedAttempt: Sendable, Hashable {
    /// A sign-in with a password, whether or not an account has this address (B1).
    /// - Parameter fromKnownNetwork: whether the account's user signed in from the client's network
    ///   before.
    case password(EmailAddress, fromKnownNetwork: Bool)
    /// A mail; `account` is the account whose ID token asked for it. The mails that an address gets
    /// are limited where they are written, by `Accounts.send`.
    case mail(account: AccountID? = nil)
    /// A request for a mail with a password reset. Firebase has a separate refusal for it.
    case reset
    /// A mail that tells of an address without an account.
    case noAccountMail
    /// An account that a client creates. Those of a mailed link are not counted, because nothing
    /// that strangers do may refuse a right link, and those of custom tokens belong to the team.
    case signUp
    /// An answer that may tell whether an address is taken (V6).
    case takenAddress
    /// An edit of a signed-in user's profile.
    case profile(AccountID)
    /// Any other change of a signed-in user's account, also its deletion. No count of the account
    /// refuses it: it may be the owner's way to shut out an intruder, who could use up the count.
    case change
    /// The notice of such a change. Mails that a session asks for do not use up its count.
    case notice(AccountID)
    /// A text message to a number, whether or not an account has it.
    case textMessage(PhoneNumber, TextMessageReason)
    /// A guess at a code or at the address of a sign-in link (C13).
    case code
    /// A look at a code that an upstream does not know: a guess, or a link that was used elsewhere.
    /// It is counted apart from guesses, and its limit refuses nothing.
    case upstreamCode
    /// A question about how an address signs in.
    case probe
    /// A request that clients of signed-in users send by themselves.
    case refresh
    case customToken
    /// A sign-in with a provider, which may ask the provider.
    case provider
    /// A short link that a client creates with an API key.
    case shortLink

    /// The reason to believe that the user of a number asks for a message. The messages that
    /// strangers ask for do not keep a user waiting.
    public enum TextMessageReason: Sendable, Hashable {
        case stranger
        /// The account's user signed in from the client's network before.
        case knownNetwork
        /// The user has proved the first factor of the account.
        /// - Parameter inKnownNetwork: whether they signed in from the client's network before.
        case secondFactor(inKnownNetwork: Bool)
    }

    /// When an attempt is counted.
    enum Collection: Sendable, Hashable {
        /// Before the work, which an attempt too many does not begin.
        case before
        /// After the work, if it is kept then: a right one is never refused because of wrong ones.
        /// - Parameter refuses: whether one too many is refused instead of answered.
        case afterwards(refuses: Bool)
    }

    /// Codes are looked up first (C13, V1).
    var collection: Collection {
        switch self {
        case .code: .afterwards(refuses: true)
        case .upstreamCode: .afterwards(refuses: false)
        default: .before
        }
    }

    /// A limit that an attempt counts against, and its subject.
    struct Count: Sendable, Hashable {
        let limit: Limit
        /// The place of the network among those of the source, for limits of sources.
        var level = 0
        let subject: String
    }

    /// Subjects of limits per project contain the project.
    func counts(from source: Source, in project: ProjectID) -> [Count] {
        switch self {
        case .password(let email, let isKnown):
            (isKnown
                ? [Count(limit: .passwordsPerKnownNetwork, subject: "\(project) \(email) \(source.home)")]
                : Self.counts(of: source, against: .passwordsPerAccountAndSource, for: "\(project) \(email) "))
                + Self.counts(of: source, against: .passwordsPerSource)
        case .mail(let account):
            (account.map { [Count(limit: .mailsPerAccount, subject: "\(project) \($0)")] } ?? [])
                + Self.counts(of: source, against: .mailsPerSource)
        case .reset: Self.counts(of: source, against: .mailsPerSource)
        case .noAccountMail: Self.counts(of: source, against: .noAccountMailsPerSource)
        case .textMessage(let number, let reason):
            Self.counts(of: number, reason, from: source, in: project) + Self.counts(of: source, against: .textMessagesPerSource)
        case .signUp: Self.counts(of: source, against: .signUpsPerSource)
        case .takenAddress: Self.counts(of: source, against: .takenAddressesPerSource)
        case .profile(let account):
            [Count(limit: .changesPerAccount, subject: "\(project) \(account)")] + Self.counts(of: source, against: .changesPerSource)
        case .change: Self.counts(of: source, against: .changesPerSource)
        case .notice(let account):
            [Count(limit: .mailsPerAccount, subject: "\(project) \(account) notices")] + Self.counts(of: source, against: .mailsPerSource)
        case .code: Self.counts(of: source, against: .wrongCodesPerSource)
        case .upstreamCode: Self.counts(of: source, against: .wrongCodesPerSource, for: "\(project) upstream ")
        case .probe: Self.counts(of: source, against: .probesPerSource)
        case .refresh: Self.counts(of: source, against: .refreshesPerSource)
        case .customToken: Self.counts(of: source, against: .customTokensPerSource)
        case .provider: Self.counts(of: source, against: .providerSignInsPerSource)
        case .shortLink: Self.counts(of: source, against: .shortLinksPerSource)
        }
    }

    private static func counts(
        of number: PhoneNumber, _ reason: TextMessageReason, from source: Source, in project: ProjectID
    ) -> [Count] {
        func messages(_ kind: String) -> Count { Count(limit: .textMessagesPerNumber, subject: "\(project) \(number)\(kind)") }
        // All known networks together have eight times as much as each, so that a stranger in one
        // of them does not use up the others.
        func messages(_ kind: String, at home: String) -> [Count] {
            [
                Count(limit: .textMessagesPerNumber, level: 1, subject: "\(project) \(number)\(kind) known"),
                Count(limit: .textMessagesPerKnownNetwork, subject: "\(project) \(number)\(kind) \(home)"),
            ]
        }
        let ofNumber =
            switch reason {
            case .stranger: [messages("")]
            case .knownNetwork: messages("", at: source.home)
            case .secondFactor(inKnownNetwork: false): [messages(" second factor")]
            case .secondFactor(inKnownNetwork: true): messages(" second factor", at: source.home)
            }
        let kind = reason == .stranger ? "" : " known"
        // Known users have a separate count for each range, with a limit eight times as large, so
        // that strangers cannot use it up. The limit still bounds an attacker who owns a range and
        // makes its accounts known.
        let level = reason == .stranger ? 0 : 1
        return ofNumber
            + number.ranges.enumerated().map {
                Count(limit: .textMessagesPerRange, level: $0.offset + level, subject: "\(project) \($0.element)\(kind)")
            }
    }

    private static func counts(of source: Source, against limit: Limit, for subject: String = "") -> [Count] {
        source.networks.enumerated().map { Count(limit: limit, level: $0.offset, subject: subject + $0.element) }
    }

    /// The refusal returned when the limit is exceeded. Source: Identity Toolkit error codes.
    var refusal: Refusal {
        if case .reset = self { .resetPasswordExceedLimit } else { .tooManyAttempts }
    }
}
