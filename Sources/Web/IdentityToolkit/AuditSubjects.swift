internal import Accounts
internal import Base

/// The ids of the accounts that a call is about, for the audit log.
extension Call {
    /// The accounts that the request names, by id, ID token or address.
    func auditSubjects() async -> [String] {
        let user = if case .user(.success(let user)) = actor { user.account.id } else { AccountID?.none }
        return await auditSubjects(of: body.json, user: user)
    }

    /// The accounts that a result names.
    func auditSubjects(ofResult json: JSON) async -> [String] {
        await auditSubjects(of: json, user: json.scalar(of: "idtoken").flatMap(IDTokens.account))
    }

    /// - Parameter user: the user of an ID token, who counts beside ids, because methods differ in
    ///   which of them they use.
    private func auditSubjects(of json: JSON, user: AccountID?) async -> [String] {
        let ids = [user?.rawValue].compactMap(\.self) + json.accountIDs
        let address = json.scalar(of: "email") ?? json.scalar(of: "to")
        guard ids.isEmpty, let email = address.flatMap({ EmailAddress($0) }) else { return Self.recordable(ids) }
        // If there is no such account, or the store is down, the call itself reports it.
        let found = (try? await accounts.profiles([.email(email)], in: project.id)) ?? []
        return Self.recordable(found.map(\.account.id.rawValue))
    }

    /// The number of accounts that one call may change.
    private static let maxSubjects = 1000

    /// Leaves out texts that cannot be ids.
    private static func recordable(_ named: [String]) -> [String] {
        var seen: Set<String> = []
        let ids = named.filter { seen.insert($0).inserted }
        let kept = ids.prefix(maxSubjects).filter { (1...128).contains($0.unicodeScalars.count) }
        let rest = ids.count - maxSubjects
        return kept.map { AccountID(rawValue: $0).loggable } + (rest > 0 ? ["(\(rest) more)"] : [])
    }
}

extension AccountID {
    /// The id for logs and audit records. Imported accounts may have addresses as ids, and callers
    /// may confuse the two (O1).
    var loggable: String { EmailAddress(rawValue) == nil ? rawValue : "(an address)" }
}

extension JSON {
    /// The ids of accounts where the API has them, in either spelling: as one id, else in a list of
    /// ids or of accounts.
    fileprivate var accountIDs: [String] {
        guard case .object(let members) = self else { return [] }
        let listed = members.flatMap { member -> [String] in
            switch (JSONFields.letters(of: member.name), member.value) {
            case ("localid", .array(let items)), ("localids", .array(let items)): items.compactMap(\.scalar)
            case ("users", .array(let items)), ("userinfo", .array(let items)): items.flatMap(\.accountIDs)
            default: []
            }
        }
        return ["localid", "userid", "fromlocalid"].compactMap(scalar) + listed
    }

    /// A member by the letters of its name, if it is a string or a number.
    fileprivate func scalar(of name: String) -> String? {
        guard case .object(let members) = self else { return nil }
        return members.first { JSONFields.letters(of: $0.name) == name }?.value.scalar
    }

    private var scalar: String? {
        switch self {
        case .string(let text), .number(let text): text
        default: nil
        }
    }
}
