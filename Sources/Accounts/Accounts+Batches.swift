extension Accounts {
    /// How many accounts of a project there are.
    package func count(in project: ProjectID) async throws(ActionError) -> Int {
        try await store.read { (records) throws(ActionError) in try records.countAccounts(in: project) }
    }

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

    package func profiles(_ page: Page, in project: ProjectID) async throws(ActionError) -> [Profile] {
        try await store.read { (records) throws(ActionError) in
            try records.accounts(page, in: project).map { (account) throws(ActionError) in try records.profile(of: account) }
        }
    }

    /// Removes accounts with all that hangs on them, a few in each transaction so that nobody waits long. Ids of nobody are passed over.
    ///
    /// - Parameter force: also those that are not disabled.
    /// - Returns: the indexes of those that were kept because they are not.
    package func delete(_ ids: [AccountID], force: Bool, in project: ProjectID) async throws(ActionError) -> [Int] {
        var kept: [Int] = []
        for start in stride(from: 0, to: ids.count, by: Self.batch) {
            kept += try await store.transaction { (records) throws(ActionError) in
                var kept: [Int] = []
                for (index, id) in ids.enumerated().dropFirst(start).prefix(Self.batch) {
                    guard let account = try records.account(id, in: project) else { continue }
                    if force || account.disabled { try records.delete(id, in: project) } else { kept.append(index) }
                }
                return kept
            }
        }
        return kept
    }

    private static let batch = 100
}
