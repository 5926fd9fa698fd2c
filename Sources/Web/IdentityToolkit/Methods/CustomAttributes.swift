internal import Accounts
internal import Base

extension Call {
    /// The custom claims that an admin sets: the text of a JSON object, stored as it was sent.
    /// Source: Firebase `Control Access with Custom Claims`.
    func customAttributes() throws(ActionError) -> AccountChange.Change<String>? {
        guard body.has("customAttributes") else { return nil }
        return try body.customClaims("customAttributes").map { .set($0) } ?? .clear
    }
}
