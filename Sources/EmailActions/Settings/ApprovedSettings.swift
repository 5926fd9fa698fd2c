package import Accounts
package import AppLinks
package import WebURL

/// Action code settings after the project allowed each of them. Made when a mail is asked for, and again when a person is sent on,
/// with the configuration of that moment (R9).
package struct ApprovedSettings: Sendable {
    package let asked: ActionCodeSettings
    /// Nil when none was asked for.
    package let continueURL: AuthorizedURL?
    /// Where app links for these settings live; nil when the project has no link domain.
    package let linkDomain: LinkDomain?

    /// Refuses `INVALID_CONTINUE_URI`, `UNAUTHORIZED_DOMAIN`, `MISSING_ANDROID_PACKAGE_NAME`, `MISSING_IOS_BUNDLE_ID`,
    /// `INVALID_HOSTING_LINK_DOMAIN`, `INVALID_DYNAMIC_LINK_DOMAIN`, each with what would allow it.
    package init(_ asked: ActionCodeSettings, in project: Project) throws(ActionError) {
        self.asked = asked
        continueURL = try asked.url.map { (url) throws(ActionError) in try Self.authorize(url, in: project) }
        try Self.checkApps(asked, in: project)
        linkDomain = try Self.linkDomain(asked, in: project)
    }

    /// In bytes. An app link escapes its payload twice, so a longer one would not fit through mail programs and parsers.
    private static let longestContinueURL = 2000

    private static func authorize(_ url: String, in project: Project) throws(ActionError) -> AuthorizedURL {
        guard url.utf8.count <= longestContinueURL else {
            throw .refused(.invalidContinueURI, detail: "The continue URL is longer than \(longestContinueURL) bytes")
        }
        do {
            return try project.authorizedDomains.authorize(url)
        } catch {
            switch error {
            case .unreadable: throw .refused(.invalidContinueURI, detail: error.explanation)
            default: throw .refused(.unauthorizedDomain, detail: error.explanation)
            }
        }
    }

    private static func checkApps(_ asked: ActionCodeSettings, in project: Project) throws(ActionError) {
        if asked.androidPackageName == nil, asked.androidInstallIfNotAvailable || asked.androidMinimumVersion != nil {
            throw .refused(
                .missingAndroidPackageName,
                detail: "androidInstallIfNotAvailable and androidMinimumVersion need androidPackageName beside them")
        }
        if asked.iOSBundleID == nil, asked.iOSAppStoreID != nil {
            throw .refused(.missingIOSBundleID, detail: "iOSAppStoreId needs iOSBundleId beside it")
        }
        if let version = asked.androidMinimumVersion, (Int(version) ?? -1) < 0 {
            throw .refused(.invalidArgument, detail: "androidMinimumVersion must be a whole number: Android's versionCode")
        }
        if let id = asked.iOSAppStoreID, let bundle = asked.iOSBundleID, !project.apps.knows(appStoreID: id, of: bundle) {
            throw .refused(.invalidAppID, detail: "iOSAppStoreId is not that of the app in project \(project.id)")
        }
        if let package = asked.androidPackageName, !project.apps.knows(androidPackage: package) {
            throw .refused(.invalidAppID, detail: "The Android package is not among the apps of project \(project.id)")
        }
        if let bundle = asked.iOSBundleID, !project.apps.knows(appleBundle: bundle) {
            throw .refused(.invalidAppID, detail: "The iOS bundle id is not among the apps of project \(project.id)")
        }
    }

    private static func linkDomain(_ asked: ActionCodeSettings, in project: Project) throws(ActionError) -> LinkDomain? {
        func find(_ domain: String, orRefuse refusal: Refusal, name: String) throws(ActionError) -> LinkDomain {
            guard let wanted = try? LinkDomain(domain), project.linkDomains.contains(wanted) else {
                throw .refused(refusal, detail: "\(name) must be one of the link domains of project \(project.id)")
            }
            return wanted
        }
        if let domain = asked.linkDomain { return try find(domain, orRefuse: .invalidHostingLinkDomain, name: "linkDomain") }
        if let domain = asked.dynamicLinkDomain { return try find(domain, orRefuse: .invalidDynamicLinkDomain, name: "dynamicLinkDomain") }
        return project.linkDomains.first
    }

    /// An app link with this payload, naming the apps that were asked for; nil when the project has no link domain. Where installing
    /// was not asked for, an Android phone without the app stays on the web.
    package func appLink(to payload: WebURL) -> AppLink? {
        guard let linkDomain else { return nil }
        return AppLink(
            linkDomain: linkDomain, link: payload,
            android: asked.androidPackageName.map {
                AppLink.Android(
                    packageName: $0, minimumVersion: asked.androidMinimumVersion.flatMap { Int($0) },
                    fallback: asked.androidInstallIfNotAvailable ? nil : payload)
            },
            apple: asked.iOSBundleID.map { AppLink.Apple(bundleID: $0, appStoreID: asked.iOSAppStoreID) })
    }
}
