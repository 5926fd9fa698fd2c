/// What the rules of accounts may ask of the store, inside one read or one transaction. Synchronous, so that nothing waits
/// while a lock is held; a throw rolls the whole transaction back.
package protocol AccountRecords {
    func account(_ id: AccountID, in project: ProjectID) throws(ActionError) -> Account?
    func account(withEmail email: EmailAddress, in project: ProjectID) throws(ActionError) -> Account?
    func account(withPhoneNumber number: PhoneNumber, in project: ProjectID) throws(ActionError) -> Account?
    func account(linkedTo provider: String, rawID: String, in project: ProjectID) throws(ActionError) -> Account?
    /// In the order of their ids.
    func linkedProviders(of account: AccountID, in project: ProjectID) throws(ActionError) -> [LinkedProvider]
    func secondFactors(of account: AccountID, in project: ProjectID) throws(ActionError) -> [SecondFactor]
    func accounts(_ page: Accounts.Page, in project: ProjectID) throws(ActionError) -> [Account]
    func countAccounts(in project: ProjectID) throws(ActionError) -> Int
    func session(_ token: Digest) throws(ActionError) -> Session?

    /// Refuses `EMAIL_EXISTS`, `PHONE_NUMBER_EXISTS` and `DUPLICATE_LOCAL_ID`, as the schema's constraints say.
    func insert(_ account: Account) throws(ActionError)
    /// Writes every column of an account read in this same transaction. Refuses `EMAIL_EXISTS` and `PHONE_NUMBER_EXISTS`.
    func update(_ account: Account) throws(ActionError)
    /// Notes that an address is proven, of an account that is not disabled and still has it.
    /// - Returns: Whether there is such an account.
    func verify(_ email: EmailAddress, of account: AccountID, in project: ProjectID) throws(ActionError) -> Bool
    /// With its sessions, codes, factors and links to providers.
    func delete(_ account: AccountID, in project: ProjectID) throws(ActionError)
    /// In place of the same provider's link, if there was one. Refuses `FEDERATED_USER_ID_ALREADY_LINKED` when the provider's person is
    /// another account's.
    func insert(_ link: LinkedProvider, of account: AccountID, in project: ProjectID) throws(ActionError)
    /// Whether there was such a link.
    @discardableResult
    func deleteLinkedProvider(_ provider: String, of account: AccountID, in project: ProjectID) throws(ActionError) -> Bool
    func insert(_ factor: SecondFactor, of account: AccountID, in project: ProjectID) throws(ActionError)
    /// Whether there was such a factor.
    func deleteSecondFactor(_ id: String, of account: AccountID, in project: ProjectID) throws(ActionError) -> Bool
    func insert(_ session: Session) throws(ActionError)
    /// Marks that a token made from this one was used; the first mark stays.
    func retireSession(_ token: Digest, at moment: Timestamp) throws(ActionError)
    /// Ends everything that one sign-in led to.
    func deleteSessions(of family: Digest) throws(ActionError)
    /// Forgets the oldest tokens of a family from which nothing followed, but for the newest `count` and for `token`.
    func deleteSpareSessions(of family: Digest, butNewest count: Int, and token: Digest) throws(ActionError)
    /// Leaves an account that has `most` tokens or more nine tenths of them: superseded ones go first, then the oldest.
    func thinSessions(of account: AccountID, in project: ProjectID, to most: Int) throws(ActionError)
    /// Signs the account out everywhere.
    func deleteSessions(of account: AccountID, in project: ProjectID) throws(ActionError)
}

extension AccountRecords {
    /// An account, read in this same transaction, with what stands in other tables.
    package func profile(of account: Account) throws(ActionError) -> Accounts.Profile {
        Accounts.Profile(
            account: account, linkedProviders: try linkedProviders(of: account.id, in: account.project),
            secondFactors: try secondFactors(of: account.id, in: account.project))
    }

    /// Refuses to let an account in by one step that asks for two (S7).
    package func requireNoSecondStep(of account: Account) throws(ActionError) {
        guard try secondFactors(of: account.id, in: account.project).isEmpty else {
            throw .refused(.operationNotAllowed, detail: "The account asks for a second step, which this server cannot do yet")
        }
    }
}

/// How a person signed in, as ID tokens spell it.
package enum SignInProvider: String, Sendable, CaseIterable { case password, anonymous, custom }

/// The door to the store for the rules of accounts.
package protocol AccountStore: Sendable {
    /// Sees one consistent state; what it writes is an error.
    func read<T: Sendable>(_ body: @escaping @Sendable (any AccountRecords) throws(ActionError) -> T) async throws(ActionError) -> T
    /// Durable when it returns; rolled back whole when `body` throws.
    func transaction<T: Sendable>(_ body: @escaping @Sendable (any AccountRecords) throws(ActionError) -> T) async throws(ActionError) -> T
}
