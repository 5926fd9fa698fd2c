import Accounts
import EmailActions
import JSON

extension MailRecord {
    /// The state as `onward mail` names it.
    private var state: String { end?.rawValue ?? "waiting" }

    /// The mail as an object; absent values are null.
    var json: JSON {
        func moment(_ moment: Timestamp?) -> JSON { moment.map { .string($0.iso8601) } ?? .null }
        func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
        return .object([
            "id": .string(id), "project": .string(project.rawValue), "kind": .string(kind.rawValue), "language": .string(language),
            "createdAt": moment(createdAt), "state": .string(state), "endedAt": moment(endedAt), "attempts": .int(attempts),
            "nextAttemptAt": moment(dueAt), "relay": text(relay), "answer": text(answer), "code": text(code?.rawValue),
        ])
    }

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
