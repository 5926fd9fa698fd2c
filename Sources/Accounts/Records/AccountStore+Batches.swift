extension Accounts {
    /// A part of a project's accounts, in the order of their ids.
    package struct Page: Sendable {
        /// Only those after this one; nil: from the first.
        package var after: AccountID?
        package var isDescending = false
        /// How many to pass over.
        package var offset = 0
        package var limit: Int

        package init(limit: Int) { self.limit = limit }
    }
}

extension AccountStore {
    /// Some accounts with what stands in other tables.
    package func profiles(_ page: Accounts.Page, in project: ProjectID) async throws(ActionError) -> [Accounts.Profile] {
        try await read { (records) throws(ActionError) in
            try records.accounts(page, in: project).map { (account) throws(ActionError) in try records.profile(of: account) }
        }
    }

    /// Removes accounts with all that hangs on them, a few in each transaction so that nobody waits long. Ids of nobody are passed over.
    ///
    /// - Parameter force: also those that are not disabled.
    /// - Returns: the indexes of those that were kept because they are not.
    package func delete(_ ids: [AccountID], force: Bool, in project: ProjectID) async throws(ActionError) -> [Int] {
        let batch = 100
        var kept: [Int] = []
        for start in stride(from: 0, to: ids.count, by: batch) {
            kept += try await transaction { (records) throws(ActionError) in
                var kept: [Int] = []
                for (index, id) in ids.enumerated().dropFirst(start).prefix(batch) {
                    guard let account = try records.account(id, in: project) else { continue }
                    if force || account.disabled { try records.delete(id, in: project) } else { kept.append(index) }
                }
                return kept
            }
        }
        return kept
    }
}
