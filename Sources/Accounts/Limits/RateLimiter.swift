/// The caller of a function that is limited.
public enum Client: Sendable, Hashable {
    /// An app or a browser, by its numeric address after trusted proxies, and its `User-Agent`.
    case peer(String, userAgent: String = "")
    /// An admin. Nothing is counted: strangers' requests must not keep an admin from sending a link
    /// (V2).
    case admin

    /// The network that a returning user is recognised by; nil for an admin, whose server says
    /// nothing about the user.
    public var network: String? { if case .peer(let peer, _) = self { Source(peer).home } else { nil } }

    /// The network that one subscriber has, for fair turns among mails; nil for an admin.
    var subscriber: String? { if case .peer(let peer, _) = self { Source(peer).subscriber } else { nil } }

    /// The device of the client, if it says; nil for an admin.
    var device: ClientDevice? { if case .peer(_, let userAgent) = self { ClientDevice(userAgent: userAgent) } else { nil } }
}

/// Counts attempts against the limits of the installation.
struct RateLimiter: Sendable {
    /// Nil if there are no limits.
    let limits: Limits?

    /// Runs work that is counted as all of these attempts. Throws `tooSoon` before it begins, or in
    /// place of the answer to a wrong code. The kind of each limit says what is given back
    /// afterwards. The counts do not depend on which accounts exist, so refusals tell nothing about
    /// them (B1).
    /// - Parameter ending: how work that throws nothing ended; default: with its effect.
    func counted<T>(
        by attempts: [LimitedAttempt], from client: Client, in project: Project, as ending: (T) -> AttemptEnd = { _ in .done },
        _ work: () async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        guard let limits, let first = attempts.first, case .peer(let peer, _) = client else { return try await work() }
        let source = Source(peer)
        return try await limits.counted(
            attempts.flatMap { $0.counts(from: source, in: project.id) }, collected: first.collection, as: ending,
            otherwise: { (wait) throws(ActionError) in throw .tooSoon(first.refusal, retryAfter: wait) }, work)
    }

    /// Runs work that writes one more mail of a kind to an address, each kind apart, and counts the
    /// mail if it was written: only so an address's mails cannot be used up without sending them
    /// (V1).
    ///
    /// The work runs in any case. If the address got enough mails it is told `excess`, a `tooSoon`,
    /// and writes none.
    func countingMail<T>(
        _ action: Action, to recipient: EmailAddress, in project: ProjectID,
        _ write: (_ excess: ActionError?) async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        guard let limits else { return try await write(nil) }
        return try await limits.counted(
            [LimitedAttempt.Count(limit: .mailsPerAddress, subject: "\(project) \(action.rawValue) \(recipient)")],
            otherwise: { (wait) throws(ActionError) in
                try await write(.tooSoon(action == .resetPassword ? .resetPasswordExceedLimit : .tooManyAttempts, retryAfter: wait))
            },
            { () throws(ActionError) in try await write(nil) })
    }

    /// Runs work that writes a mail of `LimitedAttempt.noAccountMail`, unless it is told that the
    /// mail would be one too many: then it writes none, and is not counted.
    func countingNoAccountMail<T>(
        from client: Client, in project: Project, _ write: (_ isExcess: Bool) async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        guard let limits, case .peer(let peer, _) = client else { return try await write(false) }
        return try await limits.counted(
            LimitedAttempt.noAccountMail.counts(from: Source(peer), in: project.id),
            otherwise: { (_) throws(ActionError) in try await write(true) }, { () throws(ActionError) in try await write(false) })
    }

    /// How long an attempt would have to wait. Counts nothing.
    func wait(before attempt: LimitedAttempt, from client: Client, in project: Project) -> Duration {
        guard let limits, case .peer(let peer, _) = client else { return .zero }
        return limits.wait(before: attempt.counts(from: Source(peer), in: project.id))
    }

    /// Resets the counts of wrong passwords for an address from this source after its owner chose a
    /// new password (B4).
    func forgetGuesses(at email: String?, from client: Client, in project: Project) {
        guard let limits, case .peer(let peer, _) = client, let email = email.flatMap({ EmailAddress($0) }) else { return }
        for isKnown in [true, false] {
            let counts = LimitedAttempt.password(email, fromKnownNetwork: isKnown).counts(from: Source(peer), in: project.id)
            limits.forget(counts.filter { $0.limit != .passwordsPerSource })
        }
    }
}
