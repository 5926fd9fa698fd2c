internal import Accounts
internal import EmailActions

/// Counts attempts against the limits of the installation.
struct RateLimiter: Sendable {
    /// Nil if there are no limits.
    let limits: Limits?

    /// Runs work that is counted as all of these attempts. Throws `tooSoon` before it begins, or in
    /// place of the answer to a wrong code. The kind of each limit says what is given back
    /// afterwards. The counts do not depend on which accounts exist, so refusals tell nothing about
    /// them (B1).
    /// - Parameters:
    ///   - byAdmin: whether nothing is counted: strangers' requests must not keep an admin from
    ///     sending a link (V2).
    ///   - ending: how work that throws nothing ended; default: with its effect.
    func counted<T>(
        by attempts: [Attempt], from peer: String, in project: Project, byAdmin: Bool = false,
        as ending: (T) -> AttemptEnd = { _ in .done }, _ work: () async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        guard let limits, let first = attempts.first, !byAdmin else { return try await work() }
        let source = Source(peer)
        return try await limits.counted(
            attempts.flatMap { $0.counts(from: source, in: project.id) }, collected: first.collection, as: ending,
            otherwise: { (wait) throws(ActionError) in throw .tooSoon(first.refusal, retryAfter: wait) }, work)
    }

    /// How long an attempt would have to wait. Counts nothing.
    func wait(before attempt: Attempt, from peer: String, in project: Project) -> Duration {
        limits?.wait(before: attempt.counts(from: Source(peer), in: project.id)) ?? .zero
    }

    /// Resets the counts of wrong passwords for an address from this source after its owner chose a
    /// new password (B4).
    func forgetGuesses(at email: String?, from peer: String, in project: Project) {
        guard let limits, let email = email.flatMap({ EmailAddress($0) }) else { return }
        for isKnown in [true, false] {
            let counts = Attempt.password(email, fromKnownNetwork: isKnown).counts(from: Source(peer), in: project.id)
            limits.forget(counts.filter { $0.limit != .passwordsPerSource })
        }
    }
}
