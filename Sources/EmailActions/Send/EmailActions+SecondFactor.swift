public import Accounts

extension EmailActions {
    /// Enrols a second factor and mails a link that removes it again, in one transaction, because
    /// an intruder may have added it. All sessions end, because their users did not prove it.
    ///
    /// Refuses `USER_NOT_FOUND`, `UNVERIFIED_EMAIL` if its owner could not be told,
    /// `SECOND_FACTOR_LIMIT_EXCEEDED`, `INVALID_CODE`, and `TOKEN_EXPIRED` if the account changed
    /// since it was `seen`, for example by another enrolment.
    /// - Parameters:
    ///   - step: the time step of the code by which an app was proved.
    ///   - isProven: finds out in the transaction whether the code of a text message is right.
    ///   - recoveryCodes: the keyed hashes of codes that may be used instead.
    /// - Returns: the account afterwards.
    @discardableResult
    public func enroll(
        _ factor: SecondFactor, provedAt step: Int64? = nil,
        ifProven isProven: @escaping @Sendable (any AccountRecords) throws(ActionError) -> Bool = { _ in true },
        recoveryCodes: [Digest] = [], for seen: Account, in project: Project
    ) async throws(ActionError) -> Account {
        guard let email = seen.email, seen.emailVerified else { throw .refused(.unverifiedEmail) }
        var purpose = CodePurpose(.revertSecondFactorAddition, email: email, settings: ApprovedSettings(in: project))
        purpose.secondFactor = factor
        let draft = drafts.draft(purpose, for: seen)
        let moment = now()
        let account = try await store.transaction { (records: any ActionRecords) throws(ActionError) -> Account? in
            guard let account = try records.account(seen.id, in: project.id) else { throw .refused(.userNotFound) }
            guard account.isUnchanged(since: seen) else { throw .refused(.tokenExpired) }
            guard try records.secondFactors(of: account.id, in: project.id).count < SecondFactor.maxPerAccount else {
                throw .refused(.secondFactorLimitExceeded)
            }
            guard try isProven(records) else { return nil }
            try records.insert(factor, of: account.id, in: project.id, byAdmin: false)
            if let step { _ = try records.use(step, of: factor, of: account) }
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
}
