public import Base

/// The decision about an app link on one device, with its reason. Nothing else decides: the server
/// acts on it, and `d=1` and `onward explain-link` show it.
public struct LinkDecision: Sendable, Hashable {
    public enum Reply: Sendable, Hashable {
        /// The browser is redirected at once.
        case redirect(WebURL)
        /// A page offers the app, the store and the web.
        case page(AppOffer)
        /// A program gets a page about the link, and no redirect.
        case preview(web: WebURL)
    }

    public let reply: Reply
    public let reason: Reason
    /// The way of a device without the app; nil if the app was not considered.
    public let withoutApp: WithoutApp?

    public init(_ approved: ApprovedAppLink, on device: LinkDevice) {
        switch device.kind {
        case .automated: self.init(.preview(web: approved.link.webURL), .automated)
        case .android: self.init(android: approved, device)
        case .iPhone: self.init(apple: approved, device, isIPad: false)
        case .iPad: self.init(apple: approved, device, isIPad: true)
        case .desktop where device.mayBeIPad: self.init(macOrIPad: approved, device)
        case .desktop: self.init(.redirect(approved.link.desktopURL), approved.link.hasDesktopPage ? .desktopPage : .desktop)
        }
    }

    fileprivate init(_ reply: Reply, _ reason: Reason, without app: WithoutApp? = nil) {
        (self.reply, self.reason, withoutApp) = (reply, reason, app)
    }
}

/// The ways that a page offers. The URLs that open an app are built by Onward for registered apps,
/// never taken from a link (R14).
public struct AppOffer: Sendable, Hashable {
    /// The URLs that open the app, the best first.
    public var open: [String] = []
    public var store: WebURL?
    /// The link itself, which users may copy for an app of Apple's store: it cannot get it from
    /// there. Never a link with a code.
    public var copied: WebURL?
    public var web: WebURL
    /// The page that a script takes Macs to, because their requests look like those of iPads.
    public var webOfMac: WebURL?
    /// The versions of the app that a script sends to the store, where the browser tells which is
    /// installed. The store is the way to update them, also where the link has another way for
    /// devices without the app.
    public var outdated: OutdatedVersions?
}

/// Versions of an Android app that are too old for a link, by their `versionName`.
public struct OutdatedVersions: Sendable, Hashable {
    public let packageName: String
    public let names: [String]
    /// The page of the app in its store.
    public let store: WebURL
}

extension LinkDecision {
    private init(android approved: ApprovedAppLink, _ device: LinkDevice) {
        let link = approved.link
        guard let android = link.android else {
            self.init(.redirect(link.webURL), .noAndroidApp)
            return
        }
        let page = StorePages.play(
            android.packageName, referrer: [("link", link.link.serialized)] + link.analytics(of: AppLink.Parameter.campaign))
        let store: Result<WebURL, WithoutApp.NoStore> = device.isInApp || device.lacksPlay ? .failure(.noPlay) : page.asStore
        let withoutApp = WithoutApp(link, fallback: android.fallback.map { (.afl, $0) }, store: store)
        let intent = link.intent(
            of: android.packageName, in: approved.apps.linkForm(android: android.packageName), fallback: withoutApp.url)
        var offer = AppOffer(open: [intent], store: withoutApp.store, web: withoutApp.web(of: link))
        if !link.carriesCode, case .success(let page) = store { offer.outdated = approved.outdatedVersions(in: page) }
        self.init(.page(offer), .offersApp, without: withoutApp)
    }

    private init(apple approved: ApprovedAppLink, _ device: LinkDevice, isIPad: Bool) {
        let link = approved.link
        guard let app = approved.appleTarget(isIPad: isIPad) else {
            self.init(.redirect(link.webURL), .noAppleApp)
            return
        }
        let page = app.appStoreID.flatMap { StorePages.appStore($0, parameters: link.analytics(of: AppLink.Parameter.appStore)) }
        let withoutApp = WithoutApp(link, fallback: app.fallback, store: page.asStore)
        guard !link.skipsPage else {
            self.init(.redirect(withoutApp.url), .skipsPage, without: withoutApp)
            return
        }
        // A code may reach its own app only, and any app can register a scheme of another's.
        let schemeURL = link.carriesCode ? nil : app.customScheme.flatMap { link.url(withScheme: $0) }
        let form = approved.apps.linkForm(apple: app.bundleID)
        let universalLink = approved.otherDomain.map { link.universalLink(on: $0, in: form, comesBack: device.isInApp || device.mayBeIPad) }
        let offer = AppOffer(
            open: [universalLink, schemeURL].compactMap { $0?.serialized }, store: withoutApp.store,
            copied: withoutApp.store.map { _ in link.followed(in: form).url }, web: withoutApp.web(of: link))
        guard !offer.open.isEmpty || offer.store != nil else {
            self.init(.redirect(withoutApp.url), .noWayToOpen, without: withoutApp)
            return
        }
        self.init(.page(offer), .offersApp, without: withoutApp)
    }

    /// Decides for a device whose touch points are not known: an iPad's page, from which a script
    /// takes a Mac to the page for desktops.
    private init(macOrIPad approved: ApprovedAppLink, _ device: LinkDevice) {
        let iPad = LinkDecision(apple: approved, device, isIPad: true)
        guard case .page(var offer) = iPad.reply else {
            let reason: Reason = approved.link.hasDesktopPage ? .desktopPage : .desktop
            self.init(.redirect(approved.link.desktopURL), reason)
            return
        }
        offer.webOfMac = approved.link.desktopURL
        self.init(.page(offer), .macOrIPad, without: iPad.withoutApp)
    }
}

extension Optional where Wrapped == WebURL {
    /// The page of an app, or the reason why a device gets none.
    fileprivate var asStore: Result<WebURL, WithoutApp.NoStore> { map(Result.success) ?? .failure(.notInStore) }
}
