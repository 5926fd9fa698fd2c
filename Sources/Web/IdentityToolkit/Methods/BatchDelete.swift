internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `accounts:batchDelete`: up to a thousand accounts; without `force` only disabled ones.
    func batchDelete() async throws(ActionError) -> JSON {
        try requireAdmin()
        let ids = try body.strings("localIds").map(AccountID.init(rawValue:))
        guard (1...1000).contains(ids.count) else { throw .refused(.localIDListExceedsLimit) }
        let kept = try await site.accounts.store.delete(ids, force: body.bool("force") ?? false, in: project.id)
        return .object([
            "errors": kept.isEmpty
                ? nil
                : .array(
                    kept.map { index in
                        .object([
                            "index": .int(index), "localId": .string(ids[index].rawValue),
                            "message": "NOT_DISABLED : Disable the account before batch deletion.",
                        ])
                    })
        ])
    }
}
