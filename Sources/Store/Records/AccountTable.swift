package import Accounts

extension Account: Row {
    static let table = "account"
    static let columns = """
        project, id, created_at, valid_since, email, email_verified, display_name, photo_url, password_hash, \
        password_updated_at, disabled, last_login_at, language, initial_email, email_link_sign_in, phone_number, \
        custom_attributes
        """

    var values: [any SQLConvertible] {
        [
            project, id, createdAt, validSince, email, emailVerified, displayName, photoURL, passwordHash,
            passwordUpdatedAt, disabled, lastLoginAt, language, initialEmail, emailLinkSignIn, phoneNumber,
            customAttributes,
        ]
    }

    package init(row: inout SQLRow) throws(SQLFailure) {
        self.init(project: try row.next(), id: try row.next(), createdAt: try row.next())
        validSince = try row.next()
        email = try row.next()
        emailVerified = try row.next()
        displayName = try row.next()
        photoURL = try row.next()
        passwordHash = try row.next()
        passwordUpdatedAt = try row.next()
        disabled = try row.next()
        lastLoginAt = try row.next()
        language = try row.next()
        initialEmail = try row.next()
        emailLinkSignIn = try row.next()
        phoneNumber = try row.next()
        customAttributes = try row.next()
    }
}

extension Records {
    private static let taken: [[String]: Refusal] = [
        ["project", "email"]: .emailExists, ["project", "phone_number"]: .phoneNumberExists, ["project", "id"]: .duplicateLocalID,
    ]

    package func account(_ id: AccountID, in project: ProjectID) throws(ActionError) -> Account? {
        try first("\(Account.select) WHERE project = ? AND id = ?", [project, id])
    }

    package func account(withEmail email: EmailAddress, in project: ProjectID) throws(ActionError) -> Account? {
        try first("\(Account.select) WHERE project = ? AND email = ?", [project, email])
    }

    package func account(withPhoneNumber number: PhoneNumber, in project: ProjectID) throws(ActionError) -> Account? {
        try first("\(Account.select) WHERE project = ? AND phone_number = ?", [project, number])
    }

    package func accounts(_ page: Accounts.Page, in project: ProjectID) throws(ActionError) -> [Account] {
        let condition = page.after == nil ? "" : "AND id \(page.isDescending ? "<" : ">") ?"
        return try all(
            "\(Account.select) WHERE project = ? \(condition) ORDER BY id \(page.isDescending ? "DESC" : "ASC") LIMIT ? OFFSET ?",
            [project] + [page.after].compactMap(\.self) + [page.limit, page.offset])
    }

    package func countAccounts(in project: ProjectID) throws(ActionError) -> Int {
        try count("SELECT count(*) FROM account WHERE project = ?", [project])
    }

    package func insert(_ account: Account) throws(ActionError) { try insert(account, refusing: Self.taken) }

    package func update(_ account: Account) throws(ActionError) {
        let values = account.values
        let sql = "UPDATE account SET (\(Account.columns)) = (\(Self.places(values.count))) WHERE project = ? AND id = ?"
        try refusing(Self.taken) { () throws(SQLFailure) in
            let changed = try db.execute(sql, (values + [account.project, account.id]).map { $0.sql })
            guard changed == 1 else { throw .failed(cause: "no such account to update") }
        }
    }

    package func delete(_ account: AccountID, in project: ProjectID) throws(ActionError) {
        try execute("DELETE FROM account WHERE project = ? AND id = ?", [project, account])
    }
}
