public import Base

/// The times at which signing keys are published, sign and are removed. A key is published before
/// it signs and until every token that it signed has expired, so that a verifier can always get the
/// key of a valid token (T5).
public enum KeySchedule {
    /// The time from publication to the first signature, longer than verifiers cache the published
    /// keys (`maxAge`).
    public static let publishedAhead = Duration.seconds(86_400)
    /// The time for which a key signs.
    static let signingPeriod = Duration.seconds(30 * 86_400)
    /// The time for which a key verifies after that, longer than a session cookie lasts.
    static let verifyingPeriod = Duration.seconds(15 * 86_400)
    /// The time for which verifiers may cache the published keys.
    public static let maxAge = Duration.seconds(3600)
    /// The time for which a running server uses the keys that it has read.
    static let cacheLifetime = Duration.seconds(60)

    /// The state of a key.
    public enum State: Sendable, Hashable {
        case next, signing
        /// The key only verifies.
        case verifying(until: Timestamp)
    }

    /// The key that began to sign last; the earliest key if none has begun, as after the clock was
    /// set back.
    static func signing(among keys: [StoredSigningKey], at moment: Timestamp) -> StoredSigningKey? {
        keys.filter { $0.signsFrom <= moment }.max(by: isEarlier) ?? keys.min(by: isEarlier)
    }

    /// - Returns: the keys in the order in which they begin to sign.
    public static func states(of keys: [StoredSigningKey], at moment: Timestamp) -> [(key: StoredSigningKey, state: State)] {
        let signing = signing(among: keys, at: moment)
        let ordered = keys.sorted(by: isEarlier)
        return ordered.enumerated().map { index, key in
            if key == signing { return (key, .signing) }
            guard key.signsFrom <= moment, index + 1 < ordered.count else { return (key, .next) }
            return (key, .verifying(until: ordered[index + 1].signsFrom + verifyingPeriod))
        }
    }

    /// The keys whose tokens have all expired.
    static func expired(among keys: [StoredSigningKey], at moment: Timestamp) -> [StoredSigningKey] {
        states(of: keys, at: moment).compactMap { key, state in
            if case .verifying(let until) = state, until < moment { key } else { nil }
        }
    }

    /// The time at which the next key begins to sign, if it must be published now; nil before that.
    static func nextStart(after keys: [StoredSigningKey], at moment: Timestamp) -> Timestamp? {
        guard let newest = keys.max(by: isEarlier) else { return moment }
        guard newest.signsFrom + signingPeriod <= moment + publishedAhead else { return nil }
        return moment + publishedAhead
    }

    /// The time at which a key begins that is to sign at once. It is later than the start of the
    /// one that signs, because of two keys with the same start neither is the last.
    static func earliestStart(after keys: [StoredSigningKey], at moment: Timestamp) -> Timestamp {
        max(moment, keys.map(\.signsFrom).filter { $0 <= moment }.max().map { $0 + .milliseconds(1) } ?? moment)
    }

    private static func isEarlier(_ a: StoredSigningKey, _ b: StoredSigningKey) -> Bool {
        (a.signsFrom, a.id) < (b.signsFrom, b.id)
    }
}
