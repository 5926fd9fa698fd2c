public import Base

extension MailRecord {
    /// The states of a mail, as admins see them.
    public static let states = ["waiting"] + MailEndReason.allCases.map(\.rawValue)

    public var state: String { end?.rawValue ?? Self.states[0] }

    /// The mail as an object, for admins. It contains neither the recipient nor the link. Values
    /// that are not known are left out.
    public var json: JSON {
        .object([
            "id": .string(id.description), "project": .string(project.rawValue), "localId": .string(ifAny: account?.rawValue),
            "kind": .string(kind.rawValue), "language": .string(language),
            "createdAt": .string(createdAt.iso8601), "state": .string(state), "endedAt": .string(ifAny: endedAt?.iso8601),
            "attempts": .int(attempts), "nextAttemptAt": .string(ifAny: dueAt?.iso8601), "relay": .string(ifAny: relay),
            "answer": .string(ifAny: answer), "code": .string(ifAny: code?.rawValue),
        ])
    }
}
