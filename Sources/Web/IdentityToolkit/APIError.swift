internal import Accounts
internal import JSON

/// Why a call of the API ends without a result.
enum APIError: Error, Sendable {
    case noSuchPath
    /// With what would be allowed.
    case noSuchVerb(allowed: String)
    /// A method of Google's that is known, and not here.
    case notOffered(NotOffered)
    /// The project's accounts are an upstream's.
    case elsewhere(base: String)
    /// Neither an API key nor a bearer token.
    case noCredential
    case unknownKey
    /// A bearer token that is no admin's, even when a good key stands beside it.
    case notAnAdmin
    /// A browser, at the door where reaching it is enough to be admin.
    case fromBrowser
    /// What a proxy passed on, at the same door.
    case fromProxy
    case notJSON
    /// Compressed, or otherwise not to be read as it is.
    case codedBody
    case malformed(JSON.Malformed)
    /// The domain said no.
    case failed(ActionError)

    /// In one word, for the audit.
    var code: String {
        switch self {
        case .failed(let error): error.refusal?.rawValue ?? "UNAVAILABLE"
        case .noSuchPath, .elsewhere: "NOT_FOUND"
        case .noSuchVerb: "METHOD_NOT_ALLOWED"
        case .notOffered: "NOT_IMPLEMENTED"
        case .noCredential, .fromBrowser, .fromProxy: "PERMISSION_DENIED"
        case .notAnAdmin: "UNAUTHENTICATED"
        case .unknownKey, .notJSON, .codedBody, .malformed: "INVALID_ARGUMENT"
        }
    }

    /// Brings the errors of the domain under this roof.
    static func around<T>(_ work: () async throws(ActionError) -> T) async throws(APIError) -> T {
        do { return try await work() } catch { throw .failed(error) }
    }
}
