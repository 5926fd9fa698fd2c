public import AppLinks
internal import Base

/// The destination of a user after the action: the URL requested with the code, authorised again at
/// this moment (R9). It is always Onward's serialisation of an authorised URL, never the caller's
/// string (R2).
public enum Destination: Sendable, Hashable {
    /// A page on an authorised domain.
    case web(AuthorizedURL)
    /// An app link whose payload is such a page.
    case app(AppLink, payload: AuthorizedURL)
    /// The app's own page, which receives the sign-in code.
    case handOver(AuthorizedURL)
    /// No destination was requested, or it is no longer allowed; the explanation is for the log.
    case stay(notAllowed: String?)

    init(after action: Action, requesting requested: ActionCodeSettings, in project: Project, link: ActionLink) {
        do {
            let settings = try ApprovedSettings(stillAllowed: requested, in: project)
            guard let url = settings.continueURL else {
                self = .stay(notAllowed: nil)
                return
            }
            if action.isAppliedByApp {
                guard url.url.isWeb else {
                    self = .stay(notAllowed: "any app may have the custom scheme of a sign-in link's continue URL")
                    return
                }
                let handedOn = link.query.filter { $0.name != "continueUrl" }
                self = .handOver(url.appending(query: handedOn))
            } else if !settings.requested.handleCodeInApp, settings.requested.namesAnApp, url.url.isWeb,
                // A URL on a link domain opens the app by itself, and no app link may lead to one.
                !project.linkDomains.contains(where: { $0.covers(url.url) }), let appLink = settings.appLink(to: url.url)
            {
                self = .app(appLink, payload: url)
            } else {
                self = .web(url)
            }
        } catch {
            self = .stay(notAllowed: error.cause)
        }
    }

    /// The destination that a link with an unknown code leads back to: its continue URL, if the
    /// project allows it. It gets no code.
    public init(backFrom link: ActionLink, to project: Project) { self.init(backTo: link.continueURL, in: project) }

    init(backTo continueURL: String?, in project: Project) {
        var requested = ActionCodeSettings()
        requested.url = continueURL
        let url = try? ApprovedSettings(requested, in: project).continueURL
        self = url.map { .web($0) } ?? .stay(notAllowed: nil)
    }

    /// The value for `Location` and `href`; nil if the user stays on the page.
    public var location: String? {
        switch self {
        case .web(let url), .handOver(let url): url.serialized
        case .app(let link, _): link.url.serialized
        case .stay: nil
        }
    }

    /// Whether every browser can go to `location`. One without the app of a custom scheme stays
    /// where it is.
    public var isWeb: Bool {
        switch self {
        case .web(let url), .handOver(let url): url.url.isWeb
        case .app: true
        case .stay: false
        }
    }

    /// Whether a browser goes there without a press. An app opens only by one.
    public var opensWithoutPress: Bool { if case .web(let url) = self { url.url.isWeb } else { false } }

    /// The scheme that the page's content security policy allows for the way to `location`, and on
    /// to the payload of an app link: a policy that allows `http:` allows https as well.
    public var scheme: String? {
        switch self {
        case .web(let url), .handOver(let url): url.url.scheme
        case .app(let link, let payload): payload.url.scheme == "http" ? "http" : link.url.scheme
        case .stay: nil
        }
    }

    /// The host at which the user arrives in the end, as the page shows it; nil for an app's own
    /// scheme, whose host is a word like `welcome`.
    public var host: String? {
        switch self {
        case .web(let url), .app(_, let url), .handOver(let url): url.url.isWeb ? url.url.host?.serialized : nil
        case .stay: nil
        }
    }

    /// The name of the destination as the page shows it: its host, or the app; nil if the user
    /// stays on the page.
    public func name(in project: Project) -> String? {
        location.map { _ in host ?? project.displayName }
    }
}
