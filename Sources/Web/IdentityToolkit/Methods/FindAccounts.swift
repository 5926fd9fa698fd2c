internal import Accounts
internal import Base

extension APIMethod {
    static let findAccounts = APIMethod(
        "findAccounts", requiresAdmin: true, permissions: [.read], errorStyle: .ours,
        documentation: MethodDocumentation(
            summary: "The accounts that a text names: an address or its beginning, an id, a phone number, an id at a provider.",
            adminFields: [
                Property("text", .text, "If it is empty, the newest accounts are named."),
                Property("pageSize", .integer, "1 to 100; 25 by default."),
                Property("pageToken", .text, "The `nextPageToken` of the page before."),
            ],
            response: [
                .always(
                    "match", .choice(AccountSearch.Match.allCases.map(\.rawValue)),
                    "`similar`: the addresses begin as the text does, which may be mistyped."),
                .always("users", .list(.shared(.account))), Property("nextPageToken", .text, "Absent on the last page."),
            ],
            refusals: [.userNotFound]),
        run: { (call) throws(ActionError) in try await call.findAccounts() })
}

extension Call {
    /// `accounts:find`.
    func findAccounts() async throws(ActionError) -> JSON {
        let limit = try pageSize(25, atMost: 100)
        let text = try body.text("text")?.trimmed ?? ""
        let last = try body.text("pageToken").map(AccountID.init(rawValue:))
        let search = try await accounts.find(text, after: last, limit: limit, in: project)
        return .object([
            "match": .string(search.match.rawValue), "users": .array(search.profiles.map(json)),
            "nextPageToken": search.hasMore ? .string(ifAny: search.profiles.last?.account.id.rawValue) : nil,
        ])
    }

    /// The number of rows that a page has.
    func pageSize(_ usual: Int64, atMost limit: Int64) throws(ActionError) -> Int {
        let size = try body.integer("pageSize") ?? usual
        guard (1...limit).contains(size) else { throw .refused(.invalidArgument, detail: "/pageSize must be from 1 to \(limit)") }
        return Int(size)
    }
}
