internal import Base

/// Proves the address of an account from outside, for the owner of the mailbox who did not make the
/// account (A4): what was set up before ends, or the address leaves an account that was another
/// user's.
struct DisownAccount: Effect {
    func apply(_ code: StoredCode, in records: any Records, at now: Timestamp) throws(ActionError) -> AppliedEffect {
        var account = try records.openAccount(of: code)
        guard account.email == code.email else { throw .refused(.invalidOobCode) }
        let proved = try records.provedAddresses(of: account)
        let arrival = Arrival(by: .link, at: .init(account, proved: proved))
        if arrival == .passedOn {
            let invited = try records.newcomersAccount(at: account, or: nil, at: now)
            try records.passOn(account, proved: proved, now: now)
            if let invited { try records.insert(invited) }
        } else {
            account = try records.settle(arrival, by: .link, at: account, proved: proved, now: now)
            try records.update(account)
        }
        try records.withdrawOthers(like: code, at: now)
        return AppliedEffect(email: code.email)
    }
}
