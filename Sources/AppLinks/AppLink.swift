package import WebURL

/// A link on a link domain: what a phone opens in the app, and what everyone else is sent on from.
/// Platform, store and short-link decisions read these values; this file only says what the link itself says.
/// Source: Firebase Dynamic Links' long links, `shared/wire/app-links.md`.
package struct AppLink: Sendable, Hashable {
    package var linkDomain: LinkDomain
    /// What the app opens, or the browser where there is no app; http or https.
    package var link: WebURL
    package var android: Android?
    package var apple: Apple?
    /// Where devices go that are neither Android nor Apple; nil: to `link`.
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
        /// The least `versionCode` that understands the link; nil: any.
        package var minimumVersion: Int?
        /// Where a device without the app goes; nil: to the Play Store.
        package var fallback: WebURL?
        /// What `androidInstallApp` asks for. The grammar has no key for it: installing is wanted unless there is a fall-back.
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
        /// The second way into the app where Universal Links do not fire; nil: none.
        package var customScheme: String?
        /// Handed to the app, which decides.
        package var minimumVersion: String?
        /// Where a device without the app goes; nil: to the App Store.
        package var fallback: WebURL?
        /// What iPads use instead; nil: the same.
        package var iPadBundleID: String?
        package var iPadFallback: WebURL?

        package init(bundleID: String, appStoreID: String? = nil, customScheme: String? = nil) {
            self.bundleID = bundleID
            self.appStoreID = appStoreID
            self.customScheme = customScheme
        }
    }

    /// Every place a browser may be sent to by this link. All of them have to be authorised, not only `link` (R1).
    package var destinations: [WebURL] {
        [link, android?.fallback, apple?.fallback, apple?.iPadFallback, elsewhere].compactMap(\.self)
    }
}

extension AppLink {
    static let linksPath = "/__/auth/links"
    static let actionPath = "/__/auth/action"

    /// The grammar's keys that decide where a device goes, in the order in which we write them. `link` comes first:
    /// Apple's SDK reads a decoded query with the last of equal names winning, so nothing nested may come after our own.
    package enum Parameter: String, Sendable, Hashable, CaseIterable {
        case link, apn, amv, afl, ibi, isi, ius, imv, ifl, ipbi, ipfl, ofl
    }

    /// The link to send, in its canonical form: `https://<linkDomain>/__/auth/links?link=…&apn=…`.
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
