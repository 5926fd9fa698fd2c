internal import Accounts
internal import EmailActions

extension Call {
    /// The custom claims that an admin sets: a JSON object, kept as it was written. Source: Firebase `Control Access with Custom Claims`.
    func customAttributes() throws(ActionError) -> AccountChange.Change<String>? {
        guard body.has("customAttributes") else { return nil }
        return try body.customClaims("customAttributes").map { .set($0) } ?? .clear
    }
}

extension Fields {
    /// Nil for none, or an empty text.
    func customClaims(_ name: String) throws(ActionError) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.unicodeScalars.count <= 1000 else { throw .refused(.claimsTooLarge) }
        guard case .object(let claims)? = try? JSON(Array(text.utf8)), Claim.canRepeat(text) else { throw .refused(.invalidClaims) }
        if let reserved = claims.map(\.name).first(where: Claim.reserved.contains) {
            throw .refused(.forbiddenClaim, detail: reserved)
        }
        return text
    }
}
