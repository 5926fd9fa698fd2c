internal import Accounts
internal import Views
internal import Base
internal import Logging

/// Why a request ends without the result that it asked for.
enum RequestError: Error, Sendable {
    // Requests that no route takes.
    case notFound
    case methodNotAllowed(allowed: String)
    /// A method of Google's that this server knows and does not offer.
    case notOffered(NotOffered)
    /// The accounts of the project are kept by an upstream.
    case upstreamProject(base: String)

    // Credentials of the API.
    case missingCredential
    /// No credential came with a call that Google's SDKs do not make.
    case missingAdminKey
    case unknownAPIKey
    /// A bearer token that is not an admin's, even if a valid API key was sent with it.
    case notAdminKey
    /// The key may not make such a call.
    case keyMayNot(String)
    /// A browser sent the request to the admin listener.
    case browserAtAdminListener
    /// A page of another site sent a request that would be an admin's, in development.
    case foreignOrigin
    /// A proxy forwarded the request to the admin listener.
    case proxyAtAdminListener

    /// The host is none of this server's.
    case misdirected

    // Bodies.
    case notJSON
    /// A body with a content coding, such as gzip.
    case encodedBody
    /// A body that is larger than any correct request of its route has.
    case bodyTooLarge
    case malformedJSON(JSON.Malformed)
    case notForm

    // Pages.
    /// The link is incomplete.
    case damagedLink
    /// The code of the link does not do what the link says.
    case ended(ErrorPage.Reason, refusal: ActionError)
    /// The form has no valid token, or was sent by another site.
    case formRefused
    /// The page of the form was shown too long ago.
    case formTooOld
    /// The address of a form's answer was opened without the form.
    case formMissing
    /// A page after an action was opened without a valid receipt.
    /// - Parameter isTooOld: whether there was a receipt of ours, which is too old.
    case receiptMissing(isTooOld: Bool)
    /// A form of such a page was sent without a valid receipt, or by another site.
    case receiptRefused
    case appLinkRefused(AppLinkRefusal)
    case handlerRefused(HandlerRefusal)

    case failed(ActionError)
    /// Too many others wait for a turn before a press.
    case busy(ActionError)
    /// The failure of a method whose errors have Google's canonical statuses.
    case canonicallyFailed(ActionError)

    /// Translates errors of the domain.
    static func wrapping<T>(_ work: () async throws(ActionError) -> T) async throws(RequestError) -> T {
        do { return try await work() } catch { throw .failed(error) }
    }

    /// Logs the cause if a dependency is down.
    func log(to logger: Logger, _ request: Request) {
        guard case .failed(.unavailable(let down)) = self else { return }
        logger.error(
            "dependency unavailable",
            metadata: ["part": "\(down.part.rawValue)", "cause": "\(down.cause)", "request": "\(request.id)"])
    }
}
