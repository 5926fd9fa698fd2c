public import Accounts
public import Base

extension StoredCode: TableRow {
    static let table = "code"
    static let columns: TableColumns = """
        row_id, digest, project, action, account, email, new_email, second_factor, settings, language, created_at, \
        expires_at, ending, ended_at, has_siblings, mail_has_number, wrong_numbers_left, paused_until, superseded, mailed, \
        browser, system
        """

    var values: [any SQLConvertible] {
        get throws(SQLFailure) {
            [
                key.rowID, key.digest, project, action, account, email, newEmail, secondFactor, settings, language, createdAt,
                expiresAt, end, endedAt, hasSiblings, mailHasNumber, wrongNumbersLeft,
                pausedUntil, isSuperseded, isMailed, device?.browser, device?.system,
            ]
        }
    }

    init(_ row: NamedRow) throws(SQLFailure) {
        try self.init(
            key: CodeKey(rowID: row["row_id"], digest: row["digest"]), project: row["project"], action: row["action"],
            account: row["account"], email: row["email"], newEmail: row["new_email"], secondFactor: row["second_factor"],
            settings: row["settings"], language: row["language"], createdAt: row["created_at"], expiresAt: row["expires_at"],
            end: row["ending"], endedAt: row["ended_at"], hasSiblings: row["has_siblings"],
            mailHasNumber: row["mail_has_number"], wrongNumbersLeft: row["wrong_numbers_left"],
            pausedUntil: row["paused_until"], isSuperseded: row["superseded"], isMailed: row["mailed"],
            device: ClientDevice(browser: row["browser"], system: row["system"]))
    }
}

/// Another live code of the same address and action.
private struct Sibling: RowReadable {
    let rowID: Int64
    let isMarked: Bool
    init(row: inout SQLRow) throws(SQLFailure) { (rowID, isMarked) = (try row.next(), try row.next()) }
}

extension SQLRecords {
    /// The condition for a code that is live at a moment: neither ended nor expired; equality
    /// counts as expired (C8).
    static let live = "ending IS NULL AND expires_at > ?"

    public func code(_ key: CodeKey) throws(ActionError) -> StoredCode? {
        if let code: StoredCode = try first(Self.codeByKey, [key.rowID, key.digest]) { return code }
        for former in key.former { if let code = try code(former) { return code } }
        return nil
    }

    private static let codeByKey = "\(StoredCode.select) WHERE row_id = ? AND digest = ?"

    public func codeAndNewer(_ key: CodeKey, at now: Timestamp) throws(ActionError) -> (code: StoredCode, newer: Timestamp?)? {
        guard let code = try code(key) else { return nil }
        // `has_siblings` of an ended or expired code is not kept up to date.
        guard code.hasSiblings || code.state(at: now) != .live else { return (code, nil) }
        let moments: [Timestamp?] = try column(
            Self.newest, [now, code.project, code.email, code.action, code.account, code.createdAt])
        return (code, moments.first ?? nil)
    }

    /// Several accounts may wish for one address that none has yet.
    private static let ofAccount = "(action <> 'verifyAndChangeEmail' OR account = ?)"

    private static let newest = """
        SELECT max(created_at) FROM code
        WHERE \(live) AND mailed = 1 AND project = ? AND email = ? AND action = ? AND \(ofAccount) AND created_at > ?
        """

    public func insert(_ code: StoredCode) throws(ActionError) {
        // At most one code of a purpose that has not ended is unmarked: the one that was made when
        // there was no other. So any of them tells whether there is one to mark.
        let sibling: Sibling? = try first(Self.anySibling, [code.project, code.email, code.action, code.account])
        // A decoy takes as long as a real code, but is not a sibling (B1).
        var code = code
        code.hasSiblings = code.end == nil && sibling != nil
        try insert(code, refusing: [:])
        let marked = sibling.map { $0.isMarked || !code.hasSiblings ? code.key.rowID : $0.rowID } ?? code.key.rowID
        try submit(Self.marking, [code.hasSiblings, marked])
    }

    private static let anySibling = """
        SELECT row_id, has_siblings FROM code WHERE ending IS NULL AND project = ? AND email = ? AND action = ? AND \(ofAccount)
        ORDER BY expires_at DESC LIMIT 1
        """
    private static let marking = "UPDATE code SET has_siblings = ? WHERE row_id = ?"

    public func spend(
        _ key: CodeKey, of action: Action, in project: ProjectID, at now: Timestamp,
        if mayBeSpent: (StoredCode) throws(ActionError) -> Bool
    ) throws(ActionError) -> StoredCode? {
        guard let code = try code(key), code.action == action, code.project == project, try mayBeSpent(code) else { return nil }
        guard code.state(at: now) == .live else { return nil }
        // Changes the row, because a transaction in which another one spent the code is run again.
        try submit(Self.spending, [StoredCode.EndReason.used, now, code.key.rowID, code.key.digest, now])
        return code
    }

    private static let spending = "UPDATE code SET ending = ?, ended_at = ? WHERE row_id = ? AND digest = ? AND \(live)"

