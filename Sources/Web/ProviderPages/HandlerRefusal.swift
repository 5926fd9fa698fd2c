internal import Accounts
internal import Base
internal import Views

/// Why a user who comes back from a provider, or is to go to one, is not led on.
enum HandlerRefusal: Error, Sendable {
    /// The page was opened by Google's resolver, which every app has that names no other.
    case googleResolver
    /// The page was opened without a provider's answer.
    case noAnswer
    /// The state is not this server's, older than 15 minutes, or that of another provider.
    case notKnown
    /// The page of the app is not one of the project's any more.
    case notAuthorized(AuthorizedDomains.NotAuthorized)
    /// No project has the API key of the app that opened the page.
    case unknownKey
    /// A phone's app opened the page without what the SDK always sends.
    case incompleteApp
    /// The app is not registered with the scheme of its links.
    case unknownApp(bundleID: String, scheme: String)
    /// An Android app, which can use this page in development only.
    case android
    /// The name of an Android app is none.
    case badPackage
    /// The device has no app with the name of a package that it was sent to.
    case notInstalled

    /// The refusal of a request that neither brings an answer nor begins a visit.
    init(ofPageOpenedBy request: Request) {
        self = request["notInstalled"] != nil ? .notInstalled : request["authType"] != nil ? .googleResolver : .noAnswer
    }

    var explanation: String {
        switch self {
        case .googleResolver:
            """
            The app uses the resolver of Google's servers. Give initializeAuth \
            popupRedirectResolver: onwardResolver(browserPopupRedirectResolver) of /onward.js; see Popups in Docs/Clients.md.
            """
        case .noAnswer: "Providers send users here after createAuthUri with returnUri; see Popups in Docs/Clients.md."
        case .notKnown: "state is not of this server, of another provider, or older than 15 minutes; start again from the app."
        case .notAuthorized(let error): "returnUri: \(error.explanation)"
        case .unknownKey: "No project of this server has the apiKey; see Released Apple apps in Docs/Clients.md."
        case .incompleteApp: "The SDK of a phone sends eventId, sessionId, and ibi with appId or clientId; see Docs/Clients.md."
        case .unknownApp(let bundleID, let scheme):
            "No Apple app of the project has the bundle id \(bundleID) and the scheme \(scheme); add it to its customSchemes."
        case .android: "The SDK of Android can use this page with onward dev only; see Apple and Android in Docs/Clients.md."
        case .badPackage: "apn has to be the package name of an Android app."
        case .notInstalled: "The device has no app with this package name; install it, and start again."
        }
    }

    var pageReason: ErrorPage.Reason {
        switch self {
        case .notKnown: .signInUnfinished(advice: nil)
        case .notAuthorized(.notListed(let host, _)): .placeRefused(host: host)
        case .notAuthorized: .linkRefused
        case .googleResolver, .noAnswer, .unknownKey, .incompleteApp, .unknownApp, .android, .badPackage, .notInstalled:
            .signInUnfinished(advice: explanation)
        }
    }
}
