internal import Base

/// The proof that a user has the second factor that is being enrolled.
public enum EnrollmentProof: Sendable {
    /// A code of an authenticator app was right; the time step of the code.
    case app(step: Int64)
    /// The code of a text message, which has still to be compared, and the network of the client,
    /// nil if it says nothing about the user.
    case textMessage(TypedVerificationCode, from: String?)
}

extension Accounts {
    /// Enrols a second factor and mails a link that removes it again, in one transaction, because
    /// an intruder may have added it. All sessions end, because their users did not prove it.
    ///
    /// Refuses `USER_NOT_FOUND`, `UNVERIFIED_EMAIL` if its owner could not be told,
    /// `SECOND_FACTOR_LIMIT_EXCEEDED`, `INVALID_CODE`, and `TOKEN_EXPIRED` if the account changed
    /// since it was `seen`, for example by another enrolment.
    /// - Parameters:
    ///   - proof: what shows that the user has the factor; a wrong code is counted. Nil for a
    ///     factor that is not a client's.
    ///   - recoveryCodes: the keyed hashes of codes that may be used instead.
    /// - Returns: the account afterwards.
    @discardableResult
    public func enroll(
        _ factor: SecondFactor, by proof: EnrollmentProof?, recoveryCodes: [Digest] = [], for seen: Account, from client: Client,
        in project: Project
    ) async throws(ActionError) -> Account {
        guard let email = seen.email, seen.emailVerified else { throw .refused(.unverifiedEmail) }
        var request = CodeRequest(.revertSecondFactorAddition, for: .address(email), with: ApprovedSettings(in: project))
        request.client = client
        let draft = drafts.draft(request, to: email, for: seen, removing: factor)
        let moment = now()
        let account = try await store.transaction { (records) throws(ActionError) -> Account? in
            guard let account = try records.account(seen.id, in: project.id) else { throw .refused(.userNotFound) }
            guard account.isUnchanged(since: seen) else { throw .refused(.tokenExpired) }
            guard try records.secondFactors(of: account.id, in: project.id).count < SecondFactor.maxPerAccount else {
                throw .refused(.secondFactorLimitExceeded)
            }
            guard try isRight(proof, of: account, at: moment, in: records) else { return nil }
            try records.insert(factor, of: account.id, in: project.id, byAdmin: false)
            if case .app(let step) = proof { _ = try records.use(step, of: factor, of: account) }
            try records.insert(recoveryCodes: recoveryCodes, of: factor, of: account)
            let ended = try records.end(.credentialsChanged, of: account, at: moment)
            try draft.store(in: records)
            return ended
        }
        // Thrown outside of the transaction, because a throw inside would forget the wrong code.
        guard let account else { throw .refused(.invalidCode) }
        drafts.observe(draft.issued)
        return account
    }

    /// Spends the code of a text message, or counts a wrong one.
    private func isRight(
        _ proof: EnrollmentProof?, of account: Account, at moment: Timestamp, in records: any Records
    ) throws(ActionError) -> Bool {
        guard case .textMessage(let typed, let network) = proof else { return true }
        let sent = try records.verificationCode(
            secrets.digest(ofSession: typed.sessionInfo), in: account.project, for: .enrollment(account.id))
        return try records.counting(counter(of: sent, from: network, in: records), at: moment) { () throws(ActionError) in
            try records.spend(typed, of: sent, by: secrets, at: moment)
        }
    }
}
