internal import Accounts
internal import HTTPTypes
internal import JSON

/// The one place where an error of the domain becomes a status, a JSON body or a page.
enum ErrorResponses {
    /// After how many seconds it is worth asking again what is down now.
    static let moment = "5"

    /// Google's envelope. Source: Identity Toolkit error responses, `shared/wire/identity-toolkit.md` section 2.4.
    static func json(_ error: ActionError) -> Response {
        switch error {
        case .refused(.invalidArgument, let detail):
            return envelope(.badRequest, message: badPayload(detail ?? ""), reason: "invalid", status: "INVALID_ARGUMENT")
        case .refused(let refusal, let detail):
            return envelope(.badRequest, message: detail.map { "\(refusal.rawValue) : \($0)" } ?? refusal.rawValue, reason: "invalid")
        case .tooSoon(let refusal, let wait):
            var answer = envelope(
                .badRequest, message: "\(refusal.rawValue) : Too many attempts; try again in \(seconds(wait)) seconds", reason: "invalid")
            answer.headers[.retryAfter] = seconds(wait)
            return answer
        case .unavailable(let down):
            let state =
                switch down.deed {
                case .undone: "Nothing was changed; try again"
                case .uncertain, .underWay: "It is not known whether it was done; look at the code again"
                }
            var answer = envelope(
                .serviceUnavailable, message: "UNAVAILABLE : \(state) in a moment", reason: "backendError",
                status: "UNAVAILABLE")
            answer.headers[.retryAfter] = moment
            return answer
        }
    }

    /// The same for calls of the API that get no result. Source: `shared/wire/identity-toolkit.md` sections 2.1 to 2.4.
    static func json(_ error: APIError) -> Response {
        switch error {
        case .failed(let error):
            return json(error)
        case .noSuchPath:
            return envelope(.notFound, message: "Not Found", reason: "notFound", domain: nil, status: "NOT_FOUND")
        case .elsewhere(let base):
            return envelope(
                .notFound,
                message: "NOT_FOUND : The accounts of this project are at \(base). Ask there; here are only the pages of its links.",
                reason: "notFound", domain: nil, status: "NOT_FOUND")
        case .noSuchVerb(let allowed):
            var answer = Response.json(.methodNotAllowed, .object(["message": .string("This path takes \(allowed)")]))
            answer.headers[.allow] = allowed
            return answer
        case .notOffered(let reason):
            return envelope(
                .notImplemented, message: "NOT_IMPLEMENTED : \(reason.rawValue)", reason: "unimplemented", status: "NOT_IMPLEMENTED")
        case .noCredential:
            return envelope(
                .forbidden, message: "The request is missing a valid API key.", reason: "forbidden", status: "PERMISSION_DENIED")
        case .unknownKey:
            return envelope(
                .badRequest, message: "API key not valid. Please pass a valid API key.", reason: "badRequest", status: "INVALID_ARGUMENT",
                details: .object([
                    "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com",
                    "metadata": .object(["service": "identitytoolkit.googleapis.com"]),
                ]))
        case .notAnAdmin:
            var answer = envelope(
                .unauthorized, message: "The bearer token is no admin's. Send an admin key, or an API key alone.", reason: "authError",
                location: "Authorization", status: "UNAUTHENTICATED")
            answer.headers[.wwwAuthenticate] = "Bearer"
            return answer
        case .fromBrowser:
            return envelope(
                .forbidden, message: "This address is for back-ends; browsers use the public one.", reason: "forbidden",
                status: "PERMISSION_DENIED")
        case .fromProxy:
            return envelope(
                .forbidden, message: "This address takes nothing that a proxy passed on; send an admin key to the public one.",
                reason: "forbidden", status: "PERMISSION_DENIED")
        case .notJSON:
            return envelope(.badRequest, message: badPayload("The body must be application/json"), reason: "invalid")
        case .codedBody:
            var answer = envelope(
                .unsupportedMediaType, message: "Send the body as it is, without Content-Encoding.", reason: "invalid",
                location: "Content-Encoding", status: "INVALID_ARGUMENT")
            answer.headers[.acceptEncoding] = "identity"
            return answer
        case .malformed(let malformed):
            return envelope(
                .badRequest, message: badPayload("\(malformed.fault.rawValue) at byte \(malformed.offset)"), reason: "parseError",
                status: "INVALID_ARGUMENT")
        }
    }

    /// Rounded up: whoever comes then is let in. Source: RFC 9110 section 10.2.3.
    static func seconds(_ wait: Duration) -> String { String((wait.milliseconds + 999) / 1000) }

    private static func badPayload(_ detail: String) -> String { "Invalid JSON payload received. \(detail)" }

    /// - Parameters:
    ///   - domain: `global`, but absent on 404.
    ///   - location: the header that is at fault.
    static func envelope(
        _ code: HTTPResponse.Status, message: String, reason: String, domain: String? = "global", location: String? = nil,
        status: String? = nil, details: JSON? = nil
    ) -> Response {
        let error: JSON = .object([
            "message": .string(message), "reason": .string(reason), "domain": .string(ifAny: domain),
            "location": .string(ifAny: location), "locationType": location.map { _ in "header" },
        ])
        return .json(
            code,
            .object([
                "error": .object([
                    "code": .int(code.code), "message": .string(message), "errors": .array([error]), "status": .string(ifAny: status),
                    "details": details.map { .array([$0]) },
                ])
            ]))
    }
}
