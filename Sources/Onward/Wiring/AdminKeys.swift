import Accounts
import Store

/// The keys of the admin API: `onward_` and 43 characters of base64url, shown once, stored as a keyed hash.
struct AdminKeys: Sendable {
    private static let prefix = "onward_"

    /// Of ids: nothing that looks like something else, or like an option of the command line.
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789x".utf8)

    let store: Store
    let secrets: Secrets
    let now: Now
    let random: RandomBytes

    /// Makes a key. What is returned first is never to be had again.
    func create(label: String) async throws(ActionError) -> (text: String, stored: AdminKey) {
        let bytes = random(32)
        let id = String(decoding: random(8).map { Self.letters[Int($0) % Self.letters.count] }, as: UTF8.self)
        let key = AdminKey(digest: secrets.digest(bytes, for: .adminKey), id: id, label: label, createdAt: now())
        try await store.insert(key)
        return (Self.prefix + Base64URL.encode(bytes), key)
    }

    /// The label of the key that a bearer token is, unless it was revoked; nil for anything else.
    func label(of bearer: String) async throws(ActionError) -> String? {
        guard bearer.hasPrefix(Self.prefix), let bytes = Base64URL.decode(String(bearer.dropFirst(Self.prefix.count))), bytes.count == 32
        else { return nil }
        return try await store.adminKey(secrets.digest(bytes, for: .adminKey))?.label
    }
}
