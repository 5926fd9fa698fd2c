package import Accounts

extension EmailActions {
    /// Adds a second step to an account and mails the link that takes it off again, in one transaction: whoever added it may not
    /// be the account's person. Refuses `USER_NOT_FOUND` and `MISSING_EMAIL`.
    package func add(_ factor: SecondFactor, to id: AccountID, in project: Project) async throws(ActionError) {
        let account = try await store.read { (records: any ActionRecords) throws(ActionError) in try records.account(id, in: project.id) }
        guard let account else { throw .refused(.userNotFound) }
        guard let email = account.email else { throw .refused(.missingEmail) }
        var purpose = CodePurpose(.revertSecondFactorAddition, email: email)
        purpose.secondFactor = factor
        let draft = try drafts.draft(purpose, for: account, in: project)
        try await store.transaction { (records: any ActionRecords) throws(ActionError) in
            try records.insert(factor, of: id, in: project.id)
            try draft.store(in: records)
        }
        drafts.observe(draft.issued)
    }
}
