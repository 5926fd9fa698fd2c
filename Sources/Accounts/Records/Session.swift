/// One refresh token of one sign-in. The token itself is never stored, only its keyed hash.
package struct Session: Sendable, Hashable {
    package let token: Digest
    package let project: ProjectID
    package let account: AccountID
    /// When the person signed in; every refreshed ID token repeats it.
    package let authTime: Timestamp
    package let provider: SignInProvider
    /// The first token of the sign-in, by which all that followed from it are found.
    package let family: Digest
    /// The token that was shown when this one was made; nil for the first.
    package let parent: Digest?
    package let createdAt: Timestamp
    /// When a token made from this one was first used: from then on this one is superseded.
    package let retiredAt: Timestamp?
    /// What the custom token of the sign-in said, a JSON object that every ID token repeats.
    package let claims: String?

    /// - Parameter family: nil: this is the first token.
    package init(
        token: Digest, project: ProjectID, account: AccountID, authTime: Timestamp, provider: SignInProvider, family: Digest? = nil,
        parent: Digest? = nil, createdAt: Timestamp, retiredAt: Timestamp? = nil, claims: String? = nil
    ) {
        self.token = token
        self.project = project
        self.account = account
        self.authTime = authTime
        self.provider = provider
        self.family = family ?? token
        self.parent = parent
        self.createdAt = createdAt
        self.retiredAt = retiredAt
        self.claims = claims
    }

    /// The same sign-in under its next token.
    func followed(by token: Digest, at moment: Timestamp) -> Session {
        Session(
            token: token, project: project, account: account, authTime: authTime, provider: provider, family: family, parent: self.token,
            createdAt: moment, claims: claims)
    }

    /// How long a superseded token still works: for an answer that got lost, for several tabs that ask at once.
    package static let grace = Duration.seconds(300)
    /// How many tokens of one sign-in may wait to be used.
    static let maxSpare = 20
    /// How many tokens one account can make us remember: more than anybody has devices, few enough that nobody fills a disk with them.
    package static let mostOfAccount = 5_000
    /// How long superseded tokens are remembered, so that whoever shows one gives a theft away.
    package static let memory = Duration.seconds(7 * 86_400)
}
