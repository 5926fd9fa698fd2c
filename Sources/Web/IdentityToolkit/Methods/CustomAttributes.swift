internal import Accounts
internal import EmailActions

extension Call {
    /// The custom claims that an admin sets: a JSON object, kept as it was written. Source: Firebase `Control Access with Custom Claims`.
    func customAttributes() throws(ActionError) -> AccountChange.Change<String>? {
        guard let text = try body.string("customAttributes") else { return nil }
        guard !text.isEmpty else { return .clear }
        guard text.unicodeScalars.count <= 1000 else { throw .refused(.claimsTooLarge) }
        guard case .object(let claims)? = try? JSON(Array(text.utf8)) else { throw .refused(.invalidClaims) }
        if let reserved = claims.map(\.name).first(where: Claim.reserved.contains) {
            throw .refused(.forbiddenClaim, detail: reserved)
        }
        return .set(text)
    }
}
