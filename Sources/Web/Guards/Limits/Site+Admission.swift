internal import Accounts
internal import EmailActions

/// An attempt that was let in, and may be taken back.
struct Admission: Sendable {
    fileprivate let limits: Limits?
    fileprivate let tokens: [Limits.Token]

    /// As if it had never been made: it went well.
    func giveBack() { limits?.giveBack(tokens) }
}

extension Site {
    /// Counts an attempt before any work is done for it. Throws `tooSoon`; knows nothing of accounts, so it tells nothing of them (B1).
    @discardableResult
    func admit(
        _ attempt: Attempt, from peer: String, in project: Project, byAdmin: Bool = false
    ) throws(ActionError) -> Admission {
        let tokens = tokens(of: attempt, from: peer, in: project, byAdmin: byAdmin)
        do throws(Limits.TooSoon) {
            try limits?.take(tokens)
        } catch { throw .tooSoon(attempt.refusal, retryAfter: error.wait) }
        return Admission(limits: limits, tokens: tokens)
    }

    private func tokens(of attempt: Attempt, from peer: String, in project: Project, byAdmin: Bool) -> [Limits.Token] {
        guard let limits else { return [] }
        return attempt.counts(from: Source(peer), in: project.id, byAdmin: byAdmin).compactMap { limits.token($0, of: $1) }
    }

    /// Looks at the code of a link. Only one that never was is a guess: those count, and when there were too many nothing is looked up
    /// (C13). What is only being looked at counts for nothing, so that an office behind one address may open its links all at once.
    func inspect(_ link: ActionLink, in project: Project, for peer: String) async throws(ActionError) -> Inspection {
        try await counted(from: peer, in: project) { () async throws(ActionError) in try await actions.inspect(link, in: project) }
    }

    /// The same for a code that came by the API.
    func inspect(_ code: OobCode, in project: Project, for peer: String, byAdmin: Bool) async throws(ActionError) -> Inspection {
        try await counted(from: peer, in: project, byAdmin: byAdmin) { () async throws(ActionError) in
            try await actions.inspect(code, in: project)
        }
    }

    private func counted(
        from peer: String, in project: Project, byAdmin: Bool = false, _ look: () async throws(ActionError) -> Inspection
    ) async throws(ActionError) -> Inspection {
        do throws(ActionError) { return try await limited(from: peer, in: project, byAdmin: byAdmin, look) } catch {
            meters.codes.refuse(nil, error)
            throw error
        }
    }

    private func limited(
        from peer: String, in project: Project, byAdmin: Bool, _ look: () async throws(ActionError) -> Inspection
    ) async throws(ActionError) -> Inspection {
        do throws(Limits.TooSoon) {
            try limits?.require(tokens(of: .code, from: peer, in: project, byAdmin: byAdmin))
        } catch { throw .tooSoon(Attempt.code.refusal, retryAfter: error.wait) }
        let inspection = try await look()
        if case .unknown = inspection { try admit(.code, from: peer, in: project, byAdmin: byAdmin) }
        return inspection
    }

    /// The holder of the mailbox chose a new password: what was tried before was another. So nobody who guesses keeps the owner out (B4).
    func forgetGuesses(at email: String?, from peer: String, in project: Project) {
        guard let limits, let email = email.flatMap({ EmailAddress($0) }) else { return }
        for (limit, subject) in Attempt.password(email).counts(from: Source(peer), in: project.id, byAdmin: false) {
            guard limit != .passwordsPerSource, let token = limits.token(limit, of: subject) else { continue }
            limits.fill(token)
        }
    }
}

extension Call {
    /// Counts an attempt of the caller's before any work is done for it. Throws `tooSoon`.
    @discardableResult
    func admit(_ attempt: Attempt) throws(ActionError) -> Admission {
        try site.admit(attempt, from: peer, in: project, byAdmin: caller.isAdmin)
    }
}
