internal import Accounts
internal import AppLinks
internal import Base

extension WaitingApp {
    /// The news for a waiting app.
    enum Message {
        /// The provider's answer, as if the provider had sent the user to this page with it.
        case answer([(name: String, value: String)], at: String)
        /// An error by the code that the SDK of the web has for it.
        case failure(code: String, message: String)
    }

    /// The link that opens the app with a message, in the form that its SDK expects.
    ///
    /// Source: firebase-ios-sdk 12, `AuthWebUtils.isExpectedCallbackURL` and `OAuthProvider`;
    /// firebase-tools, `widget_ui.ts`.
    /// - Throws: if the project does not have the app now.
    func link(to message: Message, from origin: WebURL, in project: Project) throws(HandlerRefusal) -> String {
        let item = message.item
        switch kind {
        case .apple(let bundleID, let scheme):
            guard project.apps.knows(customScheme: scheme, of: bundleID) else { throw .unknownApp(bundleID: bundleID, scheme: scheme) }
            let callback = origin.origin + "/__/auth/callback?" + Self.form([("authType", authType), ("eventId", eventID), item])
            return "\(scheme)://firebaseauth/link?" + Self.form([("deep_link_id", callback)])
        case .android(let name):
            guard project.apps.knows(androidPackage: name) else { throw .badPackage }
            let notInstalled = origin.origin + ProviderHandler.emulatorPath + "?notInstalled=" + name
            let extras = [
                ("S.authType", authType), ("S.eventId", eventID), ("S." + item.0, item.1), ("B.encryptionEnabled", "false"),
                ("S.browser_fallback_url", notInstalled),
            ]
            let list = extras.map { "\($0)=\(WebURL.percentEncoded($1));" }.joined()
            return "intent://firebase.auth/#Intent;scheme=genericidp;package=\(name);\(list)end;"
        }
    }

    private static func form(_ items: [(String, String)]) -> String {
        items.map { "\($0)=\(WebURL.percentEncoded($1))" }.joined(separator: "&")
    }
}

extension WaitingApp.Message {
    fileprivate var item: (String, String) {
        switch self {
        case .answer(let items, let page):
            ("link", page + "?" + items.map { "\($0.name)=\(WebURL.percentEncoded($0.value))" }.joined(separator: "&"))
        case .failure(let code, let message):
            ("firebaseError", JSON.object(["code": .string(code), "message": .string(message)]).text)
        }
    }
}
