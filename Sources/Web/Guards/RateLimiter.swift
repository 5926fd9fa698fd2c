internal import Accounts
internal import EmailActions

/// An attempt that was admitted and counted.
struct Admission: Sendable {
    fileprivate let limits: Limits?
    fileprivate let tokens: [Limits.Token]

    /// Takes the attempt out of the counts again, after it succeeded.
    func giveBack() { limits?.giveBack(tokens) }

    /// Runs an attempt that counts only if it was answered wrong: not if it succeeds, nor if this
    /// server or another was too busy to judge it.
    func countingAnswers<T>(_ work: () async throws(ActionError) -> T) async throws(ActionError) -> T {
        do {
            let result = try await work()
            giveBack()
            return result
        } catch {
            switch error {
            case .tooSoon, .unavailable: giveBack()
            case .refused: break
            }
            throw error
        }
    }
}

/// Counts attempts against the limits of the installation.
struct RateLimiter: Sendable {
    /// Nil if there are no limits.
    let limits: Limits?

    /// Counts an attempt before any work is done for it. Throws `tooSoon`. The counts do not depend
    /// on which accounts exist, so refusals tell nothing about them (B1).
    @discardableResult
    func admit(
        _ attempt: Attempt, from peer: String, in project: Project, byAdmin: Bool = false
    ) throws(ActionError) -> Admission {
        let tokens = tokens(of: attempt, from: peer, in: project, byAdmin: byAdmin)
        do throws(Limits.TooSoon) { try limits?.take(tokens) } catch { throw .tooSoon(attempt.refusal, retryAfter: error.wait) }
        return Admission(limits: limits, tokens: tokens)
    }

    /// Counts an attempt `count` more times, because of its result.
    func charge(_ attempt: Attempt, _ count: Int, from peer: String, in project: Project) {
        limits?.charge(tokens(of: attempt, from: peer, in: project, byAdmin: false), count)
    }

    /// Throws `tooSoon` if `admit` would, and counts nothing.
    func require(_ attempt: Attempt, from peer: String, in project: Project, byAdmin: Bool) throws(ActionError) {
        let tokens = tokens(of: attempt, from: peer, in: project, byAdmin: byAdmin)
        do throws(Limits.TooSoon) { try limits?.require(tokens) } catch { throw .tooSoon(attempt.refusal, retryAfter: error.wait) }
    }

    /// Resets the counts of wrong passwords for an address from this source after its owner chose a
    /// new password (B4).
    func forgetGuesses(at email: String?, from peer: String, in project: Project) {
        guard let limits, let email = email.flatMap({ EmailAddress($0) }) else { return }
        for isKnown in [true, false] {
            let attempt = Attempt.password(email, fromKnownNetwork: isKnown)
            for count in attempt.counts(from: Source(peer), in: project.id, byAdmin: false) where count.limit != .passwordsPerSource {
                if let token = limits.token(count) { limits.fill(token) }
            }
        }
    }

    private func tokens(of attempt: Attempt, from peer: String, in project: Project, byAdmin: Bool) -> [Limits.Token] {
        guard let limits else { return [] }
        return attempt.counts(from: Source(peer), in: project.id, byAdmin: byAdmin).compactMap(limits.token)
    }
}
