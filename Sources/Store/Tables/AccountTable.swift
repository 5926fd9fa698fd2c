public import Accounts
public import Base

extension Account: TableRow {
    static let table = "account"
    static let columns: TableColumns = "project, id, \(unindexedColumns), email, phone_number"

    /// The columns that are in no index.
    fileprivate static let unindexedColumns = """
        created_at, valid_since, email_verified, display_name, photo_url, password_hash, password_updated_at, disabled, \
        last_login_at, last_refresh_at, language, initial_email, email_link_sign_in, custom_attributes, email_since, \
        named_by_admin_at, removed_email, phone_linked_at, entered_at
        """

    fileprivate var unindexedValues: [any SQLConvertible] {
        [
            createdAt, validSince, emailVerified, displayName, photoURL, passwordHash, passwordUpdatedAt, disabled,
            lastLoginAt, lastRefreshAt, language, initialEmail, emailLinkSignIn, customAttributes, emailSince, namedByAdminAt,
            removedEmail, phoneLinkedAt, enteredAt,
        ]
    }

    var values: [any SQLConvertible] { [project, id] + unindexedValues + [email, phoneNumber] }

    init(_ row: NamedRow) throws(SQLFailure) {
        try self.init(project: row["project"], id: row["id"], createdAt: row["created_at"])
        validSince = try row["valid_since"]
        emailVerified = try row["email_verified"]
        displayName = try row["display_name"]
        photoURL = try row["photo_url"]
        passwordHash = try row["password_hash"]
        passwordUpdatedAt = try row["password_updated_at"]
        disabled = try row["disabled"]
        lastLoginAt = try row["last_login_at"]
        lastRefreshAt = try row["last_refresh_at"]
        language = try row["language"]
        initialEmail = try row["initial_email"]
        emailLinkSignIn = try row["email_link_sign_in"]
        customAttributes = try row["custom_attributes"]
        emailSince = try row["email_since"]
        namedByAdminAt = try row["named_by_admin_at"]
        removedEmail = try row["removed_email"]
        phoneLinkedAt = try row["phone_linked_at"]
        enteredAt = try row["entered_at"]
        email = try row["email"]
        phoneNumber = try row["phone_number"]
    }
}

extension SQLRecords {
    private static let taken: [[String]: Refusal] = [
        ["project", "email"]: .emailExists, ["project", "phone_number"]: .phoneNumberExists, ["project", "id"]: .duplicateLocalID,
    ]

    public func account(_ id: AccountID, in project: ProjectID) throws(ActionError) -> Account? {
        seen(try first(Self.accountByID, [project, id]))
    }

    /// Remembers an account as it is before this transaction changes it.
    private func seen(_ account: Account?) -> Account? {
        if let account { touched?.see(account) }
        return account
    }

    private static let accountByID = "\(Account.select) WHERE project = ? AND id = ?"

    public func account(withEmail email: EmailAddress, in project: ProjectID) throws(ActionError) -> Account? {
        seen(try first("\(Account.select) WHERE project = ? AND email = ?", [project, email]))
    }

    public func account(withPhoneNumber number: PhoneNumber, in project: ProjectID) throws(ActionError) -> Account? {
        seen(try first("\(Account.select) WHERE project = ? AND phone_number = ?", [project, number]))
    }

    public func accounts(_ page: Accounts.PageRequest, in project: ProjectID) throws(ActionError) -> [Account] {
        let condition = page.after == nil ? "" : "AND id \(page.isDescending ? "<" : ">") ?"
        let invited = page.isOfInvited ? "AND id IN (SELECT account FROM invitation WHERE \(SQLRecords.waitingInvitation))" : ""
        return try all(
            "\(Account.select) WHERE project = ? \(condition) \(invited) ORDER BY id \(page.isDescending ? "DESC" : "ASC") LIMIT ? OFFSET ?",
            [project] + [page.after].compactMap(\.self) + [page.limit, page.offset])
    }

    public func countAccounts(in project: ProjectID) throws(ActionError) -> Int {
        try count("SELECT count(*) FROM account WHERE project = ?", [project])
    }

    public func insert(_ account: Account) throws(ActionError) {
        try insert(account, refusing: Self.taken)
        if account.emailVerified, let email = account.email {
            try prove(email, of: account.id, in: account.project, at: account.createdAt)
        }
        // No client waits for a change of an account that is new.
        touched?.change(account.id, in: account.project) { $0.noteCreation(of: account) }
        touched?.see(account)
    }

    public func update(_ account: Account) throws(ActionError) {
        touch(account.id, in: account.project)
        if touched?.recording != nil {
            var before = touched?.lastSeen(account.id, in: account.project)
            if before == nil { before = try self.account(account.id, in: account.project) }
            if let before { change(account.id, in: account.project) { $0.note(from: before, to: account) } }
            touched?.see(account)
        }
        try write(account)
    }

    public func noteUse(of account: Account) throws(ActionError) { try write(account) }

    private func write(_ account: Account) throws(ActionError) {
        let key: [any SQLConvertible] = [account.project, account.id]
        let unindexed = account.unindexedValues
        let names: [any SQLConvertible] = [account.email, account.phoneNumber]
        guard try !changesRow(Self.updateOfUnindexed, unindexed + key + names) else { return }
        try refusing(Self.taken) { () throws(SQLFailure) in
            let changed = try db.execute(Self.updateOfAll, (unindexed + names + key).map { $0.sql })
            guard changed == 1 else { throw .failed(cause: "the account to update does not exist") }
        }
    }

    private static let unindexedCount = Account.unindexedColumns.split(separator: ",").count

    /// Most updates leave the indexed columns unchanged. This statement does not name them, so no
    /// index is written.
    private static let updateOfUnindexed = """
        UPDATE account SET (\(Account.unindexedColumns)) = (\(placeholders(unindexedCount))) WHERE project = ? AND id = ?
        AND email IS NOT DISTINCT FROM ? AND phone_number IS NOT DISTINCT FROM ?
        """

    private static let updateOfAll = """
        UPDATE account SET (\(Account.unindexedColumns), email, phone_number) = (\(placeholders(unindexedCount + 2))) WHERE project = ? AND id = ?
        """

    public func verify(
        _ email: EmailAddress, of account: AccountID, in project: ProjectID, at now: Timestamp
    ) throws(ActionError) -> Bool {
        guard try changesRow(Self.verification, [project, account, email]) else { return false }
        change(account, in: project) { $0.noteVerified(email) }
        try prove(email, of: account, in: project, at: now)
        return true
    }

    /// Finds the account by its primary key only: with `email = ?` SQLite would use the index of
    /// addresses, which is one more page to read.
    private static let verification = """
        UPDATE account SET email_verified = 1 WHERE project = ? AND id = ? AND coalesce(email, '') = ? AND disabled = 0
        """

    public func delete(_ account: AccountID, in project: ProjectID) throws(ActionError) {
        change(account, in: project) { $0.note(.deleted) }
        try submit("DELETE FROM account WHERE project = ? AND id = ?", [project, account])
    }
}
