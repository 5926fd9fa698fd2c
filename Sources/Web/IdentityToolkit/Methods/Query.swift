internal import Accounts
internal import Base

extension APIMethod {
    static let query = APIMethod(
        "query", requiresAdmin: true, permissions: [.read],
        documentation: MethodDocumentation(
            summary: "The accounts that an expression names, or all of them in the order of their ids, or only their number.",
            adminFields: [
                Property(
                    "expression",
                    .list(.object([Property("userId", .text), Property("email", .text), Property("phoneNumber", .text)])),
                    "Only the first is read."),
                Property("returnUserInfo", .flag, "If false, only their number."), Property("limit", .int64, "1 to 500."),
                Property("offset", .int64),
                Property("sortBy", .choice(["USER_ID"])), Property("order", .choice(["ASC", "DESC"])),
            ],
            response: [.always("recordsCount", .int64), Property("userInfo", .list(.shared(.account)))],
            refusals: [.operationNotAllowed]),
        run: { (call) throws(ActionError) in try await call.query() })
}

extension Call {
    /// `accounts:query`: the accounts that an expression names, or all of them in the order of
    /// their ids, or only their number.
    func query() async throws(ActionError) -> JSON {
        let page = try queryPage()
        let count: Int
        var profiles: [Accounts.Profile] = []
        // Google reads only the first expression, too.
        if let expression = try body.objects("expression").first {
            let found = try await accounts.profiles([expression.named()].compactMap(\.self), in: project.id)
            count = found.count
            profiles = Array(found.dropFirst(page.offset).prefix(page.limit))
        } else {
            let id = project.id
            count = try await accounts.store.read { (records) throws(ActionError) in try records.countAccounts(in: id) }
            if try wantsUsers { profiles = try await accounts.store.profiles(page, in: project.id) }
        }
        return .object([
            "recordsCount": .string(String(count)),
            "userInfo": try wantsUsers && !profiles.isEmpty ? .array(profiles.map(json)) : nil,
        ])
    }

    private var wantsUsers: Bool { get throws(ActionError) { try body.bool("returnUserInfo") ?? true } }

    private func queryPage() throws(ActionError) -> Accounts.PageRequest {
        let (limit, offset) = (try body.integer("limit") ?? 500, try body.integer("offset") ?? 0)
        guard (1...500).contains(limit), (0...Int64(Int32.max)).contains(offset) else {
            throw .refused(.invalidArgument, detail: "/limit must be from 1 to 500, and /offset not negative")
        }
        let sort = try body.choice(
            "sortBy", of: ["SORT_BY_FIELD_UNSPECIFIED", "USER_ID", "NAME", "CREATED_AT", "LAST_LOGIN_AT", "USER_EMAIL"])
        guard [nil, "SORT_BY_FIELD_UNSPECIFIED", "USER_ID"].contains(sort) else {
            throw .refused(.operationNotAllowed, detail: "Accounts are sorted by USER_ID only")
        }
        var page = Accounts.PageRequest(limit: Int(limit))
        page.offset = Int(offset)
        page.isDescending = try body.choice("order", of: ["ORDER_UNSPECIFIED", "ASC", "DESC"]) == "DESC"
        return page
    }
}

extension JSONFields {
    /// The account that an expression names; nil if its value cannot belong to an account.
    fileprivate func named() throws(ActionError) -> Accounts.Identifier? {
        if let id = try text("userId") { return .id(AccountID(rawValue: id)) }
        if let email = try text("email") { return EmailAddress(email).map { .email($0) } }
        if let number = try text("phoneNumber") { return PhoneNumber(number).map { .phoneNumber($0) } }
        throw .refused(.invalidArgument, detail: "/expression must name a userId, an email or a phoneNumber")
    }
}
