internal import Base
internal import Cryptography

/// The session in which a client begins a visit to a provider's page. It ends the visit by the
/// session id, which only the client has; this server keeps nothing but its hash.
public struct VisitSession: Sendable {
    /// The SHA-256 of the session id, in lower-case hexadecimal.
    let digest: String

    public init(id: String) { digest = HashFunction.sha256.hash(Array(id.utf8)).hexadecimal }

    /// The session of an app that shows only the hash before it has the answer; nil for anything
    /// else than a SHA-256.
    public init?(digest: String) {
        guard digest.utf8.count == 64, digest.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
            return nil
        }
        self.digest = digest
    }
}
