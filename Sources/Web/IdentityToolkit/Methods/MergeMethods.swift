internal import Accounts
internal import Base

extension APIMethod {
    static let mergeAccounts = APIMethod(
        "mergeAccounts", requiresAdmin: true, errorStyle: .ours,
        documentation: MethodDocumentation(
            summary: "Merges an account into another of the same person, and deletes it; for 30 days this can be undone.",
            adminFields: [
                Property("localId", .text, "The account that stays. Required."),
                Property("fromLocalId", .text, "The account that is merged into it. Required."),
                Property("dryRun", .flag, "Whether only to answer what would happen."),
            ],
            response: [
                .always("localId", .text), .always("fromLocalId", .text),
                Property("email", .text, "The address of the account afterwards."),
                .always("movedProviders", .list(.text)),
                .always("droppedProviders", .list(.text), "Those that the account has already, with another user there."),
                .always("movedSecondFactors", .list(.text), "Ids. Their recovery codes end."),
                .always("droppedSecondFactors", .list(.text), "Phone numbers that the account has already."),
                Property("droppedEmail", .text), Property("droppedPhoneNumber", .text),
                .always("droppedPassword", .flag, "Whether a password ends: a password goes with its address."),
                .always("droppedClaims", .flag, "Whether the merged account had claims. They are never taken."),
            ],
            refusals: [.missingLocalID, .userNotFound, .userDisabled]),
        run: { (call) throws(ActionError) in try await call.mergeAccounts() })

    static let unmergeAccounts = APIMethod(
        "unmergeAccounts", requiresAdmin: true, errorStyle: .ours,
        documentation: MethodDocumentation(
            summary: "Undoes a merge of the last 30 days, unless the account has changed since.",
            adminFields: [
                Property("localId", .text, "The account that stayed. Required."),
                Property("fromLocalId", .text, "The account that was merged into it. Required."),
            ],
            response: [.always("localId", .text), .always("fromLocalId", .text)],
            refusals: [.missingLocalID, .userNotFound]),
        run: { (call) throws(ActionError) in try await call.unmergeAccounts() })
}

extension Call {
    /// `accounts:merge`.
    func mergeAccounts() async throws(ActionError) -> JSON {
        let merge = try merge()
        let plan =
            try body.bool("dryRun") ?? false
            ? try await merging.plan(merge, in: project.id) : try await merging.merge(merge, in: project.id, language: project.language)
        return plan.json(of: merge)
    }

    /// `accounts:unmerge`.
    func unmergeAccounts() async throws(ActionError) -> JSON {
        let merge = try merge()
        try await merging.unmerge(merge, in: project.id, language: project.language)
        return .object(merge.members)
    }

    private func merge() throws(ActionError) -> Merge {
        guard let into = try body.text("localId"), let from = try body.text("fromLocalId") else {
            throw .refused(.missingLocalID, detail: "Name both accounts, in localId and fromLocalId")
        }
        return Merge(into: AccountID(rawValue: into), from: AccountID(rawValue: from))
    }

    private var merging: Merging { accounts.merging }
}
