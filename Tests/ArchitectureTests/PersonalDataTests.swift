import Foundation
import Testing

/// The table of personal data in `Docs/PersonalData.md`, compared with the schema.
@Suite struct `The table of personal data` {
    /// Columns that say nothing about a person, or only with another column of their row.
    static let impersonal: Set = [
        "code.row_id", "code.digest", "code.expires_at", "code.ending", "code.ended_at", "code.has_siblings",
        "code.mail_has_number", "code.wrong_numbers_left", "code.superseded", "code.mailed", "code.paused_until",
        "second_factor.by_admin",
        "upstream_try.digest", "upstream_try.begun_at", "upstream_try.finished_at", "upstream_try.open_tries",
        "mail.id", "mail.code", "mail.useless_after", "mail.priority", "mail.turn", "mail.attempts", "mail.due_at",
        "mail.ending", "mail.ended_at", "mail.relay", "mail_suppression.provider", "mail_report.digest", "mail_report.received_at",
        "short_link.id", "short_link.origin", "short_link.path", "short_link.created_at", "short_link.client_number",
        "short_link.disabled_at", "short_link_count.link", "short_link_count.day", "short_link_count.platform", "short_link_count.event",
        "short_link_count.count",
        "signing_key.id", "signing_key.created_at", "signing_key.signs_from", "signing_key.sealed_private_key",
        "admin_key.digest", "admin_key.id", "admin_key.permissions", "admin_key.created_at", "admin_key.expires_at", "admin_key.revoked_at",
        "project_settings.settings", "project_settings.revision", "project_settings.changed_at",
        "secret.number", "secret.fingerprint", "secret.fingerprint_copy", "secret.state", "secret.sealed_keys",
        "clock.id", "clock.mark", "clock.acceptances", "row_id_range.id", "row_id_range.number", "row_id_range.starts_at",
        "account_event.position", "account_event.id", "account_event.endpoint", "account_event.attempts", "account_event.due_at",
        "account_event.parked_at", "account_event.cause",
        "audit.position", "audit.at", "audit.method", "audit.request", "audit.outcome",
    ]

    /// `table.column` of every table, except for the id of the project.
    private func columns() throws -> Set<String> {
        let files = try Source.all(in: "Sources/Store/Schema").map(\.text)
        // A file that makes a table anew drops the earlier one.
        let isRemade = { (text: String) in text.contains("DROP TABLE") }
        let schema = (files.filter { !isRemade($0) } + files.filter(isRemade)).joined()
        var columns: Set<String> = []
        for table in schema.matches(of: #/CREATE TABLE (\w+) \(\n((?:.*\n)*?) *\)\\\(d\.\w+/#) {
            columns = columns.filter { !$0.hasPrefix("\(table.1).") }
            for column in table.2.matches(of: #/(?m)^ *([a-z_]+) (?:TEXT|\\\(d\.\w+\))/#) { columns.insert("\(table.1).\(column.1)") }
        }
        for added in schema.matches(of: #/ALTER TABLE (\w+) ADD COLUMN (\w+)/#) { columns.insert("\(added.1).\(added.2)") }
        return columns.filter { !$0.hasSuffix(".project") }
    }

    /// `table.column` of the rows, which name them as `` `table`: `column`, `column` ``.
    private func documented() throws -> [String] {
        let text = try String(contentsOf: Source.root.appending(path: "Docs/PersonalData.md"), encoding: .utf8)
        return text.matches(of: #/`(\w+)`: (`\w+`(?:, `\w+`)*)/#).flatMap { row in
            row.2.matches(of: #/`(\w+)`/#).map { "\(row.1).\($0.1)" }
        }
    }

    @Test func `has every column that is not known to be impersonal, once`() throws {
        let (columns, documented) = (try columns(), try documented())
        #expect(columns.count > 70)
        #expect(columns.subtracting(documented).subtracting(Self.impersonal).sorted() == [], "add a row to Docs/PersonalData.md")
        #expect(Set(documented).subtracting(columns).sorted() == [], "not in the schema")
        #expect(Self.impersonal.subtracting(columns).sorted() == [], "not in the schema")
        #expect(documented.count == Set(documented).count && Self.impersonal.isDisjoint(with: documented))
    }
}
