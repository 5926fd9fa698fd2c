internal import Accounts
internal import AppLinks
internal import Views

extension AppLinkRefusal {
    /// The page that shows the refusal. It repeats hosts and the ids of apps, but no free text of a
    /// link, which could pretend to be ours.
    var pageReason: ErrorPage.Reason {
        switch self {
        case .notAuthorized(_, host: let host?, _): .placeRefused(host: host)
        case .malformed(.unknownPackage(let id)), .malformed(.unknownBundle(let id)):
            RegisteredApps.isPossibleID(id) ? .appRefused(id) : .linkRefused
        case .malformed(.missingLink), .malformed(.invalidURL), .unreadable: .damaged
        case .notAuthorized, .malformed: .linkRefused
        }
    }
}
