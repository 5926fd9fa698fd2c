package import Accounts

extension EmailActions {
    /// Adds a second factor to an account and mails a link that removes it again, in one
    /// transaction, because an intruder may have added it. Refuses `USER_NOT_FOUND` and
    /// `MISSING_EMAIL`.
    package func add(_ factor: SecondFactor, to id: AccountID, in project: Project) async throws(ActionError) {
        let account = try await store.read { (records: any ActionRecords) throws(ActionError) in try records.account(id, in: project.id) }
        guard let account else { throw .refused(.userNotFound) }
        guard let email = account.email else { throw .refused(.missingEmail) }
        var purpose = CodePurpose(.revertSecondFactorAddition, email: email, settings: ApprovedSettings(in: project))
        purpose.secondFactor = factor
        let draft = drafts.draft(purpose, for: account)
        try await store.transaction { (records: any ActionRecords) throws(ActionError) in
            try records.insert(factor, of: id, in: project.id)
            try draft.store(in: records)
        }
        drafts.observe(draft.issued)
    }
}
