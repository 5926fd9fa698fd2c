public import Base
public import Network

/// The domain: accounts, the ways to sign in to them, their sessions, and the links that are mailed
/// to them. Its rules contain no SQL and no HTTP.
///
/// A link is requested and mailed (`send`), inspected (`inspect`) and applied once (`press`,
/// `redeem`). The outcome contains the destination at which the user continues.
public struct Accounts: Sendable {
    /// Whether a project's mails of a kind, in a language, show the confirmation number.
    public typealias MailHasNumber = @Sendable (LetterKind?, _ language: String, Project) -> Bool

    public let store: any Storage
    public let passwords: Passwords
    public let tokens: IDTokens
    public let outbox: Outbox
    public let secrets: Secrets
    public let now: Now
    public let uptime: @Sendable () -> Uptime
    public let random: RandomBytes
    /// How long after a sign-in a user may change the account's credentials; nil for ever, as in
    /// the emulator.
    let recentSignIn: Duration?
    let drafts: CodeDrafts
    let own: LocalAuthority
    let upstream: UpstreamAuthority
    let limiter: RateLimiter
    /// The turns of work that hashes passwords.
    let turns: TurnQueue
    /// The turns of addresses that looked up many unknown codes of upstreams.
    let upstreamLooks = TurnQueue(width: 16, maxWaiting: 100, widthPerSource: 8)
    let observe: @Sendable (CodeEvent) -> Void

    /// - Parameters:
    ///   - linkKey: returns the API key that a project's links contain.
    ///   - mailHasNumber: default: all mails show the number.
    ///   - upstreams: returns the Identity Toolkit at a base URL, for projects with an upstream;
    ///     default: there are no such projects.
    ///   - limits: nil for no limits.
    ///   - turns: the turns of work that hashes passwords.
    ///   - observe: called with what happens to codes, once it is stored; default: does nothing.
    public init(
        store: any Storage, passwords: Passwords, tokens: IDTokens, outbox: Outbox, secrets: Secrets, now: @escaping Now,
        uptime: @escaping @Sendable () -> Uptime = { .now }, random: @escaping RandomBytes, recentSignIn: Duration? = usualRecentSignIn,
        linkKey: @escaping @Sendable (Project) -> String,
        mailHasNumber: @escaping MailHasNumber = { _, _, _ in true }, upstreams: @escaping UpstreamAuthority.Toolkits = { _ in nil },
        limits: Limits? = nil, turns: TurnQueue = TurnQueue(width: 2, maxWaiting: 100),
        observe: @escaping @Sendable (CodeEvent) -> Void = { _ in }
    ) {
        (self.store, self.passwords, self.tokens, self.outbox, self.secrets) = (store, passwords, tokens, outbox, secrets)
        (self.now, self.uptime, self.random, self.recentSignIn) = (now, uptime, random, recentSignIn)
        (limiter, self.turns, self.observe) = (RateLimiter(limits: limits), turns, observe)
        drafts = CodeDrafts(
            outbox: outbox, secrets: secrets, linkKey: linkKey, mailHasNumber: mailHasNumber, now: now, random: random,
            rowIDs: store.rowIDs,
            observe: { observe(.issued($0)) })
        own = LocalAuthority(store: store, passwords: passwords, secrets: secrets, drafts: drafts, now: now)
        upstream = UpstreamAuthority(toolkits: upstreams, store: store, secrets: secrets, now: now, uptime: uptime)
    }

    /// The importer for accounts from other systems.
    public var imports: UserImport { UserImport(store: store, passwords: passwords, now: now, random: random) }

    /// The deletion of accounts with what belongs to them.
    public var erasure: Erasure { Erasure(store: store, outbox: outbox, secrets: secrets) }

    /// The merging of accounts.
    public var merging: Merging { Merging(store: store, outbox: outbox, secrets: secrets, now: now) }

    /// The short links of link domains.
    public var shortLinks: ShortLinks { ShortLinks(store: store, now: now, random: random) }
}
