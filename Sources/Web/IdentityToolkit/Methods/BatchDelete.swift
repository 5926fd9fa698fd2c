internal import Accounts
internal import Base

extension APIMethod {
    static let batchDelete = APIMethod(
        "batchDelete", requiresAdmin: true, maxBodyBytes: 1 << 20,
        documentation: MethodDocumentation(
            summary: "Deletes up to a thousand accounts; without `force` only disabled ones.",
            adminFields: [Property("localIds", .list(.text)), Property("force", .flag)],
            response: [
                Property(
                    "errors", .list(.object([.always("index", .integer), .always("localId", .text), .always("message", .text)])))
            ],
            refusals: [.localIDListExceedsLimit]),
        run: { (call) throws(ActionError) in try await call.batchDelete() })
}

extension Call {
    /// `accounts:batchDelete`: deletes up to a thousand accounts; without `force` only disabled
    /// ones.
    func batchDelete() async throws(ActionError) -> JSON {
        let ids = try body.strings("localIds").map(AccountID.init(rawValue:))
        guard (1...1000).contains(ids.count) else { throw .refused(.localIDListExceedsLimit) }
        let kept = try await accounts.erasure.delete(ids, force: body.bool("force") ?? false, in: project.id)
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
