internal import Accounts

extension Refusal {
    /// The words after a code in production, unless there is more to say; nil for most.
    var usualDetail: String? {
        switch self {
        case .invalidPhoneNumber, .invalidMFAPhoneNumber: "Invalid format."
        case .unverifiedEmail: "Need to verify email first before enrolling second factors."
        default: nil
        }
    }
}
