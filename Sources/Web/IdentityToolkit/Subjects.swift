internal import Accounts
internal import EmailActions
internal import JSON

/// Whom a call is about, by ids, for the audit.
extension Call {
    /// Those whom the request names: by ids, by an ID token or by an address.
    func subjects() async -> [String] { await subjects(of: body.json) }

    /// Those whom a JSON object names. An ID token counts beside ids, because a method may go by either.
    func subjects(of json: JSON) async -> [String] {
        var ids = json.accountIDs
        if let idToken = json.scalar(of: "idtoken"), let account = try? await account(behind: idToken) {
            ids.insert(account.id.rawValue, at: 0)
        }
        guard ids.isEmpty, let email = json.scalar(of: "email").flatMap({ EmailAddress($0) }) else { return Self.recordable(ids) }
        // Nobody by that name, or a store that is down: the call itself will say so.
        let found = (try? await site.accounts.profiles([.email(email)], in: project.id)) ?? []
        return Self.recordable(found.map(\.account.id.rawValue))
    }

    /// As many accounts as one call may change.
    private static let most = 1000

    /// What cannot be an id is not kept.
    private static func recordable(_ named: [String]) -> [String] {
        var seen: Set<String> = []
        let ids = named.filter { seen.insert($0).inserted }
        let kept = ids.prefix(most).filter { (1...128).contains($0.unicodeScalars.count) }
        return kept.map { AccountID(rawValue: $0).loggable } + (ids.count > most ? ["(\(ids.count - most) more)"] : [])
    }
}

extension AccountID {
    /// The id as log and audit have it. Teams that came along may have addresses for ids, and who names an account may err (O1).
    var loggable: String { EmailAddress(rawValue) == nil ? rawValue : "(an address)" }
}

extension JSON {
    /// Ids in the places where the API has them, in either spelling: alone, and only then in a list or in a list of accounts, which a
    /// method may not even read.
    fileprivate var accountIDs: [String] {
        guard case .object(let members) = self else { return [] }
        let listed = members.flatMap { member -> [String] in
            switch (JSONFields.letters(of: member.name), member.value) {
            case ("localid", .array(let items)), ("localids", .array(let items)): items.compactMap(\.scalar)
            case ("users", .array(let items)), ("userinfo", .array(let items)): items.flatMap(\.accountIDs)
            default: []
            }
        }
        return ["localid", "userid"].compactMap(scalar) + listed
    }

    /// A member by its letters, where it is one text.
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
