/// The accounts that a text of a person names who helps a user.
public struct AccountSearch: Sendable {
    /// How the accounts are named by the text.
    public enum Match: String, Sendable, CaseIterable {
        /// It is an address, an id, a phone number, or the id of a user at a provider.
        case exact
        /// Their addresses begin with it.
        case beginning
        /// Their addresses begin as it does: it may be mistyped.
        case similar
        /// It is empty.
        case newest
    }

    public let match: Match
    public let profiles: [Accounts.Profile]
    /// Whether there may be more on another page.
    public let hasMore: Bool
}

extension Accounts {
    /// Finds accounts by their address or its beginning, id, phone number, or the id of their user
    /// at a provider; without a text, the newest ones. Refuses `USER_NOT_FOUND` if the account
    /// `after` which the page begins is gone.
    public func find(
        _ text: String, after last: AccountID?, limit: Int, in project: Project
    ) async throws(ActionError) -> AccountSearch {
        return try await store.read { (records) throws(ActionError) in
            let before = try last.map { (id) throws(ActionError) in
                guard let account = try records.account(id, in: project.id) else { throw .refused(.userNotFound) }
                return account
            }
            if text.isEmpty {
                let newest = try records.newestAccounts(before: before, limit: limit + 1, in: project.id)
                return try records.search(.newest, newest, limit: limit)
            }
            let exact = before == nil ? try records.accounts(named: text, in: project) : []
            guard exact.isEmpty else { return try records.search(.exact, exact, limit: exact.count) }
            // The order has no place for an account that has lost its address since.
            if let before, before.email == nil { throw .refused(.userNotFound) }
            let beginning = try records.accounts(withEmailBeginning: text, after: before?.email, limit: limit + 1, in: project.id)
            guard beginning.isEmpty, before == nil else { return try records.search(.beginning, beginning, limit: limit) }
            let similar = try records.similar(to: text, in: project.id)
            return try records.search(.similar, similar, limit: similar.count)
        }
    }
}

extension Records {
    /// The most accounts that are similar, which are seldom the one that is meant.
    private static var similarLimit: Int { 10 }
    /// The shortest beginning that a mistyped address shares with the one that is meant.
    private static var shortestBeginning: Int { 3 }

    fileprivate func search(_ match: AccountSearch.Match, _ accounts: [Account], limit: Int) throws(ActionError) -> AccountSearch {
        AccountSearch(
            match: match, profiles: try accounts.prefix(limit).map { (account) throws(ActionError) in try profile(of: account) },
            hasMore: accounts.count > limit)
    }

    fileprivate func accounts(named text: String, in project: Project) throws(ActionError) -> [Account] {
        var found = [try account(AccountID(rawValue: text), in: project.id)]
        if let email = EmailAddress(text) { found.append(try account(withEmail: email, in: project.id)) }
        if let number = PhoneNumber(text) { found.append(try account(withPhoneNumber: number, in: project.id)) }
        for provider in project.providers.keys.sorted() {
            found.append(try account(linkedTo: provider, wireID: text, in: project.id))
        }
        var seen: Set<AccountID> = []
        return found.compactMap(\.self).filter { seen.insert($0.id).inserted }
    }

    fileprivate func accounts(
        withEmailBeginning text: String, after last: EmailAddress?, limit: Int, in project: ProjectID
    ) throws(ActionError) -> [Account] {
        let start = text.lowercased()
        // No address contains a control character, or one that is not assigned.
        return try accounts(
            withEmailFrom: max(start, last.map { $0.value + "\u{1}" } ?? start), to: start + "\u{10FFFF}", limit: limit, in: project)
    }

    /// The accounts whose addresses share the longest beginning with a text.
    fileprivate func similar(to text: String, in project: ProjectID) throws(ActionError) -> [Account] {
        let characters = Array(text)
        var (known, missing) = (Self.shortestBeginning, characters.count)
        var best: [Account] = []
        guard known < missing else { return [] }
        // A beginning has accounts if a longer one has.
        while known < missing {
            let length = (known + missing) / 2
            let found = try accounts(
                withEmailBeginning: String(characters.prefix(length)), after: nil, limit: Self.similarLimit, in: project)
            if found.isEmpty {
                missing = length
            } else {
                (best, known) = (found, length + 1)
            }
        }
        return best
    }
}
