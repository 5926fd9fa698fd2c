internal import Accounts
internal import Views

extension Refusal {
    /// The page that shows a refusal. To a user, most of them mean a link that does not work.
    var pageReason: ErrorPage.Reason {
        switch self {
        case .userDisabled: .accountClosed
        case .emailExists: .addressTaken
        case .operationNotAllowed, .passwordLoginDisabled: .notOffered
        case .expiredOobCode: .expired(nil)
        // Pages meet few of the others, and only for links that were changed or are not ours.
        default: .damaged
        }
    }
}
