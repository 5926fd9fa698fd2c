public import Base
public import Network

/// The keys that sign tokens, shared by all processes on one database. Each process sees a change
/// within a minute, and at once if a token names a key that it does not know (T5).
public actor SigningKeys {
    private let store: any Storage
    private let secrets: Secrets
    private let workerPool: WorkerPool
    private let now: Now
    private let random: RandomBytes
    private var known: (ring: KeyRing, seenAt: Timestamp)?

    /// - Parameter workerPool: generates new keys, which takes long.
    public init(store: any Storage, secrets: Secrets, workerPool: WorkerPool, now: @escaping Now, random: @escaping RandomBytes) {
        self.store = store
        self.secrets = secrets
        self.workerPool = workerPool
        self.now = now
        self.random = random
    }

    /// The current keys.
    /// - Parameter id: a key that is looked for in the store if it is not known here.
    public func ring(holding id: String? = nil) async throws(ActionError) -> KeyRing {
        if let known {
            let age = now() - known.seenAt
            let isFresh = (.zero...KeySchedule.cacheLifetime).contains(age)
            // Tokens with invented key ids must not cause a read each.
            let mayHold = id.map { known.ring[$0] != nil || age < .seconds(1) } ?? true
            if isFresh, mayHold { return known.ring }
        }
        let seenAt = now()
        let stored = try await store.signingKeys()
        guard !stored.isEmpty else {
            try await maintain()
            return try await ring()
        }
        let ring = if let ring = known?.ring, ring.stored == stored { ring } else { try KeyRing(stored, secrets: secrets) }
        known = (ring, seenAt)
        return ring
    }

    /// Generates the first key, and each next one a day before it signs; removes keys whose tokens
    /// have all expired. If several processes do this at once, one key is added.
    public nonisolated func maintain() async throws(ActionError) {
        let moment = now()
        let stored = try await store.signingKeys()
        let expired = Set(KeySchedule.expired(among: stored, at: moment).map(\.id))
        let next: StoredSigningKey? =
            if let start = KeySchedule.nextStart(after: stored, at: moment) { try await make(signsFrom: start) } else { nil }
        guard next != nil || !expired.isEmpty else { return }
        try await store.changeSigningKeys { keys in
            KeyChange(adding: KeySchedule.nextStart(after: keys, at: moment) == nil ? nil : next, removing: expired)
        }
    }

    /// The urgency of a rotation that an operator asks for.
    public enum Urgency: Sendable, Hashable {
        /// The new key signs in a day.
        case published
        /// The new key signs at once. Verifiers that cache the published keys see it when they read
        /// them again.
        case immediate
        /// The new key signs at once and all others are removed, so that every token signed with
        /// them is refused.
        case compromised
    }

    /// Generates a new key and stores it.
    public nonisolated func rotate(_ urgency: Urgency) async throws(ActionError) -> StoredSigningKey {
        let moment = now()
        let key = try await make(
            signsFrom: urgency == .published
                ? moment + KeySchedule.publishedAhead : KeySchedule.earliestStart(after: store.signingKeys(), at: moment))
        try await store.changeSigningKeys { keys in
            KeyChange(adding: key, removing: urgency == .compromised ? Set(keys.map(\.id)) : [])
        }
        return key
    }

    private nonisolated func make(signsFrom: Timestamp) async throws(ActionError) -> StoredSigningKey {
        let (id, moment, secrets) = (Base64URL.encode(random(12)), now(), secrets)
        do {
            return try await workerPool.run { try SigningKey.make(id: id, now: moment, signsFrom: signsFrom, secrets: secrets) }
        } catch { throw .unavailable(Unavailable(.tokens, cause: "\(error)")) }
    }
}
