/// When signing keys come, sign and go. A key is published before it signs, and until all that it signed is over, so that no verifier
/// ever meets a token whose key it cannot have (T5).
package enum KeySchedule {
    /// From being published to signing. Longer than verifiers keep what was published (`maxAge`).
    static let ahead = Duration.seconds(86_400)
    /// How long a key signs.
    static let reign = Duration.seconds(30 * 86_400)
    /// How long it verifies after that: more than the longest session cookie.
    static let afterwards = Duration.seconds(15 * 86_400)
    /// How long verifiers may keep the published keys.
    package static let maxAge = Duration.seconds(3600)
    /// The longest that a running server goes by keys that are no more.
    static let patience = Duration.seconds(60)

    /// What is to become of a key.
    package enum State: Sendable, Hashable {
        case next, signing
        /// It only verifies.
        case verifying(until: Timestamp)
    }

    /// The key that began last. A clock that was set back finds the first one there is.
    static func signing(among keys: [StoredSigningKey], at moment: Timestamp) -> StoredSigningKey? {
        keys.filter { $0.signsFrom <= moment }.max(by: isEarlier) ?? keys.min(by: isEarlier)
    }

    /// - Returns: in the order of their beginnings.
    package static func states(of keys: [StoredSigningKey], at moment: Timestamp) -> [(key: StoredSigningKey, state: State)] {
        let signing = signing(among: keys, at: moment)
        let ordered = keys.sorted(by: isEarlier)
        return ordered.enumerated().map { index, key in
            if key == signing { return (key, .signing) }
            guard key.signsFrom <= moment, index + 1 < ordered.count else { return (key, .next) }
            return (key, .verifying(until: ordered[index + 1].signsFrom + afterwards))
        }
    }

    /// The keys all of whose tokens are over.
    static func over(among keys: [StoredSigningKey], at moment: Timestamp) -> [StoredSigningKey] {
        states(of: keys, at: moment).compactMap { key, state in
            if case .verifying(let until) = state, until < moment { key } else { nil }
        }
    }

    /// When the next key is to begin, once it is time to publish it; nil before.
    static func nextBeginning(after keys: [StoredSigningKey], at moment: Timestamp) -> Timestamp? {
        guard let newest = keys.max(by: isEarlier) else { return moment }
        guard newest.signsFrom + reign <= moment + ahead else { return nil }
        return moment + ahead
    }

    /// When a key can begin that is to sign at once: later than the one that signs, as of two that began together none began last.
    static func soonest(after keys: [StoredSigningKey], at moment: Timestamp) -> Timestamp {
        max(moment, keys.map(\.signsFrom).filter { $0 <= moment }.max().map { $0 + .milliseconds(1) } ?? moment)
    }

    private static func isEarlier(_ a: StoredSigningKey, _ b: StoredSigningKey) -> Bool {
        (a.signsFrom, a.id) < (b.signsFrom, b.id)
    }
}