    public func setWrongNumbersLeft(_ count: Int, of key: CodeKey, at now: Timestamp) throws(ActionError) {
        let end = count > 0 ? nil : StoredCode.EndReason.withdrawn
        try submit(
            "UPDATE code SET wrong_numbers_left = ?, ending = ?, ended_at = ? WHERE row_id = ? AND digest = ? AND \(Self.live)",
            [count, end, end.map { _ in now }, key.rowID, key.digest, now])
    }

    public func pause(_ key: CodeKey, until: Timestamp) throws(ActionError) {
        try submit(
            "UPDATE code SET wrong_numbers_left = ?, paused_until = ? WHERE row_id = ? AND digest = ? AND ending IS NULL",
            [StoredCode.wrongNumbersAllowed, until, key.rowID, key.digest])
    }

    public func withdrawCodes(
        of account: AccountID, in project: ProjectID, for actions: [Action], at now: Timestamp
    ) throws(ActionError) {
        for action in actions { try submit(Self.withdrawal, [StoredCode.EndReason.withdrawn, now, project, account, action]) }
    }

    private static let withdrawal =
        "UPDATE code SET ending = ?, ended_at = ? WHERE project = ? AND account = ? AND action = ? AND ending IS NULL"

    public func supersedeCodes(
        of account: AccountID, in project: ProjectID, for action: Action, exceptTo target: EmailAddress, at now: Timestamp
    ) throws(ActionError) {
        try submit(Self.superseding, [StoredCode.EndReason.withdrawn, now, project, account, action, target])
    }

    private static let superseding = """
        UPDATE code SET ending = ?, ended_at = ?, superseded = 1
        WHERE project = ? AND account = ? AND action = ? AND ending IS NULL AND coalesce(new_email, email) <> ?
        """

    public func addressesWithUndoLinks(of account: Account, at now: Timestamp) throws(ActionError) -> [EmailAddress] {
        try column(
            "SELECT DISTINCT email FROM code WHERE project = ? AND account = ? AND action = ? AND \(Self.live)",
            [account.project, account.id, Action.recoverEmail, now])
    }

    public func withdrawUndoLinks(
        of account: AccountID, to email: EmailAddress, in project: ProjectID, at now: Timestamp
    ) throws(ActionError) {
        try submit(
            "\(Self.withdrawal) AND email = ?",
            [StoredCode.EndReason.withdrawn, now, project, account, Action.recoverEmail, email])
    }

    public func moveUndoLinks(of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError) -> [Int64] {
        let owned = "project = ? AND account = ? AND action = ?"
        let names: [any SQLConvertible] = [project, account, Action.recoverEmail]
        let moved: [Int64] = try column("SELECT row_id FROM code WHERE \(owned)", names)
        try execute(
            "UPDATE mail SET account = ? WHERE project = ? AND account = ? AND code IN (SELECT row_id FROM code WHERE \(owned))",
            [other, project, account] + names)
        try execute("UPDATE code SET account = ? WHERE \(owned)", [other] + names)
        return moved
    }

    public func moveUndoLinks(_ codes: [Int64], to account: AccountID, in project: ProjectID) throws(ActionError) {
        for code in codes {
            let names: [any SQLConvertible] = [account, project, code]
            try execute("UPDATE mail SET account = ? WHERE project = ? AND code = ?", names)
            try execute("UPDATE code SET account = ? WHERE project = ? AND row_id = ? AND account IS NOT NULL", names)
        }
    }

    public func withdrawCodes(
        to email: EmailAddress, in project: ProjectID, for action: Action, at now: Timestamp
    ) throws(ActionError) {
        try submit(
            "UPDATE code SET ending = ?, ended_at = ? WHERE project = ? AND email = ? AND action = ? AND ending IS NULL",
            [StoredCode.EndReason.withdrawn, now, project, email, action])
    }

    public func addresses(of account: Account) throws(ActionError) -> [EmailAddress] {
        let old: [EmailAddress] = try column(
            // Not the address that an account without one only wishes for.
            """
            SELECT DISTINCT email FROM code WHERE project = ? AND account = ?
            AND (new_email IS NULL OR new_email <> email OR ending = ?)
            """, [account.project, account.id, StoredCode.EndReason.used])
        return Array(Set([account.email, account.initialEmail].compactMap(\.self) + old))
    }

    public func releaseSignInLinks(of account: Account) throws(ActionError) {
        let owned = "project = ? AND account = ?"
        let names: [any SQLConvertible] = [account.project, account.id]
        try execute(
            "UPDATE mail SET account = NULL WHERE \(owned) AND code IN (SELECT row_id FROM code WHERE \(owned) AND action = ?)",
            names + names + [Action.signIn])
        try execute("UPDATE code SET account = NULL WHERE \(owned) AND action = ?", names + [Action.signIn])
    }

    public func deleteCodes(withoutAccountFor email: EmailAddress, in project: ProjectID) throws(ActionError) {
        try execute("DELETE FROM code WHERE project = ? AND email = ? AND account IS NULL", [project, email])
    }

    public func withdrawOthers(like code: StoredCode, at now: Timestamp) throws(ActionError) {
        guard code.hasSiblings else { return }
        try withdrawCodes(to: code.email, in: code.project, for: code.action, at: now)
    }
}
