internal import Accounts
internal import Base

extension APIMethod {
    static let listSuppressions = APIMethod(
        "listSuppressions", source: .query, requiresAdmin: true, permissions: [.read], errorStyle: .ours,
        documentation: MethodDocumentation(
            summary: "Why addresses get no mails, newest first. Only keyed hashes of the addresses are stored, so none is named.",
            adminFields: [
                Property("to", .text, "Only those of this address."),
                Property("pageSize", .integer, "The most suppressions: 1 to 1000; 100 by default."),
            ],
            response: [.always("suppressions", .list(.suppression), "Those in force.")],
            refusals: [.invalidEmail]),
        run: { (call) throws(ActionError) in try await call.listSuppressions() })

    static let removeSuppressions = APIMethod(
        "removeSuppressions", source: .addressAndQuery, requiresAdmin: true, errorStyle: .ours,
        documentation: MethodDocumentation(
            summary: "Lets an address get mails again. The address is percent-encoded in the path.",
            response: [.always("removed", .integer, "The number of suppressions that ended.")],
            refusals: [.invalidEmail]),
        run: { (call) throws(ActionError) in try await call.removeSuppressions() })
}

extension Call {
    /// `projects.suppressions`.
    func listSuppressions() async throws(ActionError) -> JSON {
        let limit = try pageSize(100, atMost: 1000)
        let found =
            if let recipient = try body.email("to") {
                try await accounts.suppressions(of: recipient, in: project.id)
            } else {
                try await accounts.suppressions(in: project.id, limit: limit)
            }
        return .object(["suppressions": .array(found.map(\.json))])
    }

    /// `DELETE suppressions/{address}`.
    func removeSuppressions() async throws(ActionError) -> JSON {
        guard let recipient = try body.email("to") else { throw .refused(.invalidEmail) }
        return .object(["removed": .int(try await accounts.removeSuppressions(of: recipient, in: project.id))])
    }
}

extension Schema {
    /// A suppression of an address.
    static let suppression: Schema = .object([
        .always("project", .text),
        .always(
            "reason", .choice(Suppression.Reason.allCases.map(\.rawValue)),
            "`bounce`: the mailbox does not exist, no mails are sent. `complaint`: only links are sent."),
        .always("provider", .choice(FeedbackProvider.allCases.map(\.rawValue))), .always("at", .text),
        Property("until", .text, "Absent if it ends only when it is removed."),
    ])
}
