public import AppLinks
public import Base

/// The action code settings that a project allows.
///
/// They are created when a mail is requested, and again when the user is redirected, from the
/// configuration at that moment (R9).
public struct ApprovedSettings: Sendable {
    public let requested: ActionCodeSettings
    /// The project that allows them.
    public let project: Project
    /// The authorised continue URL; nil if none was requested.
    public let continueURL: AuthorizedURL?
    /// The domain of app links for these settings; nil if the project has no link domain.
    public let linkDomain: LinkDomain?

    /// Creates empty settings, which every project allows.
    public init(in project: Project) { self.init(ActionCodeSettings(), allowedBy: project) }

    private init(_ requested: ActionCodeSettings, allowedBy project: Project) {
        (self.requested, self.project, continueURL) = (requested, project, nil)
        linkDomain = project.linkDomains.first
    }

    /// Checks requested settings.
    ///
    /// Refuses `INVALID_CONTINUE_URI`, `UNAUTHORIZED_DOMAIN`, `MISSING_ANDROID_PACKAGE_NAME`,
    /// `MISSING_IOS_BUNDLE_ID`, `INVALID_HOSTING_LINK_DOMAIN`, `INVALID_DYNAMIC_LINK_DOMAIN`,
    /// `INVALID_ARGUMENT` and `INVALID_APP_ID`, each with the name of the field in the API and what
    /// would be right.
    public init(_ requested: ActionCodeSettings, in project: Project) throws(ActionError) {
        self.requested = requested
        self.project = project
        continueURL = try requested.url.map { (url) throws(ActionError) in try Self.authorize(url, in: project) }
        try Self.checkApps(requested, in: project)
        linkDomain = try Self.linkDomain(requested, in: project)
    }

    /// Checks the settings of a mail that was sent, whose continue URL has to be authorised still
    /// (R9). An app or a link domain that the project has no longer is left out, so that the user
    /// continues on the web (R14).
    init(stillAllowed requested: ActionCodeSettings, in project: Project) throws(ActionError) {
        try self.init(requested.withoutRemoved(from: project), in: project)
    }

    /// The continue URL as links name it. Apps compare it with the one they requested, so a URL
    /// without a path stays without; where the user is sent is `AuthorizedURL.serialized`.
    public var continueURLInLinks: String? {
        guard let continueURL, let input = requested.url else { return nil }
        // Two slashes are before the host, and none may be in the rest.
        let hasPath = input.utf8.count { $0 == UInt8(ascii: "/") } > 2
        return hasPath ? continueURL.serialized : continueURL.url.serializedWithoutLoneSlash
    }

    /// The maximum length of a continue URL in bytes. Mail programs cut longer links.
    public static let longestContinueURL = 2000
    /// The maximum length in bytes of a continue URL as links escape it. A link of more than 8,000
    /// bytes is not served, and it has other parameters, too.
    private static let longestEscapedURL = 7000

    private static func authorize(_ text: String, in project: Project) throws(ActionError) -> AuthorizedURL {
        guard text.utf8.count <= longestContinueURL else {
            throw .refused(.invalidContinueURI, detail: "continueUrl: It is longer than \(longestContinueURL) bytes")
        }
        let url: AuthorizedURL
        do { url = try project.authorizedDomains.authorize(text) } catch {
            let detail = "continueUrl: " + error.explanation(inDevelopment: project.isOfDevelopment)
            switch error {
            case .unreadable: throw .refused(.invalidContinueURI, detail: detail)
            default: throw .refused(.unauthorizedDomain, detail: detail)
            }
        }
        guard url.fits(in: longestEscapedURL, throughApps: !project.linkDomains.isEmpty) else {
            throw .refused(.invalidContinueURI, detail: "continueUrl: As links escape it, it is longer than \(longestEscapedURL) bytes")
        }
        return url
    }

    private static func checkApps(_ requested: ActionCodeSettings, in project: Project) throws(ActionError) {
        if requested.androidPackageName == nil, requested.androidInstallIfNotAvailable || requested.androidMinimumVersion != nil {
            throw .refused(
                .missingAndroidPackageName,
                detail: "androidInstallApp and androidMinimumVersion need androidPackageName beside them")
        }
        if requested.iOSBundleID == nil, requested.iOSAppStoreID != nil {
            throw .refused(.missingIOSBundleID, detail: "iOSAppStoreId needs iOSBundleId beside it")
        }
        if let version = requested.androidMinimumVersion, (Int(version) ?? -1) < 0 {
            throw .refused(.invalidArgument, detail: "androidMinimumVersion must be a whole number: Android's versionCode")
        }
        if let id = requested.iOSAppStoreID, let bundle = requested.iOSBundleID, !project.apps.knows(appStoreID: id, of: bundle) {
            throw .refused(.invalidAppID, detail: "iOSAppStoreId must be the appStoreID of the app in project \(project.id)")
        }
        if let package = requested.androidPackageName, !project.apps.knows(androidPackage: package) {
            throw .refused(.invalidAppID, detail: "androidPackageName must be one of apps.android of project \(project.id)")
        }
        if let bundle = requested.iOSBundleID, !project.apps.knows(appleBundle: bundle) {
            throw .refused(.invalidAppID, detail: "iOSBundleId must be one of apps.apple of project \(project.id)")
        }
    }

