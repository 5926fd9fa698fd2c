internal import Accounts
internal import Base
internal import Foundation
internal import HTTPTypes
internal import Views

/// The response to a client's request that failed: `json` for programs, `pageStatus` and
/// `pageReason` for pages.
///
/// `init(_:at:)` is the only place that maps a `RequestError` to its response. Its statuses and
/// messages are those of Identity Toolkit's error responses, which SDKs parse.
struct ErrorReport: Sendable {
    /// One word for the audit log: the code of a refusal or Google's canonical status.
    let code: String
    /// The sentence of the JSON, with its code.
    let message: String
    let json: Response
    let pageStatus: HTTPResponse.Status
    let pageReason: ErrorPage.Reason
    /// Whether the page offers to try again.
    let offersRetry: Bool

    /// The seconds after which a request that met an unavailable dependency may be repeated.
    private static let unavailableRetrySeconds = "5"

    init(_ error: RequestError, at now: Timestamp) {
        switch error {
        case .notFound:
            self.init(.notFound, "NOT_FOUND", "Not Found", reason: "notFound", domain: nil, page: .notFound)
        case .methodNotAllowed(let allowed):
            let message = "This path takes \(allowed)"
            var response = Response.json(.methodNotAllowed, .object(["message": .string(message)]))
            response.headers[.allow] = allowed
            self.init("METHOD_NOT_ALLOWED", message, response, .methodNotAllowed, .notUnderstood)
        case .notOffered(let reason) where reason.isKnownToSDKs:
            self.init(ActionError.refused(.operationNotAllowed, detail: reason.rawValue), at: now, .notImplemented, .notOffered)
        case .notOffered(let reason):
            self.init(
                .notImplemented, "NOT_IMPLEMENTED", "NOT_IMPLEMENTED : \(reason.rawValue)", reason: "unimplemented", page: .notOffered)
        case .upstreamProject(let base):
            self.init(
                .notFound, "NOT_FOUND",
                "NOT_FOUND : The accounts of this project are at \(base). Send the call there; this server has only its pages.",
                reason: "notFound", domain: nil, page: .notFound)

        case .missingCredential:
            self.init(
                .forbidden, "PERMISSION_DENIED", "The request is missing a valid API key.", reason: "forbidden", page: .notUnderstood)
        case .missingAdminKey:
            self.init(
                .unauthorized, "UNAUTHENTICATED", "Send an admin key as a bearer token.", reason: "required", location: "Authorization",
                headers: [.wwwAuthenticate: "Bearer"], page: .notUnderstood)
        case .keyMayNot(let detail):
            self.init(
                .forbidden, "PERMISSION_DENIED", "\(Refusal.insufficientPermission.rawValue) : \(detail)", reason: "forbidden",
                page: .notUnderstood)
        case .unknownAPIKey:
            self.init(
                .badRequest, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", reason: "badRequest",
                details: .object([
                    "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com",
                    "metadata": .object(["service": "identitytoolkit.googleapis.com"]),
                ]), page: .unknownApp)
        case .notAdminKey:
            self.init(
                .unauthorized, "UNAUTHENTICATED", "This bearer token is not an admin key. Send an admin key, or only an API key.",
                reason: "authError", location: "Authorization", headers: [.wwwAuthenticate: "Bearer"], page: .notUnderstood)
        case .browserAtAdminListener:
            self.init(
                .forbidden, "PERMISSION_DENIED", "This address is for servers. Browsers use the public address.", reason: "forbidden",
                page: .notUnderstood)
        case .foreignOrigin:
            self.init(
                .forbidden, "PERMISSION_DENIED",
                """
                Pages of this origin may not be admin or read mails and codes. Authorise its domain (onward dev --authorize), or \
                start onward dev with --trust-every-origin.
                """, reason: "forbidden", page: .notUnderstood)
        case .proxyAtAdminListener:
            self.init(
                .forbidden, "PERMISSION_DENIED",
                "This address refuses requests that a proxy forwarded. Send an admin key to the public address.", reason: "forbidden",
                page: .notUnderstood)

        case .misdirected:
            self.init(
                .misdirectedRequest, "FAILED_PRECONDITION", "This server is not responsible for that host name.", reason: "wrongUrlForHost",
                page: .notUnderstood)

        case .notJSON:
            self.init(
                .badRequest, "INVALID_ARGUMENT", Self.badPayload("The body must be application/json"), reason: "invalid",
                isCanonical: false, page: .notUnderstood)
        case .encodedBody:
            self.init(
                .unsupportedMediaType, "INVALID_ARGUMENT", "Send the body without a Content-Encoding.", reason: "invalid",
                location: "Content-Encoding", headers: [.acceptEncoding: "identity"], page: .notUnderstood)
        case .bodyTooLarge:
            self.init(
                .contentTooLarge, "INVALID_ARGUMENT", "The body is larger than this method takes.", reason: "uploadTooLarge",
                page: .notUnderstood)
        case .malformedJSON(let malformed):
            self.init(
                .badRequest, "INVALID_ARGUMENT", Self.badPayload("\(malformed.fault.rawValue) at byte \(malformed.offset)"),
                reason: "parseError", page: .notUnderstood)
        case .notForm:
            self.init(
                .unsupportedMediaType, "INVALID_ARGUMENT",
                "INVALID_ARGUMENT : The body must be application/x-www-form-urlencoded, with fewer than \(Request.maxParameters + 1) fields",
                reason: "invalid", page: .notUnderstood)

        case .damagedLink:
            self.init(ActionError.refused(.invalidOobCode), at: now, .badRequest, .damaged)
        case .ended(let end, let refusal):
            let status: HTTPResponse.Status = end.isSuccess ? .ok : end.isOfLiveCode ? .badRequest : .gone
            self.init(refusal, at: now, status, end)
        case .formRefused, .formTooOld:
            let isOld = if case .formTooOld = error { true } else { false }
            self.init(
                .forbidden, "PERMISSION_DENIED",
                "PERMISSION_DENIED : The form's token is missing, invalid or expired; open the link again", reason: "forbidden",
                page: isOld ? .pageExpired : .notUnderstood, offersRetry: true)
        case .formMissing:
            self.init(
                .badRequest, "INVALID_ARGUMENT", "INVALID_ARGUMENT : The link has no parameters", reason: "invalid", page: .noLink)
        case .receiptMissing(let isTooOld):
            self.init(
                .badRequest, "INVALID_ARGUMENT", "INVALID_ARGUMENT : The receipt is missing, invalid or expired; open the link again",
                reason: "invalid", page: isTooOld ? .pageExpired : .noLink)
        case .receiptRefused:
            self.init(
                .forbidden, "PERMISSION_DENIED", "PERMISSION_DENIED : The receipt is missing, invalid or expired; open the link again",
                reason: "forbidden", page: .pageExpired)
        case .appLinkRefused(let refusal):
            self.init(
                .badRequest, "INVALID_ARGUMENT", "INVALID_ARGUMENT : \(refusal.explanation)", reason: "invalid", page: refusal.pageReason)
        case .handlerRefused(let refusal):
            self.init(
                .badRequest, "INVALID_ARGUMENT", "INVALID_ARGUMENT : \(refusal.explanation)", reason: "invalid", page: refusal.pageReason)

        case .failed(let error):
            switch error {
            case .refused(let refusal, _): self.init(error, at: now, .badRequest, refusal.pageReason)
            case .tooSoon(_, let wait):
                self.init(error, at: now, .tooManyRequests, .tooManyTries(.future(Self.end(of: wait, from: now))), offersRetry: true)
            case .unavailable(let down):
                self.init(
                    error, at: now, .serviceUnavailable, down.commitState == .notCommitted ? .unavailable : .uncertain, offersRetry: true)
            }
        case .busy(let error): self.init(error, at: now, .tooManyRequests, .unavailable, offersRetry: true)
        case .canonicallyFailed(let error): self.init(canonical: error, at: now)
        }
    }

