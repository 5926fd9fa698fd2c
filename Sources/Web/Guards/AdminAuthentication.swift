internal import Accounts

/// Decides whether a bearer token is an admin's.
struct AdminAuthentication: Sendable {
    let isDevelopment: Bool
    /// The admin with this key, or nil; nil in development, where there are no keys.
    let adminOfKey: (@Sendable (_ bearer: String) async throws(ActionError) -> Admin?)?

    /// `owner` and Google's access tokens, which SDKs send to an emulator, are an admin's in
    /// development and at the admin listener.
    func admin(_ bearer: String, through listener: ListenerRole) async throws(RequestError) -> Admin? {
        // Google's access tokens begin with `ya29.`.
        if isDevelopment || listener == .admin, bearer.lowercased() == "owner" || bearer.hasPrefix("ya29.") { return .owner }
        guard let adminOfKey else { return nil }
        return try await RequestError.wrapping { () throws(ActionError) in try await adminOfKey(bearer) }
    }
}
