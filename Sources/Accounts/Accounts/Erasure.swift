/// Deletes accounts with everything that is stored about their owners: sessions, codes, second
/// factors, links to providers, the mails to all their addresses, and the record of what became of
/// these mails.
public struct Erasure: Sendable {
    private let store: any Storage
    private let outbox: Outbox
    private let secrets: Secrets

    public init(store: any Storage, outbox: Outbox, secrets: Secrets) {
        self.store = store
        self.outbox = outbox
        self.secrets = secrets
    }

    /// Deletes an account for an admin. Refuses `USER_NOT_FOUND`.
    public func delete(_ seen: Account) async throws(ActionError) {
        try await store.transaction { (records) throws(ActionError) in
            guard let account = try records.account(seen.id, in: seen.project) else { throw ActionError.refused(.userNotFound) }
            try delete(account, from: records)
        }
    }

    /// Deletes accounts, a hundred in each transaction, so that other writers do not wait long. Ids
    /// without an account are ignored.
    ///
    /// - Parameter force: whether accounts that are not disabled are deleted, too.
    /// - Returns: the indexes of the ids whose accounts were kept because they are not disabled.
    public func delete(_ ids: [AccountID], force: Bool, in project: ProjectID) async throws(ActionError) -> [Int] {
        let batch = 100
        var kept: [Int] = []
        for start in stride(from: 0, to: ids.count, by: batch) {
            kept += try await store.transaction { (records) throws(ActionError) in
                var kept: [Int] = []
                for (index, id) in ids.enumerated().dropFirst(start).prefix(batch) {
                    guard let account = try records.account(id, in: project) else { continue }
                    if force || account.disabled { try delete(account, from: records) } else { kept.append(index) }
                }
                return kept
            }
        }
        return kept
    }

    /// The way in which an operator names a person.
    public enum Person: Sendable, Hashable {
        case address(EmailAddress)
        case account(AccountID)
    }

    public struct Erased: Sendable, Hashable {
        /// The id of the deleted account; nil if there was none.
        public let account: AccountID?
        /// The number of audit records that named the account.
        public let auditRecords: Int
        /// The merges that can no longer be undone, because the state before them was erased. The
        /// account that stayed in each was not, if it is not `account`.
        public let merges: [Merge]

        public init(account: AccountID?, auditRecords: Int, merges: [Merge] = []) {
            (self.account, self.auditRecords, self.merges) = (account, auditRecords, merges)
        }
    }

    /// Deletes what is stored about a person, even about an address without an account, because
    /// sign-in links may have been sent to it. Replaces the id of the account in the audit. Undoing
    /// a merge would bring the person back, so the state before it is erased as well.
    public func erase(_ person: Person, in project: ProjectID) async throws(ActionError) -> Erased {
        try await store.transaction { (records) throws(ActionError) in
            let account =
                switch person {
                case .address(let address): try records.account(withEmail: address, in: project)
                case .account(let id): try records.account(id, in: project)
                }
            let merges = try eraseMerges(of: person, account, in: project, from: records)
            try eraseEvents(of: person, account, merges, in: project, from: records)
            if let account { try delete(account, from: records) }
            let id: AccountID?
            switch person {
            case .address(let address):
                try forget(address, in: project, from: records)
                id = account?.id
            case .account(let named): id = named
            }
            let auditRecords = try id.map { (id) throws(ActionError) in try records.removeFromAudit(id, in: project) }
            return Erased(account: account?.id, auditRecords: auditRecords ?? 0, merges: merges)
        }
    }

    /// Deletes the events about a person, before the deletion, whose own event is sent.
    private func eraseEvents(
        of person: Person, _ account: Account?, _ merges: [Merge], in project: ProjectID, from records: any Records
    ) throws(ActionError) {
        var (ids, addresses) = (Set(merges.filter { $0.into == account?.id }.map(\.from)), Set<EmailAddress>())
        switch person {
        case .address(let address): addresses.insert(address)
        case .account(let id): ids.insert(id)
        }
        if let account {
            ids.insert(account.id)
            addresses.formUnion(try records.addresses(of: account))
        }
        for id in ids { try records.deleteEvents(of: id, in: project) }
        for address in addresses { try records.deleteEvents(about: address, in: project) }
    }

    /// Deletes the snapshots of merges that have the person, on either side.
    private func eraseMerges(
        of person: Person, _ account: Account?, in project: ProjectID, from records: any Records
    ) throws(ActionError) -> [Merge] {
        var erased: [Merge] = []
        for stored in try records.merges(in: project) {
            let merge = stored.merge
            let isNamed =
                switch person {
                case .account(let id): id == merge.into || id == merge.from
                case .address(let address): try MergeSnapshot(sealed: stored.sealedSnapshot, by: secrets).addresses.contains(address)
                }
            guard isNamed || account.map({ $0.id == merge.into || $0.id == merge.from }) ?? false else { continue }
            try records.delete(stored)
            erased.append(merge)
        }
        return erased
    }

    /// Deletes an account, and what is stored about its addresses.
    /// - Parameter kept: addresses that go on to be mailed, so that complaints of them stay.
    func delete(_ account: Account, keeping kept: [EmailAddress] = [], from records: any Records) throws(ActionError) {
        try delete(account, forgetting: try records.addresses(of: account).filter { !kept.contains($0) }, from: records)
    }

    func delete(_ account: Account, forgetting addresses: [EmailAddress], from records: any Records) throws(ActionError) {
        try records.delete(account.id, in: account.project)
        for address in addresses where try records.account(withEmail: address, in: account.project) == nil {
            try forget(address, in: account.project, from: records)
        }
    }

    /// Deletes what is stored about an address that no account has, with the mails to it that
    /// concern other accounts. Snapshots of merges are left to `erase`.
    private func forget(_ address: EmailAddress, in project: ProjectID, from records: any Records) throws(ActionError) {
        try records.deleteCodes(withoutAccountFor: address, in: project)
        let recipient = outbox.digest(of: address, in: project)
        try records.deleteMails(to: recipient, in: project)
        try records.removeSuppressions(of: recipient, in: project)
    }
}
