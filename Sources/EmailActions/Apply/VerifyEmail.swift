internal import Accounts

/// The address is the person's. Links for the same purpose have nothing left to do.
struct VerifyEmail: Effect {
    func carryOut(by code: StoredCode, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> EmailAddress? {
        guard let account = code.account, try records.verify(code.email, of: account, in: code.project) else {
            _ = try records.openAccount(of: code)
            throw .refused(.invalidOobCode)
        }
        try records.withdrawOthers(like: code, at: now)
        return code.email
    }
}
