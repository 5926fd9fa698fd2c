internal import Accounts

/// The second step goes, with every session: whoever added it may still be signed in.
struct RevertSecondFactorAddition: Effect {
    let secondFactor: SecondFactor
    let notice: StoredMail

    func carryOut(by code: StoredCode, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> EmailAddress? {
        let account = try records.openAccount(of: code)
        guard try records.deleteSecondFactor(secondFactor.id, of: account.id, in: account.project) else {
            throw .refused(.invalidOobCode)
        }
        try records.insert(notice)
        return try records.updateEndingSessions(account, at: now).email
    }
}
