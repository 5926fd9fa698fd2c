import Accounts
internal import Base

extension MailRecord {
    /// The mail as lines for people.
    var line: String {
        var text = "\(createdAt.iso8601)  \(state)  \(kind.rawValue)  \(project)  \(id)"
        if let endedAt { text += "\n    ended \(endedAt.iso8601)" }
        if let dueAt { text += "\n    next attempt \(dueAt.iso8601)" }
        if attempts > 0 { text += "\n    attempts \(attempts)" }
        if let answer { text += "\n    \(relay ?? "Onward"): \(answer)" }
        if let code { text += "\n    code \(code.rawValue)" }
        return text
    }
}
