internal import AppLinks
public import Base

/// The stored records, inside one read or one transaction. The functions are synchronous, so that
/// nothing waits while a lock is held. A throw rolls the whole transaction back.
public protocol Records: SupportRecords {
    // MARK: Accounts

    func account(_ id: AccountID, in project: ProjectID) throws(ActionError) -> Account?
    func account(withEmail email: EmailAddress, in project: ProjectID) throws(ActionError) -> Account?
    func account(withPhoneNumber number: PhoneNumber, in project: ProjectID) throws(ActionError) -> Account?
    func account(linkedTo provider: String, rawID: String, in project: ProjectID) throws(ActionError) -> Account?
    /// The account that is linked to the user whom Firebase's API calls `wireID`. Users of two
    /// directories of Microsoft may be called alike; then one of their accounts.
    func account(linkedTo provider: String, wireID: String, in project: ProjectID) throws(ActionError) -> Account?
    /// The links of an account in the order of the providers' ids.
    func linkedProviders(of account: AccountID, in project: ProjectID) throws(ActionError) -> [LinkedProvider]
    /// The providers at which a linked user has a verified address now, whichever account that has.
    func providers(verifying address: EmailAddress, in project: ProjectID) throws(ActionError) -> [String]
    /// The second factors of an account in the order in which they were given.
    func secondFactors(of account: AccountID, in project: ProjectID) throws(ActionError) -> [SecondFactor]
    func accounts(_ page: Accounts.PageRequest, in project: ProjectID) throws(ActionError) -> [Account]
    func countAccounts(in project: ProjectID) throws(ActionError) -> Int
    func session(_ token: Digest) throws(ActionError) -> RefreshTokenRecord?
    /// The newest token of a session of an account; nil if the session has ended.
    func session(family: Digest, of account: Account) throws(ActionError) -> RefreshTokenRecord?
    /// The newest token of a session that began in a second; nil if there is none.
    /// - Parameter provider: as `SignInProvider` spells it.
    func session(of account: Account, by provider: String, since second: Timestamp) throws(ActionError) -> RefreshTokenRecord?

