package import Accounts
package import EmailActions

extension StoredMail: TableRow {
    static let table = "mail"
    static let columns = "id, project, recipient, kind, language, sealed, created_at, useless_after"

    var values: [any SQLConvertible] { [id, project, recipient, kind, language, sealed, createdAt, uselessAfter] }

    package init(row: inout SQLRow) throws(SQLFailure) {
        self.init(
            id: try row.next(), project: try row.next(), recipient: try row.next(), kind: try row.next(), language: try row.next(),
            sealed: try row.next(), createdAt: try row.next(), uselessAfter: try row.next())
    }
}

extension Records {
    package func insert(_ mail: StoredMail) throws(ActionError) { try insert(mail, refusing: [:]) }

    package func delete(_ mail: StoredMail) throws(ActionError) { _ = try execute("DELETE FROM mail WHERE id = ?", [mail.id]) }
}
