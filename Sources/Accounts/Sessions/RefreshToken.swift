public import Base

/// A refresh token as its client holds it: a keyed tag, 32 random bytes, and the id of the account.
///
/// The tag proves that this server issued the token for this account and project, also after the
/// row of its session is deleted. So the holder of an ended session can be told why it ended, and a
/// made-up token is refused before anything is looked up
/// (`Docs/internal/Decisions/0007-refresh-tokens-rotate.md`).
public struct RefreshToken: Sendable {
    private static let secretByteCount = 32

    public let project: ProjectID
    public let account: AccountID
    private let secret: [UInt8]

    /// A new token.
    public init(for account: AccountID, in project: ProjectID, random: RandomBytes) {
        self.project = project
        self.account = account
        secret = random(Self.secretByteCount)
    }

    /// Nil unless this server issued the token for this project.
    init?(_ text: String, in project: ProjectID, by secrets: Secrets) {
        guard let bytes = Base64URL.decode(text) else { return nil }
        let (tag, rest) = (bytes.prefix(Digest.byteCount), bytes.dropFirst(Digest.byteCount))
        self.project = project
        secret = Array(rest.prefix(Self.secretByteCount))
        account = AccountID(rawValue: String(decoding: rest.dropFirst(Self.secretByteCount), as: UTF8.self))
        guard secrets.recognizes(Array(tag), of: tagged, for: .refreshToken) else { return nil }
    }

    /// The token in base64url, for the client.
    public func text(by secrets: Secrets) -> String {
        Base64URL.encode(secrets.digest(tagged, for: .refreshToken).bytes + secret + account.rawValue.utf8)
    }

    /// The keyed hash under which the token is stored.
    public func digest(by secrets: Secrets) -> Digest { secrets.digest(secret, for: .session) }

    /// The message of the tag. A project's id contains no NUL.
    private var tagged: [UInt8] { secret + "\(project)\0\(account)".utf8 }
}
