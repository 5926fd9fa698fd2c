public import Accounts
public import Base

/// A row of `linked_provider`: a linked provider with the account that it belongs to.
private struct Link: TableRow {
    static let table = "linked_provider"
    static let columns: TableColumns = """
        project, account, provider, raw_id, email, display_name, photo_url, verified_email, audience, present_email, \
        present_verified, screen_name
        """

    let project: ProjectID
    let account: AccountID
    let provider: LinkedProvider

    var values: [any SQLConvertible] {
        [
            project, account, provider.provider, provider.rawID, provider.email, provider.displayName, provider.photoURL,
            provider.isEmailVerified, provider.audience, provider.presentEmail, provider.isPresentEmailVerified, provider.screenName,
        ]
    }
}

extension Link {
    init(_ row: NamedRow) throws(SQLFailure) {
        project = try row["project"]
        account = try row["account"]
        var link = try LinkedProvider(
            provider: row["provider"], rawID: row["raw_id"], email: row["email"], displayName: row["display_name"],
            photoURL: row["photo_url"])
        link.isEmailVerified = try row["verified_email"]
        (link.audience, link.presentEmail) = (try row["audience"], try row["present_email"])
        (link.isPresentEmailVerified, link.screenName) = (try row["present_verified"], try row["screen_name"])
        provider = link
    }
}

extension SQLRecords {
    public func linkedProviders(of account: AccountID, in project: ProjectID) throws(ActionError) -> [LinkedProvider] {
        let links: [Link] = try all("\(Link.select) WHERE project = ? AND account = ? ORDER BY provider", [project, account])
        return links.map(\.provider)
    }

    public func account(linkedTo provider: String, rawID: String, in project: ProjectID) throws(ActionError) -> Account? {
        try first(
            """
            \(Account.select) WHERE (project, id) =
            (SELECT project, account FROM linked_provider WHERE project = ? AND provider = ? AND raw_id = ?)
            """, [project, provider, rawID])
    }

    public func account(linkedTo provider: String, wireID: String, in project: ProjectID) throws(ActionError) -> Account? {
        let rawID = LinkedProvider.rawID(ofWireID: wireID, at: provider)
        if let known = try account(linkedTo: provider, rawID: rawID, in: project) { return known }
        guard provider == MicrosoftUser.provider else { return nil }
        // An earlier version imported personal accounts as they are on the wire.
        guard !rawID.contains("@") else { return try account(linkedTo: provider, rawID: wireID, in: project) }
        // In any directory: `A` follows `@`.
        return try first(
            """
            \(Account.select) WHERE (project, id) =
            (SELECT project, account FROM linked_provider
            WHERE project = ? AND provider = ? AND raw_id >= ? AND raw_id < ? ORDER BY raw_id LIMIT 1)
            """, [project, provider, rawID + "@", rawID + "A"])
    }

    public func providers(verifying address: EmailAddress, in project: ProjectID) throws(ActionError) -> [String] {
        // SQLite would choose the index on the project and read all of its links, so the project is
        // compared as an expression.
        let all: [String] = try column(
            """
            SELECT provider FROM linked_provider
            WHERE email = ? AND project || '' = ? AND verified_email = 1 AND present_email IS NULL
            UNION ALL SELECT provider FROM linked_provider WHERE present_email = ? AND project || '' = ? AND present_verified = 1
            """, [address, project, address, project])
        return Set(all).sorted()
    }

    public func rename(_ rawID: String, at provider: String, to newID: String, in project: ProjectID) throws(ActionError) -> Bool {
        try changesRow(
            "UPDATE linked_provider SET raw_id = ? WHERE project = ? AND provider = ? AND raw_id = ?", [newID, project, provider, rawID])
    }

    public func insert(_ link: LinkedProvider, of account: AccountID, in project: ProjectID, at now: Timestamp) throws(ActionError) {
        touch(account, in: project)
        let values = Link(project: project, account: account, provider: link).values + [now]
        try refusing([["project", "provider", "raw_id"]: .federatedUserIDAlreadyLinked]) { () throws(SQLFailure) in
            // A link to the same user keeps its time.
            var row = try db.rows(Self.linking, values.map { $0.sql }).first
            guard let linkedAt: Timestamp = try row?.next(), linkedAt == now else { return }
            change(account, in: project) { $0.noteLinked(link.provider) }
        }
    }

    private static let linking = """
        INSERT INTO linked_provider (\(Link.columns), linked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (project, account, provider) DO UPDATE SET
            raw_id = excluded.raw_id, email = excluded.email, display_name = excluded.display_name, photo_url = excluded.photo_url,
            verified_email = excluded.verified_email, audience = excluded.audience, present_email = excluded.present_email,
            present_verified = excluded.present_verified, screen_name = excluded.screen_name,
            linked_at = CASE linked_provider.raw_id WHEN excluded.raw_id THEN linked_provider.linked_at ELSE excluded.linked_at END
        RETURNING linked_at
        """

    public func deleteLinkedProviders(of account: AccountID, in project: ProjectID, since: Timestamp) throws(ActionError) {
        let unlinked: [String] = try column(
            "DELETE FROM linked_provider WHERE project = ? AND account = ? AND linked_at >= ? RETURNING provider",
            [project, account, since])
        change(account, in: project) { $0.noteUnlinked(unlinked) }
    }

    @discardableResult
    public func deleteLinkedProvider(_ provider: String, of account: AccountID, in project: ProjectID) throws(ActionError) -> Bool {
        let isUnlinked = try changesRow(
            "DELETE FROM linked_provider WHERE project = ? AND account = ? AND provider = ?", [project, account, provider])
        if isUnlinked { change(account, in: project) { $0.noteUnlinked([provider]) } }
        return isUnlinked
    }
}
