public import Base

/// A link on a link domain, which phones open in the app and from which other devices are
/// redirected. These are the values of the link itself, without decisions about platforms. Source:
/// the long links of Firebase Dynamic Links ("Manually constructing a Dynamic Link URL").
public struct AppLink: Sendable, Hashable {
    public var linkDomain: LinkDomain
    public var form = LinkForm.hosting
    /// The http or https URL that the app opens, or the browser if there is no app.
    public private(set) var link: WebURL
    /// Whether the payload carries a one-time code, which must not reach a store, another app or
    /// the clipboard. A code inside a nested URL counts as well.
    public private(set) var carriesCode: Bool
    public var android: Android?
    public var apple: Apple?
    /// The URL for devices that are neither Android nor Apple; nil: `link`.
    public var elsewhere: WebURL?
    /// Whether Apple devices without the app go to its fallback or store at once, without a page.
    public var skipsPage = false
    public var preview = Preview()
    /// Parameters of analytics, which are passed on to the web page and the stores.
    public var analytics: [Parameter: String] = [:]
    /// Whether the link asks for a page that explains what each device gets (`d=1`).
    public var asksForExplanation = false
    /// Whether the link arrived with something that mail programs do to links, which was undone.
    public var isMended = false

    public init(linkDomain: LinkDomain, link: WebURL, android: Android? = nil, apple: Apple? = nil, elsewhere: WebURL? = nil) {
        self.linkDomain = linkDomain
        self.link = link
        carriesCode = Self.mentionsCode(link.serialized)
        self.android = android
        self.apple = apple
        self.elsewhere = elsewhere
    }

    public struct Android: Sendable, Hashable {
        public var packageName: String
        /// The lowest `versionCode` of the app that supports the link; nil: any.
        public var minimumVersion: Int?
        /// The URL for devices without the app; nil: the Play Store.
        public var fallback: WebURL?
        /// `androidInstallApp` of the action code settings. A link has no parameter for it: the app
        /// is installed unless there is a fallback.
        public var installIfNotAvailable: Bool { fallback == nil }

        public init(packageName: String, minimumVersion: Int? = nil, fallback: WebURL? = nil) {
            self.packageName = packageName
            self.minimumVersion = minimumVersion
            self.fallback = fallback
        }
    }

    public struct Apple: Sendable, Hashable {
        public var bundleID: String
        public var appStoreID: String?
        /// The scheme that opens the app if Universal Links do not; nil: none.
        public var customScheme: String?
        /// The lowest version of the app that supports the link, which the app itself checks.
        public var minimumVersion: String?
        /// The URL for devices without the app; nil: the App Store.
        public var fallback: WebURL?
        /// The bundle id on iPads; nil: `bundleID`.
        public var iPadBundleID: String?
        /// The fallback on iPads; nil: `fallback`.
        public var iPadFallback: WebURL?

        public init(bundleID: String, appStoreID: String? = nil, customScheme: String? = nil) {
            self.bundleID = bundleID
            self.appStoreID = appStoreID
            self.customScheme = customScheme
        }
    }

    /// The preview that social networks show. It is used for stored links only: anyone can write
    /// one into a long link, and so forge a preview under the project's domain.
    public struct Preview: Sendable, Hashable {
        public var title: String?
        public var description: String?
        public var image: WebURL?

        public init(title: String? = nil, description: String? = nil, image: WebURL? = nil) {
            self.title = title
            self.description = description
            self.image = image
        }
    }

    /// All URLs that the link may redirect a browser to, by their parameters. Each must be
    /// authorised, not only `link` (R1).
    public var destinations: [(parameter: Parameter, url: WebURL)] {
        let all: [(Parameter, WebURL?)] = [
            (.link, link), (.afl, android?.fallback), (.ifl, apple?.fallback), (.ipfl, apple?.iPadFallback), (.ofl, elsewhere),
        ]
        return all.compactMap { parameter, url in url.map { (parameter, $0) } }
    }

    /// The link with another URL for the app and the browser.
    public func leading(to url: WebURL) -> AppLink {
        var other = self
        other.link = url
        other.carriesCode = Self.mentionsCode(url.serialized)
        return other
    }
}

extension AppLink {
    /// The form of a link's URL. Released versions of apps differ in the forms that they parse.
    public enum LinkForm: String, Sendable, Hashable, CaseIterable {
        /// `https://<linkDomain>/__/auth/links?link=…`, as Firebase Hosting has them.
        case hosting
        /// `https://<linkDomain>/?link=…`, as Firebase Dynamic Links had them.
        case dynamicLinks

        var path: String {
            switch self {
            case .hosting: "/__/auth/links"
            case .dynamicLinks: "/"
            }
        }

        init?(path: String) {
            guard let form = Self.allCases.first(where: { $0.path == path }) else { return nil }
            self = form
        }
    }

    static let actionPath = "/__/auth/action"

    /// The query parameters of an app link, in the order in which they are written. Apple's SDK
    /// parses the decoded query and uses the last of equal names, so `link` comes first: a
    /// parameter within its URL then cannot override one of ours.
    public enum Parameter: String, Sendable, Hashable, CaseIterable {
        case link, apn, amv, afl, ibi, isi, ius, imv, ifl, ipbi, ipfl, ofl, efr, st, sd, si
        case utmSource = "utm_source"
        case utmMedium = "utm_medium"
        case utmCampaign = "utm_campaign"
        case utmTerm = "utm_term"
        case utmContent = "utm_content"
        case gclid, at, ct, mt, pt, d

        /// Parameters of campaigns, which the web page and the Play Store get.
        static let campaign: [Self] = [.utmSource, .utmMedium, .utmCampaign, .utmTerm, .utmContent, .gclid]
        /// Parameters of affiliates and campaigns, which the App Store gets.
        static let appStore: [Self] = [.at, .ct, .mt, .pt]
    }

    /// The link with canonical escapes: `https://<linkDomain>/__/auth/links?link=…&apn=…`.
    public var url: WebURL {
        linkDomain.url(in: form).appending(query: Parameter.allCases.compactMap { key in value(of: key).map { (key.rawValue, $0) } })
    }

    private func value(of key: Parameter) -> String? {
        switch key {
        case .link: link.serialized
        case .apn: android?.packageName
        case .amv: android?.minimumVersion.map(String.init)
        case .afl: android?.fallback?.serialized
        case .ibi: apple?.bundleID
        case .isi: apple?.appStoreID
        case .ius: apple?.customScheme
        case .imv: apple?.minimumVersion
        case .ifl: apple?.fallback?.serialized
        case .ipbi: apple?.iPadBundleID
        case .ipfl: apple?.iPadFallback?.serialized
        case .ofl: elsewhere?.serialized
        case .efr: skipsPage ? "1" : nil
        case .st: preview.title
        case .sd: preview.description
        case .si: preview.image?.serialized
        case .utmSource, .utmMedium, .utmCampaign, .utmTerm, .utmContent, .gclid, .at, .ct, .mt, .pt: analytics[key]
        case .d: asksForExplanation ? "1" : nil
        }
    }

    /// The analytics parameters of a group that the link has, in its order.
    func analytics(of group: [Parameter]) -> [(name: String, value: String)] {
        group.compactMap { key in analytics[key].map { (key.rawValue, $0) } }
    }
}
