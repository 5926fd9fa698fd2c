internal import Accounts

/// What one action does to the account. Slow parts (hashing, letters) are prepared before; `carryOut` runs in the transaction in
/// which the code was just spent, and whatever it throws gives the code back.
protocol Effect: Sendable {
    func carryOut(on account: Account, for code: StoredCode, in records: any ActionRecords, at now: Timestamp) throws(ActionError)
        -> Account
}
