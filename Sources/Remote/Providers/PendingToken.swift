internal import Accounts
internal import Base

/// An identity that a provider proved a moment ago, sealed for the client: with it the client links
/// the identity to another account, since the code cannot be used twice. Source: Identity Toolkit
/// `pendingToken`.
struct PendingToken: Sendable {
    let identity: VerifiedIdentity

    /// As long as a sign-in is recent.
    static let lifetime = Duration.seconds(300)

    init(_ identity: VerifiedIdentity) { self.identity = identity }

    func text(in project: ProjectID, at now: Timestamp, by secrets: Secrets) -> String {
        let profile = identity.profile
        let members: JSON = .object([
            "project": .string(project.rawValue), "provider": .string(identity.provider), "id": .string(identity.rawID),
            "former": .array(identity.formerIDs.map { .string($0) }), "audience": .string(ifAny: identity.audience),
            "email": .string(ifAny: identity.email?.value), "verified": .bool(identity.isEmailVerified),
            "name": .string(ifAny: profile.fullName), "first": .string(ifAny: profile.firstName), "last": .string(ifAny: profile.lastName),
            "screen": .string(ifAny: profile.screenName), "photo": .string(ifAny: profile.photoURL), "raw": .string(identity.rawUserInfo),
            "until": .string(String((now + Self.lifetime).milliseconds)),
        ])
        return Base64URL.encode(secrets.seal(members.bytes, for: .pendingToken))
    }

    /// The token that this server made for the project, if it is in time. Refuses
    /// `INVALID_PENDING_TOKEN`.
    init(_ text: String, in project: ProjectID, at now: Timestamp, by secrets: Secrets) throws(ActionError) {
        guard let sealed = Base64URL.decode(text), let bytes = try? secrets.open(sealed, for: .pendingToken), let json = try? JSON(bytes),
            json["project"]?.string == project.rawValue, let until = json["until"]?.string.flatMap({ Int64($0) }),
            now.milliseconds < until, let provider = json["provider"]?.string, let id = json["id"]?.string,
            var identity = VerifiedIdentity(
                provider: provider, rawID: id, email: json["email"]?.string.flatMap { EmailAddress($0) },
                isEmailVerified: json["verified"] == .bool(true),
                profile: .init(
                    fullName: json["name"]?.string, firstName: json["first"]?.string, lastName: json["last"]?.string,
                    screenName: json["screen"]?.string, photoURL: json["photo"]?.string),
                rawUserInfo: json["raw"]?.string ?? "{}")
        else { throw .refused(.invalidPendingToken, detail: "It is damaged, or older than five minutes; sign in with the provider again") }
        identity.formerIDs = json["former"]?.items?.compactMap(\.string) ?? []
        identity.audience = json["audience"]?.string
        self.identity = identity
    }
}
