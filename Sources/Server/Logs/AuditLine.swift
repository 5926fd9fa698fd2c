public import Accounts
import Base

/// An audit record as one line of JSON. Its values are escaped, so that they cannot add lines or
/// keys (O2).
public struct AuditLine {
    private let record: AuditRecord

    public init(_ record: AuditRecord) { self.record = record }

    /// The JSON text without a line end.
    public var text: String {
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
