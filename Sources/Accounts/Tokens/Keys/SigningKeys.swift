package import Queues

/// The keys that sign tokens, as several processes on one database share them: all see a change within a minute, and at once when a
/// token names a key that they do not know (T5).
package actor SigningKeys {
    private let store: any SigningKeyStore
    private let secrets: Secrets
    private let workerPool: WorkerPool
    private let now: Now
    private let random: RandomBytes
    private var known: (ring: KeyRing, seenAt: Timestamp)?

    /// - Parameter crew: where new keys are made, which takes long.
    package init(store: any SigningKeyStore, secrets: Secrets, workerPool: WorkerPool, now: @escaping Now, random: @escaping RandomBytes) {
        self.store = store
        self.secrets = secrets
        self.workerPool = workerPool
        self.now = now
        self.random = random
    }

    /// The keys of now.
    /// - Parameter id: one that must be looked for in the store when it is not known here.
    package func ring(holding id: String? = nil) async throws(ActionError) -> KeyRing {
        if let known {
            let age = now() - known.seenAt
            let isFresh = (.zero...KeySchedule.patience).contains(age)
            // Tokens with invented names of keys must not make a read each.
            let mayHold = id.map { known.ring[$0] != nil || age < .seconds(1) } ?? true
            if isFresh, mayHold { return known.ring }
        }
        let seenAt = now()
        let stored = try await store.signingKeys()
        guard !stored.isEmpty else {
            try await keep()
            return try await ring()
        }
        let ring = if let ring = known?.ring, ring.stored == stored { ring } else { try KeyRing(stored, secrets: secrets) }
        known = (ring, seenAt)
        return ring
    }

    /// Makes the first key, and each next one a day before it signs; forgets those whose tokens are all over. Of many who do it at
    /// once one succeeds.
    package nonisolated func keep() async throws(ActionError) {
        let moment = now()
        let stored = try await store.signingKeys()
        let over = Set(KeySchedule.over(among: stored, at: moment).map(\.id))
        let next: StoredSigningKey? =
            if let beginning = KeySchedule.nextBeginning(after: stored, at: moment) { try await make(signsFrom: beginning) } else { nil }
        guard next != nil || !over.isEmpty else { return }
        try await store.changeSigningKeys { keys in
            KeyChange(adding: KeySchedule.nextBeginning(after: keys, at: moment) == nil ? nil : next, forgetting: over)
        }
    }

    /// By hand.
    package enum Urgency: Sendable, Hashable {
        /// Signs in a day.
        case published
        /// Signs at once: verifiers that have kept the published keys learn of it when they look again.
        case immediate
        /// The same, and all others are forgotten: whatever they signed is refused from then on.
        case compromised
    }

    /// Makes another key.
    package nonisolated func rotate(_ urgency: Urgency) async throws(ActionError) -> StoredSigningKey {
        let moment = now()
        let key = try await make(
            signsFrom: urgency == .published ? moment + KeySchedule.ahead : KeySchedule.soonest(after: store.signingKeys(), at: moment))
        try await store.changeSigningKeys { keys in
            KeyChange(adding: key, forgetting: urgency == .compromised ? Set(keys.map(\.id)) : [])
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
