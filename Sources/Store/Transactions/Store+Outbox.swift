public import Accounts

/// Queries of the outbox, for the dev inbox and for delivery. Mails are inserted in the transaction
/// that creates their code.
extension Store {
    /// The mails of the outbox that still have their letters, newest first.
    /// - Parameters:
    ///   - project: nil for all.
    ///   - recipient: nil for all.
    ///   - kind: nil for all.
    public func mails(
        in project: ProjectID? = nil, to recipient: EmailAddress? = nil, kind: LetterKind? = nil, limit: Int
    ) async throws(ActionError) -> [StoredMail] {
        let filters: [(column: String, value: any SQLConvertible)] = [
            project.map { ("project", $0) }, recipient.map { ("recipient", $0) }, kind.map { ("kind", $0) },
        ].compactMap(\.self)
        let conditions = (["WHERE sealed IS NOT NULL"] + filters.map { "\($0.column) = ?" }).joined(separator: " AND ")
        let arguments = filters.map(\.value) + [limit]
        return try await read { records throws(ActionError) in
            try records.all("\(StoredMail.select) \(conditions) ORDER BY id DESC LIMIT ?", arguments)
        }
    }

    public func mail(_ id: MailID) async throws(ActionError) -> StoredMail? {
        try await read { records throws(ActionError) in try records.first("\(StoredMail.select) WHERE id = ? AND sealed IS NOT NULL", [id])
        }
    }

    public func countMails(in project: ProjectID) async throws(ActionError) -> Int {
        try await read { records throws(ActionError) in
            try records.count("SELECT count(*) FROM mail WHERE project = ?", [project])
        }
    }

    /// A text that changes whenever a mail is added, or removed.
    public func mailsVersion() async throws(ActionError) -> String {
        try await read { records throws(ActionError) in
            let newest: [MailID?] = try records.column("SELECT max(id) FROM mail WHERE sealed IS NOT NULL", [])
            let count = try records.count("SELECT count(*) FROM mail WHERE sealed IS NOT NULL", [])
            return "\((newest.first ?? nil)?.description ?? "none")-\(count)"
        }
    }

    public func deleteMails(_ ids: [MailID]) async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            for id in ids { _ = try records.execute("DELETE FROM mail WHERE id = ?", [id]) }
        }
    }

    public func deleteMails(in project: ProjectID) async throws(ActionError) {
        try await transaction { records throws(ActionError) in _ = try records.execute("DELETE FROM mail WHERE project = ?", [project]) }
    }
}
