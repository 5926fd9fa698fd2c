internal import Base
internal import Foundation

/// The installation's signing keys as they were read from the store at one time.
public struct KeyRing: Sendable {
    let stored: [StoredSigningKey]
    private let keys: [SigningKey]

    static let empty = KeyRing()

    private init() { (stored, keys) = ([], []) }

    init(_ stored: [StoredSigningKey], secrets: Secrets) throws(ActionError) {
        self.stored = stored
        keys = try stored.map { (key) throws(ActionError) in try SigningKey(key, secrets: secrets) }
    }

    /// The key with this id, which verifies tokens as long as it is in the store.
    subscript(id: String) -> SigningKey? { keys.first { $0.id == id } }

    /// The key that signs at this moment.
    func signing(at moment: Timestamp) throws(ActionError) -> SigningKey {
        guard let id = KeySchedule.signing(among: stored, at: moment)?.id, let key = self[id] else {
            throw .unavailable(Unavailable(.tokens, cause: "the store holds no signing key"))
        }
        return key
    }

    /// The JSON Web Key Set to publish. Source: RFC 7517.
    public func jwks() throws(ActionError) -> [UInt8] { try Self.json { ["keys": keys.map { $0.jwk() }] } }

    /// The keys in Google's older form: an object of PEM certificates by `kid`.
    public func certificates() throws(ActionError) -> [UInt8] {
        try Self.json { Dictionary(uniqueKeysWithValues: try keys.map { ($0.id, try $0.certificate()) }) }
    }

    private static func json(_ value: () throws -> some Encodable) throws(ActionError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return Array(try encoder.encode(try value())) } catch { throw .unavailable(Unavailable(.tokens, cause: "\(error)")) }
    }
}
