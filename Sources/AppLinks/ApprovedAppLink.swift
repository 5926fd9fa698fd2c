public import Base

/// An app link whose URLs all lead to where the project sends its users: the action page,
/// authorised domains, and the store pages of registered apps. Only such a link has a decision.
public struct ApprovedAppLink: Sendable, Hashable {
    public let link: AppLink
    public let apps: RegisteredApps
    /// Another link domain of the project, for the button of iPhones: a Universal Link opens the
    /// app only from a page of another host. Nil: there is none.
    let otherDomain: LinkDomain?

    /// - Parameters:
    ///   - domains: the link domains of the project.
    ///   - authorize: throws for a URL that the project does not allow. It is not asked about the
    ///     store pages of registered apps.
    public init<Refused: Error>(
        _ link: AppLink, apps: RegisteredApps, domains: [LinkDomain], authorize: (AppLink.Parameter, WebURL) throws(Refused) -> Void
    ) throws(Refused) {
        for (parameter, url) in link.destinations where !apps.haveStorePage(url) { try authorize(parameter, url) }
        self.link = link
        self.apps = apps
        otherDomain = domains.first { $0 != link.linkDomain }
    }
}

extension ApprovedAppLink {
    /// The versions of the link's Android app that are too old for it; only those whose codes the
    /// configuration has. Nil if there are none.
    /// - Parameter store: the page of the app in its store.
    func outdatedVersions(in store: WebURL) -> OutdatedVersions? {
        guard let android = link.android, let minimum = android.minimumVersion,
            let app = apps.android.first(where: { $0.packageName == android.packageName })
        else { return nil }
        let names = app.versionCodes.filter { $0.value < minimum }.keys.sorted()
        return names.isEmpty ? nil : OutdatedVersions(packageName: app.packageName, names: names, store: store)
    }

    /// The app of an Apple device, with the settings that the link and the configuration have for
    /// it.
    struct AppleTarget {
        let bundleID: String
        let appStoreID: String?
        let customScheme: String?
        let fallback: (parameter: AppLink.Parameter, url: WebURL)?
    }

    /// The app for an iPhone or an iPad; nil if the link names none.
    func appleTarget(isIPad: Bool) -> AppleTarget? {
        guard let apple = link.apple else { return nil }
        let bundleID = isIPad ? apple.iPadBundleID ?? apple.bundleID : apple.bundleID
        let app = apps.apple.first { $0.bundleID == bundleID }
        let isNamed = bundleID == apple.bundleID
        let schemes = app?.customSchemes ?? []
        let usualScheme = schemes.contains(bundleID) ? bundleID : schemes.first
        let iPadFallback = isIPad ? apple.iPadFallback.map { (parameter: AppLink.Parameter.ipfl, url: $0) } : nil
        return AppleTarget(
            bundleID: bundleID, appStoreID: (isNamed ? apple.appStoreID : nil) ?? app?.appStoreID,
            customScheme: (isNamed ? apple.customScheme : nil) ?? usualScheme,
            fallback: iPadFallback ?? apple.fallback.map { (.ifl, $0) })
    }
}
