internal import Base

extension LinkDecision {
    /// Why a device gets what it gets, before its app is considered.
    public enum Reason: Sendable, Hashable, CaseIterable {
        case automated
        case desktop
        /// The link has a page for desktops.
        case desktopPage
        case noAndroidApp
        case noAppleApp
        case offersApp
        case macOrIPad
        case skipsPage
        case noWayToOpen

        fileprivate var sentence: String {
            switch self {
            case .automated: "A program reads the link, so it gets a page without a redirect."
            case .desktop: "The device is neither Android nor Apple's, and the link has no ofl that counts: it goes to link."
            case .desktopPage: "The device is neither Android nor Apple's: it goes to ofl."
            case .noAndroidApp: "The link names no registered Android app (apn): it goes to link."
            case .noAppleApp: "The link names no registered Apple app (ibi): it goes to link."
            case .offersApp: "The app did not open by itself, so a page offers it."
            case .macOrIPad: "The device is a Mac or an iPad. A page offers the app; a script takes Macs to ofl, or else to link."
            case .skipsPage: "The link skips the page (efr=1)."
            case .noWayToOpen:
                "Nothing on a page could open the app: it needs a second link domain of the project, or a custom scheme unless the link carries a code."
            }
        }
    }

    /// The decision in one or two sentences.
    public var explanation: String {
        [reason.sentence, withoutApp?.sentence, outdated?.sentence].compactMap(\.self).joined(separator: " ")
    }

    private var outdated: OutdatedVersions? {
        if case .page(let offer) = reply { offer.outdated } else { nil }
    }

    /// The URLs of the decision with what they are for, in the order in which they are tried.
    public var targets: [(use: String, url: String)] {
        switch reply {
        case .redirect(let url): [("redirect", url.serialized)]
        case .preview(let web): [("page for programs, with", web.serialized)]
        case .page(let offer):
            offer.open.map { ("open", $0) } + (offer.store.map { [("get", $0.serialized)] } ?? []) + [("web", offer.web.serialized)]
                + (offer.webOfMac.map { [("web of Macs", $0.serialized)] } ?? [])
        }
    }
}

extension WithoutApp {
    fileprivate var sentence: String {
        switch self {
        case .fallback(let parameter, _): "Without the app: \(parameter.rawValue)."
        case .store: "Without the app: its store."
        case .web(_, .carriesCode): "Without the app: link, because it carries a code, which goes through no store."
        case .web(_, .noPlay): "Without the app: link, because this browser may not reach the Play Store."
        case .web(_, .notInStore): "Without the app: link, because the app has no App Store id (isi, or appStoreID in the configuration)."
        }
    }
}

extension OutdatedVersions {
    fileprivate var sentence: String {
        "Chrome leads to the store if the installed app is too old (amv): \(names.joined(separator: ", "))."
    }
}

extension LinkDevice {
    /// The device in words.
    public var title: String {
        let name =
            switch kind {
            case .iPhone: "iPhone"
            case .iPad: "iPad"
            case .android: "Android"
            case .desktop: mayBeIPad ? "Mac or iPad" : "Desktop"
            case .automated: "Program"
            }
        return name + (isInApp ? ", inside an app" : "") + (lacksPlay ? ", without the Play Store" : "")
    }

    /// One device of each sort, by the names that `onward explain-link` takes.
    public static let examples: [(name: String, device: LinkDevice)] = [
        ("iphone", LinkDevice(.iPhone)), ("iphone in an app", LinkDevice(.iPhone, isInApp: true)), ("ipad", LinkDevice(.iPad)),
        ("mac or ipad", LinkDevice(.desktop, mayBeIPad: true)), ("android", LinkDevice(.android)),
        ("android in an app", LinkDevice(.android, isInApp: true)), ("android without play", LinkDevice(.android, lacksPlay: true)),
        ("desktop", LinkDevice(.desktop)), ("program", LinkDevice(.automated)),
    ]
}
