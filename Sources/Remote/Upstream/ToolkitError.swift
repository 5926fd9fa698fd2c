internal import Accounts
internal import Base
private import Foundation
internal import Network

/// An error response of an Identity Toolkit. Source: Google API error model (google.rpc.Status) and
/// the error codes of the Firebase Authentication REST API.
struct ToolkitError {
    private let status: Int
    /// The part of the message before the colon, such as `WEAK_PASSWORD`.
    private let code: String
    /// The part of the message after the colon.
    private let detail: String?
    /// The reason of an error of the API gateway, such as `API_KEY_INVALID`. Source:
    /// google.rpc.ErrorInfo.
    private let reason: String?

    /// Parses a response; nil if it is not a 4xx with an error envelope.
    init?(_ response: TransferResponse) {
        guard (400..<500).contains(response.status), let error = (try? JSON(response.body))?["error"],
            let message = error["message"]?.string
        else { return nil }
        status = response.status
        let parts = message.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        code = parts.first ?? ""
        detail = parts.count > 1 ? parts[1] : nil
        reason = error["details"]?.items?.compactMap { $0["reason"]?.string }.first ?? error["status"]?.string
    }

    /// The status and the codes for the log. Free text is left out, since it may repeat the
    /// request.
    var logText: String {
        let words = [code, reason].compactMap(\.self).filter { $0.utf8.count <= 64 && $0.wholeMatch(of: /[A-Z][A-Z0-9_]*/) != nil }
        return "\(status) \(words.isEmpty ? "(no code)" : words.joined(separator: " "))"
    }

    /// The error of Onward with the same meaning for the user; nil if the upstream, its key or its
    /// quota is at fault, or if the code is unknown.
    var actionError: ActionError? {
        switch code {
        // The codes of a deleted account are invalid.
        case "INVALID_OOB_CODE", "MISSING_OOB_CODE", "USER_NOT_FOUND", "EMAIL_NOT_FOUND": .refused(.invalidOobCode)
        // The tenant comes from the link, so it says nothing about the upstream or its key.
        case "INVALID_TENANT_ID", "TENANT_ID_MISMATCH", "TENANT_NOT_FOUND", "UNSUPPORTED_TENANT_OPERATION": .refused(.invalidOobCode)
        case "EXPIRED_OOB_CODE": .refused(.expiredOobCode)
        case "WEAK_PASSWORD": PasswordShortcomings(refusalText: detail ?? "").refusal(named: .weakPassword)
        case "PASSWORD_DOES_NOT_MEET_REQUIREMENTS":
            PasswordShortcomings(refusalText: detail ?? "").refusal(named: .passwordDoesNotMeetRequirements)
        case "USER_DISABLED": .refused(.userDisabled)
        case "EMAIL_EXISTS": .refused(.emailExists)
        case "OPERATION_NOT_ALLOWED": .refused(.operationNotAllowed)
        case "PASSWORD_LOGIN_DISABLED": .refused(.passwordLoginDisabled)
        case "TOO_MANY_ATTEMPTS_TRY_LATER", "RESET_PASSWORD_EXCEED_LIMIT", "QUOTA_EXCEEDED", "RESOURCE_EXHAUSTED":
            .tooSoon(retryAfter: .seconds(60))
        default: reason == "RESOURCE_EXHAUSTED" || reason == "RATE_LIMIT_EXCEEDED" ? .tooSoon(retryAfter: .seconds(60)) : nil
        }
    }
}
