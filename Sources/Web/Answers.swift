internal import Accounts
internal import HTTPTypes

/// The one place where an error of the domain becomes a status, a JSON body or a page.
enum Answers {
    /// Google's envelope. Source: Identity Toolkit error responses, `shared/wire/identity-toolkit.md` section 2.4.
    static func json(_ error: ActionError) -> Answer {
        switch error {
        case .refused(let refusal, let detail):
            var answer = envelope(.badRequest, message: detail.map { "\(refusal.rawValue) : \($0)" } ?? refusal.rawValue, reason: "invalid")
            if refusal == .tooManyAttempts { answer.headers[.retryAfter] = "60" }
            return answer
        case .unavailable:
            var answer = envelope(
                .serviceUnavailable, message: "UNAVAILABLE : Nothing was changed; try again in a moment", reason: "backendError",
                status: "UNAVAILABLE")
            answer.headers[.retryAfter] = "5"
            return answer
        }
    }

    /// - Parameter domain: `global`, but absent on 404.
    static func envelope(
        _ code: HTTPResponse.Status, message: String, reason: String, domain: String? = "global", status: String? = nil
    ) -> Answer {
        .json(
            code,
            .object([
                "error": .object([
                    "code": .int(code.code), "message": .string(message),
                    "errors": .array([
                        .object(["message": .string(message), "reason": .string(reason), "domain": domain.map { .string($0) }])
                    ]),
                    "status": status.map { .string($0) },
                ])
            ]))
    }
}