    private init(canonical error: ActionError, at now: Timestamp) {
        switch error {
        case .refused(.insufficientPermission, let detail):
            self.init(.forbidden, "PERMISSION_DENIED", detail ?? "", reason: "forbidden", page: .notUnderstood)
        case .refused(let refusal, let detail):
            self.init(.badRequest, "INVALID_ARGUMENT", detail ?? refusal.rawValue, reason: "badRequest", page: .notUnderstood)
        case .tooSoon(_, let wait):
            let seconds = Self.wholeSeconds(wait)
            self.init(
                .tooManyRequests, "RESOURCE_EXHAUSTED", "Too many requests; try again in \(seconds) seconds", reason: "rateLimitExceeded",
                headers: [.retryAfter: seconds], page: .notUnderstood)
        case .unavailable: self.init(.failed(error), at: now)
        }
    }

    /// An error of the domain: Google's envelope is the same wherever it is thrown, the page is
    /// not.
    private init(
        _ error: ActionError, at now: Timestamp, _ pageStatus: HTTPResponse.Status, _ pageReason: ErrorPage.Reason,
        offersRetry: Bool = false
    ) {
        switch error {
        case .refused(.invalidArgument, let detail):
            self.init(
                .badRequest, "INVALID_ARGUMENT", Self.badPayload(detail ?? ""), reason: "invalid", page: pageReason,
                pageStatus: pageStatus)
        case .refused(let refusal, let detail):
            self.init(
                .badRequest, refusal.rawValue, (detail ?? refusal.usualDetail).map { "\(refusal.rawValue) : \($0)" } ?? refusal.rawValue,
                reason: "invalid",
                isCanonical: false, page: pageReason, pageStatus: pageStatus)
        case .tooSoon(let refusal, let wait):
            let seconds = Self.wholeSeconds(wait)
            self.init(
                .badRequest, refusal.rawValue, "\(refusal.rawValue) : Too many attempts; try again in \(seconds) seconds",
                reason: "invalid", isCanonical: false, headers: [.retryAfter: seconds], page: pageReason, pageStatus: pageStatus,
                offersRetry: offersRetry)
        case .unavailable(let down):
            let state =
                switch (down.part, down.commitState) {
                case (.textMessages, .notCommitted): "No text message was sent; ask for another one in a moment"
                case (.textMessages, _): "It is not known whether the text message was sent; ask for another one in a moment"
                case (_, .notCommitted): "Nothing was changed; try again in a moment"
                case (_, .unknown), (_, .pending): "The outcome is unknown; look again in a moment whether it was done"
                }
            // Firebase's SDKs make `auth/network-request-failed` of it.
            let code = down.part == .provider ? "NETWORK_REQUEST_FAILED" : "UNAVAILABLE"
            self.init(
                .serviceUnavailable, "UNAVAILABLE", "\(code) : \(state)", reason: "backendError",
                headers: [.retryAfter: Self.unavailableRetrySeconds], page: pageReason, pageStatus: pageStatus, offersRetry: offersRetry)
        }
    }

