internal import Accounts
internal import EmailActions

/// Whom a call is about, by ids, for the audit.
extension Call {
    /// Those whom the request names: by ids, by an address or by an ID token.
    func subjects() async -> [String] {
        let named = await subjects(of: body.json)
        guard named.isEmpty, let idToken = try? body.text("idToken"), let account = try? await account(behind: idToken) else {
            return named
        }
        return Self.recordable([account.id.rawValue])
    }

    /// Those whom a JSON object names.
    func subjects(of json: JSON) async -> [String] {
        let ids = Array(Set(json.accountIDs)).sorted()
        guard ids.isEmpty, let email = json.email else { return Self.recordable(ids) }
        // Nobody by that name, or a store that is down: the call itself will say so.
        let found = (try? await site.accounts.profiles([.email(email)], in: project.id)) ?? []
        return Self.recordable(found.map(\.account.id.rawValue))
    }

    /// As many accounts as one call may change.
    private static let most = 1000

    /// What cannot be an id is not kept, and what was meant as an address is not told (O1).
    private static func recordable(_ ids: [String]) -> [String] {
        let kept = ids.prefix(most).filter { (1...128).contains($0.unicodeScalars.count) }
        return kept.map { EmailAddress($0) == nil ? $0 : "(an address)" } + (ids.count > most ? ["(\(ids.count - most) more)"] : [])
    }
}

extension JSON {
    /// Ids in the places where the API has them, in either spelling: alone, in a list, in a list of accounts.
    fileprivate var accountIDs: [String] {
        guard case .object(let members) = self else { return [] }
        return members.flatMap { member -> [String] in
            switch (Fields.letters(of: member.name), member.value) {
            case ("localid", .array(let items)), ("localids", .array(let items)): items.compactMap(\.scalar)
            case ("localid", let value), ("userid", let value): value.scalar.map { [$0] } ?? []
            case ("users", .array(let items)), ("userinfo", .array(let items)): items.flatMap(\.accountIDs)
            default: []
            }
        }
    }

    fileprivate var email: EmailAddress? {
        guard case .object(let members) = self else { return nil }
        return members.first { Fields.letters(of: $0.name) == "email" }?.value.scalar.flatMap { EmailAddress($0) }
    }

    private var scalar: String? {
        switch self {
        case .string(let text), .number(let text): text
        default: nil
        }
    }
}
