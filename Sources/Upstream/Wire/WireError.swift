internal import Accounts
private import Foundation
internal import JSON

/// A no in Google's envelope. Source: `shared/wire/identity-toolkit.md` sections 2.4 and 14.
struct WireError {
    private let status: Int
    /// What stands before the colon.
    private let code: String
    private let detail: String?
    /// Why Google's front refused the call before Identity Toolkit saw it. Source: google.rpc.ErrorInfo.
    private let reason: String?

    /// Nil for any response but such an error.
    init?(_ reply: Reply) {
        guard (400..<500).contains(reply.status), let error = (try? JSON(reply.body))?["error"],
            let message = error["message"]?.string
        else { return nil }
        status = reply.status
        let parts = message.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        code = parts.first ?? ""
        detail = parts.count > 1 ? parts[1] : nil
        reason = error["details"]?.items?.compactMap { $0["reason"]?.string }.first ?? error["status"]?.string
    }

    /// For the log: words in capitals, as Google writes its codes. Its sentences may repeat what was sent.
    var loggable: String {
        let words = [code, reason].compactMap(\.self).filter { $0.utf8.count <= 64 && $0.wholeMatch(of: /[A-Z][A-Z0-9_]*/) != nil }
        return "\(status) \(words.isEmpty ? "(unreadable)" : words.joined(separator: " "))"
    }

    /// The no of ours that has the same page; nil where the upstream, its key or its quota is at fault, or it is not known what it means.
    var meaning: ActionError? {
        switch code {
        // An account that is gone takes its codes along.
        case "INVALID_OOB_CODE", "MISSING_OOB_CODE", "USER_NOT_FOUND", "EMAIL_NOT_FOUND": .refused(.invalidOobCode)
        case "EXPIRED_OOB_CODE": .refused(.expiredOobCode)
        case "WEAK_PASSWORD", "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": PasswordShortcomings(saidAs: detail ?? "").refusal
        case "USER_DISABLED": .refused(.userDisabled)
        case "EMAIL_EXISTS": .refused(.emailExists)
        case "OPERATION_NOT_ALLOWED": .refused(.operationNotAllowed)
        case "PASSWORD_LOGIN_DISABLED": .refused(.passwordLoginDisabled)
        case "TOO_MANY_ATTEMPTS_TRY_LATER", "RESET_PASSWORD_EXCEED_LIMIT": .tooSoon(retryAfter: .seconds(60))
        default: nil
        }
    }
}
