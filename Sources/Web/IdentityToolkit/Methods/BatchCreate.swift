internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `accounts:batchCreate`: takes in up to a thousand accounts with the hashes of their passwords. What is wrong with one of them is told,
    /// and stops no other.
    func batchCreate() async throws(ActionError) -> JSON {
        try requireAdmin()
        let rows = try body.items("users")
        guard !rows.isEmpty else { throw .refused(.missingUserAccount) }
        guard rows.count <= 1000 else { throw .refused(.invalidArgument, detail: "/users must be at most 1000") }
        let (moment, random) = (site.accounts.now(), site.accounts.random)
        let users = rows.map { row in
            Result { () throws(ActionError) in try ImportedUser(JSONFields(row, "/users"), in: project.id, at: moment, random: random) }
        }
        let readable = users.compactMap { try? $0.get() }
        try requireDistinct(readable)
        let scheme = readable.contains { $0.password != nil } ? try HashScheme(body.hashScheme()) : nil
        let verdicts = try await site.actions.imports.take(
            users, hashedBy: scheme, existing: body.bool("allowOverwrite") == false ? .refuse : .overwrite)
        let problems = zip(verdicts.indices, verdicts).compactMap { index, verdict in verdict.problem(at: index) }
        return .object([
            "kind": "identitytoolkit#UploadAccountResponse",
            "error": problems.isEmpty ? nil : .array(problems),
        ])
    }

    /// The older spelling, which names the project in its body.
    func uploadAccount() async throws(ActionError) -> JSON {
        try requireNamedProject()
        return try await batchCreate()
    }

    /// What two accounts of one call may not share. Google overwrites an account that is there unless told not to, but not one of the
    /// same call unless told to; and looks for twins otherwise only when asked for a `sanityCheck`.
    private func requireDistinct(_ users: [ImportedUser]) throws(ActionError) {
        if try body.bool("allowOverwrite") != true, let twin = users.map(\.account.id).firstTwin {
            throw .refused(.duplicateLocalID, detail: twin.rawValue)
        }
        guard try body.bool("sanityCheck") == true else { return }
        if users.compactMap(\.account.email).firstTwin != nil { throw .refused(.duplicateEmail) }
        if users.flatMap({ $0.linkedProviders.map { [$0.provider, $0.rawID] } }).firstTwin != nil { throw .refused(.duplicateRawID) }
    }
}

extension UserImport.Verdict {
    fileprivate func problem(at index: Int) -> JSON? {
        switch self {
        case .added, .overwritten, .skipped: nil
        case .refused(_, let detail): .object(["index": .int(index), "message": .string(detail)])
        }
    }
}

extension Array where Element: Hashable {
    /// The first that has been there before.
    fileprivate var firstTwin: Element? {
        var seen: Set<Element> = []
        return first { !seen.insert($0).inserted }
    }
}
