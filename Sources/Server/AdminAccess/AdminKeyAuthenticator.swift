public import Accounts
public import Base
public import Store

/// Creates and verifies keys of the admin API: `onward_` and 43 characters of base64url, shown once
/// and stored as a keyed hash.
public struct AdminKeyAuthenticator: Sendable {
    private static let prefix = "onward_"

    /// The characters of ids, without similar ones and without `-`, which begins an option.
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789x".utf8)

    private static let idLength = 8

    public let store: Store
    private let secrets: Secrets
    public let now: Now
    private let random: RandomBytes

    public init(store: Store, secrets: Secrets, now: @escaping Now, random: @escaping RandomBytes) {
        (self.store, self.secrets, self.now, self.random) = (store, secrets, now, random)
    }

    /// Whether a text has the form of an id. A key that was entered instead of an id must not be
    /// recorded.
    public static func isID(_ text: String) -> Bool { text.utf8.count == idLength && text.utf8.allSatisfy(letters.contains) }

    /// Creates a key. The returned text cannot be recovered later.
    public func create(label: String, scope: AdminScope, lifetime: Duration?) async throws(ActionError) -> (text: String, stored: AdminKey)
    {
        let bytes = random(32)
        let id = String(decoding: random(Self.idLength).map { Self.letters[Int($0) % Self.letters.count] }, as: UTF8.self)
        let now = now()
        let key = AdminKey(
            digest: secrets.digest(bytes, for: .adminKey), id: id, label: label, scope: scope, createdAt: now,
            expiresAt: lifetime.map { now + $0 })
        try await store.insert(key)
        return (Self.prefix + Base64URL.encode(bytes), key)
    }

    /// Returns the admin whose key a bearer token is; nil if it is not a key, has
    /// expired or was revoked.
    public func admin(of bearer: String) async throws(ActionError) -> Admin? {
        guard bearer.hasPrefix(Self.prefix), let bytes = Base64URL.decode(String(bearer.dropFirst(Self.prefix.count))), bytes.count == 32
        else { return nil }
        return try await store.adminKey(secrets.digest(bytes, for: .adminKey), at: now()).map {
            .key(id: $0.id, label: $0.label, scope: $0.scope)
        }
    }
}
