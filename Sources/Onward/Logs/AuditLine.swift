import Accounts

/// A record as one line of JSON; what is in a label or an id cannot look like another line or another key (O2).
struct AuditLine {
    let record: AuditRecord

    /// Without its line end.
    var text: String {
        let members = [
            ("at", LogLine.quoted(record.at.iso8601)),
            ("actor", LogLine.quoted(record.actor)),
            ("method", LogLine.quoted(record.method)),
            ("project", Self.quoted(ifAny: record.project?.rawValue)),
            ("subjects", "[\(record.subjects.map(LogLine.quoted).joined(separator: ","))]"),
            ("peer", Self.quoted(ifAny: record.peer)),
            ("request", Self.quoted(ifAny: record.request)),
            ("outcome", LogLine.quoted(outcome)),
        ]
        return "{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
    }

    private var outcome: String {
        switch record.outcome {
        case .done?: "done"
        case .refused(let code)?: code
        case nil: "unknown"
        }
    }

    private static func quoted(ifAny text: String?) -> String { text.map(LogLine.quoted) ?? "null" }
}