    /// - Parameters:
    ///   - domain: absent on 404.
    ///   - location: the header that is at fault.
    ///   - isCanonical: whether `code` is one of Google's canonical statuses and part of the
    ///     envelope.
    private init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, reason: String, domain: String? = "global",
        location: String? = nil, isCanonical: Bool = true, details: JSON? = nil, headers: HTTPFields = [:],
        page: ErrorPage.Reason, pageStatus: HTTPResponse.Status? = nil, offersRetry: Bool = false
    ) {
        let error: JSON = .object([
            "message": .string(message), "reason": .string(reason), "domain": .string(ifAny: domain),
            "location": .string(ifAny: location), "locationType": location.map { _ in "header" },
        ])
        var response = Response.json(
            status,
            .object([
                "error": .object([
                    "code": .int(status.code), "message": .string(message), "errors": .array([error]),
                    "status": .string(ifAny: isCanonical ? code : nil), "details": details.map { .array([$0]) },
                ])
            ]))
        for field in headers { response.headers[field.name] = field.value }
        self.init(code, message, response, pageStatus ?? status, page, offersRetry: offersRetry)
    }

    private init(
        _ code: String, _ message: String, _ json: Response, _ pageStatus: HTTPResponse.Status, _ pageReason: ErrorPage.Reason,
        offersRetry: Bool = false
    ) {
        (self.code, self.message, self.json, self.pageStatus) = (code, message, json, pageStatus)
        (self.pageReason, self.offersRetry) = (pageReason, offersRetry)
    }

    /// Rounded up, so that a client that waits as long is let in. Source: RFC 9110 section 10.2.3.
    private static func wholeSeconds(_ wait: Duration) -> String { String((wait.milliseconds + 999) / 1000) }

    private static func badPayload(_ detail: String) -> String { "Invalid JSON payload received. \(detail)" }

    /// Pages count in whole minutes.
    private static func end(of wait: Duration, from now: Timestamp) -> Date {
        Date(now + .seconds((wait.milliseconds + 59_999) / 60_000 * 60))
    }
}
