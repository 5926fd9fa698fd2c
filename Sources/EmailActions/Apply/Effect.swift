internal import Accounts

/// What one action does to the account. Slow parts (hashing, letters) are prepared before; `carryOut` runs in the transaction in
/// which the code was just spent, and whatever it throws gives the code back.
protocol Effect: Sendable {
    /// Refuses `INVALID_OOB_CODE` where the account is gone, or no longer what the code is about, and `USER_DISABLED`.
    /// - Parameter code: as this transaction spent it.
    /// - Returns: The account's address as it is now.
    func carryOut(by code: StoredCode, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> EmailAddress?
}

extension ActionRecords {
    /// The account that a code is about. Refuses `INVALID_OOB_CODE` where it is gone, and `USER_DISABLED`.
    func openAccount(of code: StoredCode) throws(ActionError) -> Account {
        guard let id = code.account, let account = try account(id, in: code.project) else { throw .refused(.invalidOobCode) }
        guard !account.disabled else { throw .refused(.userDisabled) }
        return account
    }
}