    /// Refuses `EMAIL_EXISTS`, `PHONE_NUMBER_EXISTS` and `DUPLICATE_LOCAL_ID`, as the schema's
    /// constraints say.
    func insert(_ account: Account) throws(ActionError)
    /// Writes every column of an account that was read in this transaction. Refuses `EMAIL_EXISTS`
    /// and `PHONE_NUMBER_EXISTS`.
    func update(_ account: Account) throws(ActionError)
    /// Writes the times at which an account was used that was read in this transaction. Nothing
    /// else of it has changed.
    func noteUse(of account: Account) throws(ActionError)
    /// Marks the address of an account as verified, if the account is not disabled and still has
    /// it. The address becomes one that the account has proved.
    /// - Returns: whether there is such an account.
    func verify(_ email: EmailAddress, of account: AccountID, in project: ProjectID, at now: Timestamp) throws(ActionError) -> Bool
    /// The addresses that an account has proved, in the order in which it first did.
    func provedAddresses(of account: AccountID, in project: ProjectID) throws(ActionError) -> [ProvedAddress]
    /// Adds a verified address to those that an account has proved; an address that is among them
    /// keeps its place. If the address comes back, the undo links of addresses that were proved
    /// after it end, and those addresses are forgotten, but for the present one.
    func prove(_ email: EmailAddress, of account: AccountID, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Notes since when a proved address is not verified any more.
    func unverify(_ email: EmailAddress, of account: AccountID, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Replaces the list of the addresses that an account has proved.
    func set(_ proved: [ProvedAddress], of account: AccountID, in project: ProjectID) throws(ActionError)
    /// Takes an address from those that an account has proved.
    func forgetProvedAddress(_ email: EmailAddress, of account: AccountID, in project: ProjectID) throws(ActionError)
    /// Deletes the list of the addresses that an account has proved.
    func forgetProvedAddresses(of account: AccountID, in project: ProjectID) throws(ActionError)
    /// Deletes an account with its sessions, codes, mails, factors and links to providers. Only
    /// `Erasure` calls this, because it deletes the rest.
    func delete(_ account: AccountID, in project: ProjectID) throws(ActionError)
    /// Stores a link, and replaces the account's earlier link to the same provider. A link to the
    /// same user keeps the time at which it was made. Refuses `FEDERATED_USER_ID_ALREADY_LINKED` if
    /// the provider's user is linked to another account.
    func insert(_ link: LinkedProvider, of account: AccountID, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// The invitation of an account that was read in this transaction; nil for none.
    func invitation(of account: Account) throws(ActionError) -> Invitation?
    /// Stores the invitation of an account, or ends it.
    func set(_ invitation: Invitation?, of account: Account) throws(ActionError)
    /// Replaces the id of a provider's user with one conditional UPDATE, so that exactly one caller
    /// ever may.
    /// - Returns: whether there was a link by the former id.
    func rename(_ rawID: String, at provider: String, to newID: String, in project: ProjectID) throws(ActionError) -> Bool
    /// - Returns: whether there was such a link.
    @discardableResult
    func deleteLinkedProvider(_ provider: String, of account: AccountID, in project: ProjectID) throws(ActionError) -> Bool
    /// Deletes the links of an account that were made at `since` or later.
    func deleteLinkedProviders(of account: AccountID, in project: ProjectID, since: Timestamp) throws(ActionError)
    /// Appends a factor to those of an account.
    func insert(_ factor: SecondFactor, of account: AccountID, in project: ProjectID, byAdmin: Bool) throws(ActionError)
    /// Puts the factors of an account into the order of their ids.
    func orderSecondFactors(_ ids: [String], of account: AccountID, in project: ProjectID) throws(ActionError)
    /// - Returns: whether there was such a factor.
    func deleteSecondFactor(_ id: String, of account: AccountID, in project: ProjectID) throws(ActionError) -> Bool
    /// Deletes the factors of an account that were enrolled at `since` or later.
    /// - Parameter sparingAdmins: whether those that an admin gave stay.
    func deleteSecondFactors(
        of account: AccountID, in project: ProjectID, since: Timestamp, sparingAdmins: Bool
    ) throws(ActionError)
    /// Marks the password of a time step as used with one conditional UPDATE, so that exactly one
    /// caller ever may use it.
    /// - Returns: false if this password or a later one was used before.
    func use(_ step: Int64, of factor: SecondFactor, of account: Account) throws(ActionError) -> Bool
    /// Stores the keyed hashes of the recovery codes that end with a factor.
    func insert(recoveryCodes: [Digest], of factor: SecondFactor, of account: Account) throws(ActionError)
    /// - Returns: whether there was such a code. It works once.
    func spend(recoveryCode: Digest, of account: Account) throws(ActionError) -> Bool
    /// The wrong codes since the last right one; nil for none.
    func wrongCodes(_ counter: WrongCodes.Counter) throws(ActionError) -> WrongCodes?
    func set(_ wrongCodes: WrongCodes?, for counter: WrongCodes.Counter) throws(ActionError)
    func insert(_ code: VerificationCode) throws(ActionError)
    func verificationCode(_ session: Digest) throws(ActionError) -> VerificationCode?
    func countWrongTry(of session: Digest) throws(ActionError)
    /// - Returns: whether there was such a code. It works once.
    func deleteVerificationCode(_ session: Digest) throws(ActionError) -> Bool
    func insert(_ session: RefreshTokenRecord) throws(ActionError)
    /// Marks that a token made from this one was used. The first mark stays.
    func retireSession(_ token: Digest, at moment: Timestamp) throws(ActionError)
    /// Deletes all tokens of one sign-in.
    func deleteSessions(of family: Digest) throws(ActionError)
    /// Deletes the oldest unused tokens of a sign-in, except for the newest `count` and for
    /// `token`.
    func deleteUnusedSessions(of family: Digest, exceptNewest count: Int, and token: Digest) throws(ActionError)
    /// Reduces an account's tokens to nine tenths of `limit` if it has `limit` or more: superseded
    /// ones go first, then the oldest.
    func trimSessions(of account: AccountID, in project: ProjectID, to limit: Int) throws(ActionError)
    /// Whether a network of an account is on record.
    func knows(_ network: Digest, since oldest: Timestamp) throws(ActionError) -> Bool
    /// Whether a session of an account, or a network from which its user signed in, is on record.
    func hasBeenUsed(_ account: Account) throws(ActionError) -> Bool
    /// Records a network from which an account's user signed in.
    func remember(_ network: Digest, of account: Account, at now: Timestamp) throws(ActionError)
    /// Deletes the networks from which an account's user signed in.
    func forgetNetworks(of account: AccountID, in project: ProjectID) throws(ActionError)
    /// Deletes all sessions of an account.
    func deleteSessions(of account: AccountID, in project: ProjectID) throws(ActionError)

    // MARK: Codes and mails

    func code(_ key: CodeKey) throws(ActionError) -> StoredCode?
    /// The code with this key, and the creation time of the newest mailed live code of its purpose
    /// if that is newer, for `A newer link was sent … ago`.
    func codeAndNewer(_ key: CodeKey, at now: Timestamp) throws(ActionError) -> (code: StoredCode, newer: Timestamp?)?
    func insert(_ code: StoredCode) throws(ActionError)
    /// Spends a code of this action and project (C10) with one conditional UPDATE, so that exactly
    /// one caller ever receives it.
    /// - Parameter mayBeSpent: asked about the code before; the code is not spent if it returns
    ///   false.
    /// - Returns: the code as it was before; nil if there is no such code, or it has ended or
    ///   expired (C3).
    func spend(
        _ key: CodeKey, of action: Action, in project: ProjectID, at now: Timestamp,
        if mayBeSpent: (StoredCode) throws(ActionError) -> Bool
    ) throws(ActionError) -> StoredCode?
    /// Stores how many more wrong confirmation numbers a live code survives, and withdraws it if
    /// that is none.
    func setWrongNumbersLeft(_ count: Int, of key: CodeKey, at now: Timestamp) throws(ActionError)
    /// Keeps a live code from working until a moment; then wrong numbers are counted anew.
    func pause(_ key: CodeKey, until: Timestamp) throws(ActionError)
    /// Withdraws an account's codes for these actions (C11, C12), like all that withdraw codes also
    /// expired ones: they would work again if the clock was ahead and is set back.
    func withdrawCodes(of account: AccountID, in project: ProjectID, for actions: [Action], at now: Timestamp) throws(ActionError)
    /// Withdraws an account's codes for an action that were mailed to another address than
    /// `target`, because the account wishes something else now (A2).
    func supersedeCodes(
        of account: AccountID, in project: ProjectID, for action: Action, exceptTo target: EmailAddress, at now: Timestamp
    ) throws(ActionError)
    /// The addresses with a live undo link of an account, each once.
    func addressesWithUndoLinks(of account: Account, at now: Timestamp) throws(ActionError) -> [EmailAddress]
    /// Withdraws an account's links that restore an address.
    func withdrawUndoLinks(of account: AccountID, to email: EmailAddress, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Gives the undo links of an account, with their mails, to the account that it is merged into.
    /// - Returns: the row ids of their codes.
    func moveUndoLinks(of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError) -> [Int64]
    /// Gives undo links, with their mails, to an account. Those that were deleted are ignored.
    func moveUndoLinks(_ codes: [Int64], to account: AccountID, in project: ProjectID) throws(ActionError)
    /// Withdraws all codes of an action that were mailed to an address, for any account or none: a
    /// sign-in link may be for an address without an account.
    func withdrawCodes(to email: EmailAddress, in project: ProjectID, for action: Action, at now: Timestamp) throws(ActionError)
    /// Withdraws the other codes of this code's purpose, which is its address and action. If the
    /// code has never had siblings, no query is run.
    /// - Parameter code: the code as this transaction spent it.
    func withdrawOthers(like code: StoredCode, at now: Timestamp) throws(ActionError)
    /// The state of Onward's attempts to apply an upstream's code; nil if there was no attempt.
    func upstreamTry(of digest: Digest) throws(ActionError) -> UpstreamTry?
    /// Records that an attempt begins. Others may be without an answer, of other nodes too.
    func beginUpstreamTry(of digest: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Records that an attempt succeeded.
    func finishUpstreamTry(of digest: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Records that an attempt was refused. The record is deleted with the last of the open
    /// attempts, unless one succeeded.
    func forgetUpstreamTry(of digest: Digest) throws(ActionError)
    /// Whether a mail of this kind to an address was written at `oldest` or later.
    /// - Parameter recipient: the address as `Outbox.digest` hashes it.
    func hasMail(_ kind: LetterKind, to recipient: Digest, in project: ProjectID, since oldest: Timestamp) throws(ActionError) -> Bool
    /// Stores a mail whether or not its recipient is suppressed; `post` does not.
    func insert(_ mail: StoredMail) throws(ActionError)
    func delete(_ mail: StoredMail) throws(ActionError)
    /// The addresses that an account has or is known to have had, each once.
    func addresses(of account: Account) throws(ActionError) -> [EmailAddress]
    /// Makes the sign-in links of an account and their mails those of an address without an
    /// account.
    func releaseSignInLinks(of account: Account) throws(ActionError)
    /// Deletes the codes that were sent to an address while no account had it, and decoys.
    func deleteCodes(withoutAccountFor email: EmailAddress, in project: ProjectID) throws(ActionError)
    /// Deletes the mails to an address, those that wait and the record of the others.
    /// - Parameter recipient: the address as `Outbox.digest` hashes it.
    func deleteMails(to recipient: Digest, in project: ProjectID) throws(ActionError)
    /// Replaces the id of an account in the audit. The records stay.
    /// - Returns: the number of records that named it.
    func removeFromAudit(_ account: AccountID, in project: ProjectID) throws(ActionError) -> Int
    /// The suppressions of an address that are in force.
    /// - Parameter recipient: the address as `Outbox.digest` hashes it.
    func suppressions(of recipient: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError) -> [Suppression]
    /// - Returns: the number of suppressions that were removed.
    @discardableResult
    func removeSuppressions(of recipient: Digest, in project: ProjectID) throws(ActionError) -> Int

    // MARK: Short links

    /// The link at a path, even if it is disabled.
    func shortLink(at path: String, on origin: String) throws(ActionError) -> ShortLink?
    /// Stores a link.
    /// - Parameter clientNumber: see `ShortLink.clientNumber`.
    /// - Returns: nil if the path is taken; nothing is changed then.
    func insert(_ draft: ShortLinkDraft, at path: String, clientNumber: Int?) throws(ActionError) -> ShortLink?
    /// The number of links that clients of a project created, also of those that are disabled.
    func countClientShortLinks(in project: ProjectID) throws(ActionError) -> Int
    /// The number of links that clients of a project created and that work. Reads an index entry
    /// for each one that is disabled.
    func countLiveClientShortLinks(in project: ProjectID) throws(ActionError) -> Int
    /// The visits of a link, by its id, from a day on.
    func shortLinkCounts(of link: Int, since day: Int) throws(ActionError) -> [ShortLinkCount]

    // MARK: Merged accounts

    /// Gives a link to another account.
    func move(_ link: LinkedProvider, of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError)
    /// Gives a second factor to another account, with the newest code that was used. Its recovery
    /// codes end, because their hashes are those of the account.
    func move(_ factor: String, of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError)
    /// The ids of the second factors that an admin gave to an account.
    func secondFactorsByAdmins(of account: Account) throws(ActionError) -> [String]
    func recoveryCodes(of account: Account) throws(ActionError) -> [StoredRecoveryCode]
    func insert(_ code: StoredRecoveryCode, of account: Account) throws(ActionError)
    /// Stores a merge, in the place of an earlier one of these ids.
    func insert(_ merge: StoredMerge) throws(ActionError)
    func merge(_ merge: Merge, in project: ProjectID) throws(ActionError) -> StoredMerge?
    /// The merges of a project that can be undone.
    func merges(in project: ProjectID) throws(ActionError) -> [StoredMerge]
    func delete(_ merge: StoredMerge) throws(ActionError)

    // MARK: Events

    /// Says what the changes of an account in this transaction are for, in the event that tells of
    /// them. The store notes the changes themselves.
    func note(_ kind: AccountEvent.Kind, of account: Account)
    /// Says that an account was merged, or parted. The event of the one that stayed tells of both.
    func note(_ kind: AccountEvent.Kind, of merge: Merge, in project: ProjectID)
    /// Lets one event tell of an import, in place of those of its accounts. It is sent when the
    /// import ends, or after ten minutes without a batch.
    func note(_ imported: ImportProgress, in project: ProjectID) throws(ActionError)
    /// Gives the events of an account that were not delivered to the account that it is merged
    /// into, so that they are sent before that event.
    func moveEvents(of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError)
    func deleteEvents(of account: AccountID, in project: ProjectID) throws(ActionError)
    /// Deletes the events that name an address.
    func deleteEvents(about email: EmailAddress, in project: ProjectID) throws(ActionError)
}
