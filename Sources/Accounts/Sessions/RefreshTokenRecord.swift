public import Base

/// A refresh token of one sign-in. Only its keyed hash is stored.
public struct RefreshTokenRecord: Sendable, Hashable {
    public let token: Digest
    public let project: ProjectID
    public let account: AccountID
    /// The time of the sign-in, which every refreshed ID token repeats.
    public let authTime: Timestamp
    public let provider: SignInProvider
    public let secondFactor: ProvenSecondFactor?
    /// The first token of the sign-in, which all later ones share.
    public let family: Digest
    /// The token that this one was exchanged for; nil for the first.
    public let parent: Digest?
    public let createdAt: Timestamp
    /// The time at which a token made from this one was first used. From then on this one is
    /// superseded.
    public let retiredAt: Timestamp?
    /// The claims of the custom token of the sign-in, a JSON object that every ID token repeats.
    public let claims: String?

    /// - Parameter family: nil for the first token of a sign-in.
    public init(
        token: Digest, project: ProjectID, account: AccountID, authTime: Timestamp, provider: SignInProvider,
        secondFactor: ProvenSecondFactor? = nil, family: Digest? = nil, parent: Digest? = nil, createdAt: Timestamp,
        retiredAt: Timestamp? = nil, claims: String? = nil
    ) {
        self.token = token
        self.project = project
        self.account = account
        self.authTime = authTime
        self.provider = provider
        self.secondFactor = secondFactor
        self.family = family ?? token
        self.parent = parent
        self.createdAt = createdAt
        self.retiredAt = retiredAt
        self.claims = claims
    }

    /// The next token of the same sign-in.
    func followed(by token: Digest, at moment: Timestamp) -> RefreshTokenRecord {
        RefreshTokenRecord(
            token: token, project: project, account: account, authTime: authTime, provider: provider, secondFactor: secondFactor,
            family: family, parent: self.token, createdAt: moment, claims: claims)
    }

    /// The time for which a superseded token still works, for lost responses and for several tabs
    /// that refresh at once.
    public static let grace = Duration.seconds(300)
    /// The number of unused tokens that one sign-in may have.
    static let maxUnused = 20
    /// The number of tokens that one account may have: more than a user has devices, and too few to
    /// fill a disk.
    public static let maxPerAccount = 5_000
    /// The time for which superseded tokens are kept, so that the use of one reveals a theft.
    public static let retention = Duration.seconds(7 * 86_400)
}
