internal import Accounts

/// A secret that values of the database were made with.
struct KnownSecret: Sendable, Hashable {
    enum State: String, Sendable {
        /// Seals and opens.
        case current
        /// Opens what it sealed, until all of that is sealed again.
        case previous
        /// Nothing is sealed with it any more. Digests by it are still found.
        case resealed
        /// It was lost. Its values stay, and are of use again if it is configured again.
        case replaced
    }

    /// The number that its values begin with.
    let number: UInt8
    let fingerprint: Digest
    /// Differs from the fingerprint if one of them is damaged.
    var copy: Digest
    var state: State
    /// The result of `Secrets.sealedDigestKeys`.
    var sealedKeys: [UInt8]?

    init(_ secrets: Secrets, number: UInt8, _ state: State) {
        (self.number, fingerprint, copy, self.state) = (number, secrets.fingerprint, secrets.fingerprint, state)
    }

    /// Whether values that it sealed may be in the database.
    var hasSealedValues: Bool { state != .resealed }

    func becoming(_ state: State, sealedKeys: [UInt8]? = nil) -> KnownSecret {
        var changed = self
        (changed.state, changed.sealedKeys) = (state, sealedKeys)
        return changed
    }
}

extension KnownSecret.State: SQLConvertible {}

extension KnownSecret: TableRow {
    static let table = "secret"
    static let columns: TableColumns = "number, fingerprint, fingerprint_copy, state, sealed_keys"

    var values: [any SQLConvertible] { [Int(number), fingerprint, copy, state, sealedKeys] }

    init(_ row: NamedRow) throws(SQLFailure) {
        let number: Int = try row["number"]
        guard let byte = UInt8(exactly: number) else { throw .failed(cause: "the number of a secret is out of range") }
        (self.number, fingerprint, copy) = (byte, try row["fingerprint"], try row["fingerprint_copy"])
        (state, sealedKeys) = (try row["state"], try row["sealed_keys"])
    }
}

extension [KnownSecret] {
    subscript(_ state: KnownSecret.State) -> KnownSecret? { first { $0.state == state } }

    subscript(_ secrets: Secrets) -> KnownSecret? { first { $0.fingerprint == secrets.fingerprint } }

    /// Whether each secret that something is sealed with is configured.
    func areOpened(by configured: [Secrets]) -> Bool {
        allSatisfy { known in
            switch known.state {
            case .current, .previous: configured.contains { $0.fingerprint == known.fingerprint }
            case .resealed, .replaced: true
            }
        }
    }

    /// These secrets with one more, or with one that becomes the current one again.
    /// - Returns: nil if every number is taken.
    func adding(_ secrets: Secrets) -> [KnownSecret]? {
        let taken = Set(map(\.number))
        guard let number = self[secrets]?.number ?? (Secrets.firstNumber...UInt8.max).first(where: { !taken.contains($0) }) else {
            return nil
        }
        return filter { $0.number != number } + [KnownSecret(secrets, number: number, .current)]
    }
}