    private static func linkDomain(_ requested: ActionCodeSettings, in project: Project) throws(ActionError) -> LinkDomain? {
        func find(_ domain: String, orRefuse refusal: Refusal, name: String) throws(ActionError) -> LinkDomain {
            let wanted = (try? LinkDomain(domain))?.authority
            guard let found = project.linkDomains.first(where: { $0.authority == wanted }) else {
                let known = project.linkDomains.isEmpty ? "it has none" : project.linkDomains.map(\.authority).joined(separator: ", ")
                let remedy = project.isOfDevelopment && wanted != nil ? "; or start `onward dev --link-domain \(domain)`" : ""
                throw .refused(refusal, detail: "\(name) must be one of the linkDomains of project \(project.id): \(known)\(remedy)")
            }
            return found
        }
        if let domain = requested.linkDomain { return try find(domain, orRefuse: .invalidHostingLinkDomain, name: "linkDomain") }
        if let domain = requested.dynamicLinkDomain {
            return try find(domain, orRefuse: .invalidDynamicLinkDomain, name: "dynamicLinkDomain")
        }
        return project.linkDomains.first
    }

    /// An app link with this payload that names the requested apps; nil if the project has no link
    /// domain. Unless installation was requested, an Android phone without the app opens the web
    /// page.
    public func appLink(to payload: WebURL) -> AppLink? {
        guard let linkDomain else { return nil }
        var link = AppLink(
            linkDomain: linkDomain, link: payload,
            android: requested.androidPackageName.map {
                AppLink.Android(
                    packageName: $0, minimumVersion: requested.androidMinimumVersion.flatMap { Int($0) },
                    // A link with a code leads to its payload anyway, and is shorter without.
                    fallback: requested.androidInstallIfNotAvailable || AppLink.mentionsCode(payload.serialized) ? nil : payload)
            },
            apple: requested.iOSBundleID.map { AppLink.Apple(bundleID: $0, appStoreID: requested.iOSAppStoreID) })
        link.form = project.apps.linkForm(android: requested.androidPackageName, apple: requested.iOSBundleID)
        return link
    }
}

extension ActionCodeSettings {
    fileprivate func withoutRemoved(from project: Project) -> ActionCodeSettings {
        var settings = self
        func isServed(_ domain: String) -> Bool {
            let wanted = (try? LinkDomain(domain))?.authority
            return project.linkDomains.contains { $0.authority == wanted }
        }
        if let package = androidPackageName, !project.apps.knows(androidPackage: package) {
            (settings.androidPackageName, settings.androidMinimumVersion, settings.androidInstallIfNotAvailable) = (nil, nil, false)
        }
        if let bundle = iOSBundleID {
            if !project.apps.knows(appleBundle: bundle) { (settings.iOSBundleID, settings.iOSAppStoreID) = (nil, nil) }
            if let id = iOSAppStoreID, !project.apps.knows(appStoreID: id, of: bundle) { settings.iOSAppStoreID = nil }
        }
        if let domain = linkDomain, !isServed(domain) { settings.linkDomain = nil }
        if let domain = dynamicLinkDomain, !isServed(domain) { settings.dynamicLinkDomain = nil }
        return settings
    }
}

extension AuthorizedURL {
    /// Whether the URL takes no more than `maxBytes` in a link: escaped once in the link of a page,
    /// twice if that is the payload of an app link, and two times escaped once in an app link that
    /// leads to it.
    fileprivate func fits(in maxBytes: Int, throughApps: Bool) -> Bool {
        // A byte becomes six at the most, and most URLs are short.
        guard serialized.utf8.count > maxBytes / 6 else { return true }
        let escaped = WebURL.percentEncoded(serialized)
        return max(escaped.utf8.count, throughApps ? max(WebURL.percentEncoded(escaped).utf8.count, 2 * escaped.utf8.count) : 0) <= maxBytes
    }
}
