package import WebURL

/// A link on a link domain, which phones open in the app and from which other devices are
/// redirected. These are the values of the link itself, without decisions about platforms. Source:
/// the long links of Firebase Dynamic Links ("Manually constructing a Dynamic Link URL").
package struct AppLink: Sendable, Hashable {
    package var linkDomain: LinkDomain
    /// The http or https URL that the app opens, or the browser if there is no app.
    package var link: WebURL
    package var android: Android?
    package var apple: Apple?
    /// The URL for devices that are neither Android nor Apple; nil: `link`.
    package var elsewhere: WebURL?

    package init(linkDomain: LinkDomain, link: WebURL, android: Android? = nil, apple: Apple? = nil, elsewhere: WebURL? = nil) {
        self.linkDomain = linkDomain
        self.link = link
        self.android = android
        self.apple = apple
        self.elsewhere = elsewhere
    }

    package struct Android: Sendable, Hashable {
        package var packageName: String
        /// The lowest `versionCode` of the app that supports the link; nil: any.
        package var minimumVersion: Int?
        /// The URL for devices without the app; nil: the Play Store.
        package var fallback: WebURL?
        /// `androidInstallApp` of the action code settings. A link has no parameter for it: the app
        /// is installed unless there is a fallback.
        package var installIfNotAvailable: Bool { fallback == nil }

        package init(packageName: String, minimumVersion: Int? = nil, fallback: WebURL? = nil) {
            self.packageName = packageName
            self.minimumVersion = minimumVersion
            self.fallback = fallback
        }
    }

    package struct Apple: Sendable, Hashable {
        package var bundleID: String
        package var appStoreID: String?
        /// The scheme that opens the app if Universal Links do not; nil: none.
        package var customScheme: String?
        /// The lowest version of the app that supports the link, which the app itself checks.
        package var minimumVersion: String?
        /// The URL for devices without the app; nil: the App Store.
        package var fallback: WebURL?
        /// The bundle id on iPads; nil: `bundleID`.
        package var iPadBundleID: String?
        /// The fallback on iPads; nil: `fallback`.
        package var iPadFallback: WebURL?

        package init(bundleID: String, appStoreID: String? = nil, customScheme: String? = nil) {
            self.bundleID = bundleID
            self.appStoreID = appStoreID
            self.customScheme = customScheme
        }
    }

    /// All URLs to which the link may redirect a browser. Each must be authorised, not only `link`
    /// (R1).
    package var destinations: [WebURL] {
        [link, android?.fallback, apple?.fallback, apple?.iPadFallback, elsewhere].compactMap(\.self)
    }
}

extension AppLink {
    static let linksPath = "/__/auth/links"
    static let actionPath = "/__/auth/action"

    /// The query parameters of an app link, in the order in which they are written. Apple's SDK
    /// parses the decoded query and uses the last of equal names, so `link` comes first: a
    /// parameter within its URL then cannot override one of ours.
    package enum Parameter: String, Sendable, Hashable, CaseIterable {
        case link, apn, amv, afl, ibi, isi, ius, imv, ifl, ipbi, ipfl, ofl
    }

    /// The link in its canonical form: `https://<linkDomain>/__/auth/links?link=…&apn=…`.
    package var url: WebURL {
        linkDomain.linksURL.appending(query: Parameter.allCases.compactMap { key in value(of: key).map { (key.rawValue, $0) } })
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
        }
    }
}
