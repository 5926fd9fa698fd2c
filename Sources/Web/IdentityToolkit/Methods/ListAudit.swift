internal import Accounts
internal import Base

extension APIMethod {
    static let listAudit = APIMethod(
        "listAudit", source: .query, requiresAdmin: true, permissions: [.read], needsAccounts: false, errorStyle: .ours,
        documentation: MethodDocumentation(
            summary: "What admins did in the project, newest first, as `onward audit` prints it.",
            adminFields: [
                Property("localId", .text, "Only what concerned this account."),
                Property("changes", .flag, "Whether to leave out what only read."),
                Property("pageSize", .integer, "1 to 1000; 100 by default. A page may have fewer."),
                Property("pageToken", .text, "The `nextPageToken` of the page before."),
            ],
            response: [
                .always(
                    "operations",
                    .list(
                        .object([
                            .always("at", .text, "ISO 8601."), .always("actor", .text, "`key:<id> <label>`, `owner` or `cli:<user>`."),
                            .always("method", .text), .always("subjects", .list(.text), "Ids of accounts, never addresses."),
                            Property("peer", .text, "The address of the admin's program."), Property("request", .text),
                            Property("outcome", .text, "`done`, or an error code; absent while it runs, or if its process ended."),
                        ]))), Property("nextPageToken", .text, "Absent if there is no older operation."),
            ]),
        run: { (call) throws(ActionError) in try await call.listAudit() })
}

extension Call {
    /// `projects.audit`.
    func listAudit() async throws(ActionError) -> JSON {
        let before = try body.text("pageToken").map { text throws(ActionError) in
            guard let position = Int(text), position > 0 else {
                throw .refused(.invalidArgument, detail: "/pageToken must be a nextPageToken")
            }
            return position
        }
        var search = AuditSearch(account: try accountID(), before: before, limit: try pageSize(100, atMost: 1000))
        if try body.choice("changes", of: ["false", "true"]) == "true" { search.methodsLeftOut = APIMethod.readings }
        let page = try await accounts.audit(search, in: project.id)
        return .object([
            "operations": .array(page.records.map(\.json)), "nextPageToken": page.next.map { .string(String($0)) },
        ])
    }
}

extension APIMethod {
    /// The names of the methods that change nothing.
    fileprivate static let readings = Set(all.filter { $0.permissions.isSubset(of: [.read]) && $0.requiresAdmin }.map(\.name) + ["lookup"])
}

extension AuditRecord {
    fileprivate var json: JSON {
        .object([
            "at": .string(at.iso8601), "actor": .string(actor), "method": .string(method),
            "subjects": .array(subjects.map { .string($0) }), "peer": .string(ifAny: peer), "request": .string(ifAny: request),
            "outcome": .string(ifAny: outcome?.name),
        ])
    }
}

extension AuditOutcome {
    fileprivate var name: String {
        switch self {
        case .done: "done"
        case .refused(let code): code
        }
    }
}
