internal import Base

/// A phone number or second factor that was set up before the owner secured an account by a link,
/// and stays. Its page names it, because it may be an intruder's.
public struct RemainingWay: Sendable, Hashable {
    /// The id of the second factor; nil for the phone number of the account.
    public let secondFactor: String?
    /// A second factor of an app need not have a name.
    public let name: String?
}

extension Accounts {
    /// The ways that stay of an account after a link was applied.
    public func remainingWays(after ended: EndedAction) async throws(ActionError) -> [RemainingWay] {
        guard case .own(let code, let account?, _) = ended.record, let stays = Stays(code, account, at: now()) else { return [] }
        return try await store.read { (records) throws(ActionError) in
            stays.ways(of: account, with: try records.secondFactors(of: account.id, in: account.project))
        }
    }

    /// Removes what stays, and ends all sessions, because some may have been opened with it since
    /// the press. Refuses `INVALID_OOB_CODE` half an hour after the press, and if the account has
    /// another address.
    /// - Parameter secondFactor: the id of a second factor; nil: the phone number.
    public func remove(remaining secondFactor: String?, after ended: EndedAction, from client: Client) async throws(ActionError) {
        guard let code = ended.stored else { throw .refused(.invalidOobCode) }
        let (moment, project) = (now(), ended.project)
        try await store.transaction { [drafts] (records) throws(ActionError) in
            var account = try records.openAccount(of: code)
            guard let stays = Stays(code, account, at: moment) else { throw .refused(.invalidOobCode) }
            let factors = try records.secondFactors(of: account.id, in: account.project)
            // The button was pressed twice.
            guard stays.ways(of: account, with: factors).contains(where: { $0.secondFactor == secondFactor }) else { return }
            if let factor = factors.first(where: { $0.id == secondFactor }) {
                _ = try records.deleteSecondFactor(factor.id, of: account.id, in: account.project)
                let notice = drafts.notice(
                    ifMailed: .secondFactorRemoved, to: code.email, secondFactor: factor.shownName, for: account, by: client,
                    in: project)
                try records.tell(notice, about: account)
            } else {
                account.setPhoneNumber(nil, at: moment)
            }
            _ = try records.end(.wayInRemoved, of: account, at: moment)
        }
    }
}

/// Finds what was set up before the press of a link and stays. Applies for half an hour after the
/// press, while the account has the address that its owner secured it by.
private struct Stays: Sendable {
    let action: Action
    let until: Timestamp

    init?(_ code: StoredCode, _ account: Account, at now: Timestamp) {
        guard code.end == .used, let endedAt = code.endedAt, now < endedAt + .seconds(1800),
            [.recoverEmail, .resetPassword].contains(code.action),
            account.email == code.email, !account.disabled
        else { return nil }
        (action, until) = (code.action, endedAt)
    }

    /// A reset leaves second factors to the user, who is asked for one at the next sign-in.
    func ways(of account: Account, with factors: [SecondFactor]) -> [RemainingWay] {
        let isOlder = account.phoneLinkedAt.map { $0 < until } ?? true
        let phone = isOlder ? account.phoneNumber.map { RemainingWay(secondFactor: nil, name: $0.masked) } : nil
        let older = action == .recoverEmail ? factors.filter { $0.enrolledAt < until } : []
        let named = older.map { factor in
            RemainingWay(
                secondFactor: factor.id,
                name: factor.displayName ?? factor.phoneNumber.flatMap { PhoneNumber($0) }?.masked)
        }
        return [phone].compactMap(\.self) + named
    }
}
