internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `accounts:batchGet`: all accounts of a project, in the order of their ids, page by page.
    ///
    /// Without password hashes, as Google answers admins who may not read them: whoever stole an admin's key should not get to guess
    /// at everyone's password. `onward users export` writes them, on the machine itself.
    func batchGet() async throws(ActionError) -> JSON {
        try requireAdmin()
        let limit = try pageSize()
        var page = Accounts.Page(limit: limit)
        page.after = try body.text("nextPageToken").map(AccountID.init(rawValue:))
        let profiles = try await site.accounts.store.profiles(page, in: project.id)
        return .object([
            "kind": "identitytoolkit#DownloadAccountResponse",
            "users": profiles.isEmpty ? nil : .array(profiles.map(\.json)),
            "nextPageToken": profiles.count == limit ? .string(ifAny: profiles.last?.account.id.rawValue) : nil,
        ])
    }

    /// The emulator gives all of them at once for -1.
    private func pageSize() throws(ActionError) -> Int {
        switch try body.integer("maxResults") {
        case nil, 0: 20
        case let size? where size > 0: Int(min(size, 1000))
        case -1 where site.mode.isDevelopment: .max
        default: throw .refused(.invalidArgument, detail: "/maxResults must be from 1 to 1000")
        }
    }

    /// The older spelling of `batchGet`, which names the project in its body.
    func downloadAccount() async throws(ActionError) -> JSON {
        try requireNamedProject()
        return try await batchGet()
    }

    /// Refuses `INSUFFICIENT_PERMISSION`.
    func requireAdmin() throws(ActionError) {
        guard caller.isAdmin else { throw .refused(.insufficientPermission, detail: "Only an admin may do this") }
    }

    /// For the older spelling of what admins do. Refuses `INSUFFICIENT_PERMISSION`.
    func requireNamedProject() throws(ActionError) {
        guard try body.text("targetProjectId") != nil else {
            throw .refused(.insufficientPermission, detail: "Name the project in targetProjectId")
        }
    }
}
