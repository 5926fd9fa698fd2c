internal import Accounts
internal import Base

extension APIMethod {
    static let batchGet = APIMethod(
        "batchGet", source: .query, requiresAdmin: true, permissions: [.read],
        documentation: MethodDocumentation(
            summary: "All accounts in the order of their ids, page by page. Only keys that may read password hashes get them.",
            adminFields: [Property("maxResults", .integer, "1 to 1000; 20 by default."), Property("nextPageToken", .text)],
            response: .kind("DownloadAccountResponse") + [Property("users", .list(.shared(.account))), Property("nextPageToken", .text)]),
        run: { (call) throws(ActionError) in try await call.batchGet() })

    /// The older name of `batchGet`, with the project in the body.
    static let downloadAccount = APIMethod(
        "downloadAccount", requiresAdmin: true, permissions: [.read], documentation: batchGet.documentation,
        run: { (call) throws(ActionError) in
            try call.requireNamedProject()
            return try await call.batchGet()
        })
}

extension Call {
    /// `accounts:batchGet`: all accounts of a project, in the order of their ids, page by page.
    ///
    /// Password hashes are left out, as in Google's responses to admins who may not read them,
    /// unless the admin key permits them. `onward users export` writes them with the parameters of
    /// their algorithms.
    func batchGet() async throws(ActionError) -> JSON {
        let limit = try pageSize()
        var page = Accounts.PageRequest(limit: limit)
        page.after = try body.text("nextPageToken").map(AccountID.init(rawValue:))
        let profiles = try await accounts.store.profiles(page, in: project.id)
        return .object([
            "kind": "identitytoolkit#DownloadAccountResponse",
            "users": profiles.isEmpty ? nil : .array(profiles.map(json)),
            "nextPageToken": profiles.count == limit ? .string(ifAny: profiles.last?.account.id.rawValue) : nil,
        ])
    }

    /// The number of accounts of a page. In the emulator, -1 means all.
    private func pageSize() throws(ActionError) -> Int {
        switch try body.integer("maxResults") {
        case nil, 0: 20
        case let size? where size > 0: Int(min(size, 1000))
        case -1 where toolkit.isDevelopment: .max
        default: throw .refused(.invalidArgument, detail: "/maxResults must be from 1 to 1000")
        }
    }
}
