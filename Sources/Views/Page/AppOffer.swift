/// The page behind an app link, on a phone that did not open the app, or on a desk.
package struct AppOffer: Sendable, Hashable {
    /// Opens the app; nil where there is none for this platform.
    package var open: String?
    /// The app's page in its store.
    package var store: String?
    /// The same on the web, with the host that is named.
    package var web: Next

    package init(open: String?, store: String?, web: Next) {
        self.open = open
        self.store = store
        self.web = web
    }
}
