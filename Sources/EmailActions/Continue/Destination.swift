package import AppLinks
internal import WebURL

/// Where a person goes when the action is done, as it was asked for with the code, and checked at this moment (R9). Never the caller's
/// string: always our own serialisation of what was authorised (R2).
package enum Destination: Sendable, Hashable {
    /// A page on an authorised domain.
    case web(AuthorizedURL)
    /// An app link whose payload is such a page.
    case app(AppLink, payload: AuthorizedURL)
    /// The app's own page takes a sign-in code from here.
    case handOver(AuthorizedURL)
    /// Nobody asked to go anywhere, or it is not allowed any more; the explanation is for the log.
    case stay(notAllowed: String?)

    init(after action: Action, requesting requested: ActionCodeSettings, in project: Project, link: ActionLink) {
        do {
            let settings = try ApprovedSettings(requested, in: project)
            guard let url = settings.continueURL else {
                self = .stay(notAllowed: nil)
                return
            }
            if action.isAppliedByApp {
                let handedOn = link.query.filter { $0.name != "continueUrl" }
                self = .handOver(url.appending(query: handedOn))
            } else if !requested.handleCodeInApp, requested.namesAnApp, url.url.isWeb,
                let appLink = settings.appLink(to: url.url)
            {
                self = .app(appLink, payload: url)
            } else {
                self = .web(url)
            }
        } catch {
            self = .stay(notAllowed: "\(error)")
        }
    }

    /// What goes into `Location` and `href`; nil: the person stays.
    package var location: String? {
        switch self {
        case .web(let url), .handOver(let url): url.serialized
        case .app(let link, _): link.url.serialized
        case .stay: nil
        }
    }

    /// Of `location`: what a page's policy admits.
    package var scheme: String? {
        switch self {
        case .web(let url), .handOver(let url): url.url.scheme
        case .app(let link, _): link.url.scheme
        case .stay: nil
        }
    }

    /// What the page names: the host where the person lands in the end.
    package var host: String? {
        switch self {
        case .web(let url), .app(_, let url), .handOver(let url): url.url.host?.serialized
        case .stay: nil
        }
    }
}
