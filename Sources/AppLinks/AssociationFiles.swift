internal import Base

/// The two files that phones read to verify that an app belongs to a host. Equal configurations
/// give equal bytes. Phones accept them only with status 200, the type `application/json`, and
/// without a redirect.
public enum AssociationFiles {
    /// The rights of an app at a host.
    public enum Use: Sendable, Hashable, CaseIterable {
        /// It opens the links of a link domain.
        case links
        /// It shares saved passwords with the pages of the public origin, but opens none of its
        /// links: they must open in the browser.
        case passwords
    }

    /// The content of `/.well-known/apple-app-site-association`. On link domains it covers the
    /// paths of app links but neither the action page nor links that explain themselves (`d=1`),
    /// which must open in the browser. `appID` and `paths` are for iOS 12, `appIDs` and
    /// `components` for later versions.
    ///
    /// Source: https://developer.apple.com/documentation/bundleresources/applinks
    public static func appleAppSiteAssociation(for apps: RegisteredApps, use: Use = .links) -> String {
        let ids = apps.apple.map(\.appID).sorted()
        let credentials = JSON.object(["apps": .array(ids.map { .string($0) })])
        guard use == .links else { return JSON.object(["webcredentials": credentials]).text }
        let withLink = JSON.object(["link": "?*"])
        let excluded: [JSON] = [
            .object(["/": "*", "?": .object(["d": "1"]), "exclude": .bool(true)]),
            .object(["/": .string(AppLink.actionPath + "*"), "exclude": .bool(true)]),
        ]
        let forms = AppLink.LinkForm.allCases.map { JSON.string($0.path) }
        let paths = [JSON.string("NOT " + AppLink.actionPath + "*")] + forms
        let components = excluded + forms.map { .object(["/": $0, "?": withLink]) }
        let details = ids.map { id in
            JSON.object([
                "appID": .string(id), "appIDs": .array([.string(id)]), "components": .array(components), "paths": .array(paths),
            ])
        }
        let file = JSON.object([
            "applinks": .object(["apps": .array([]), "details": .array(details)]),
            "webcredentials": credentials,
        ])
        return file.text
    }

    /// The path of the web app manifest on link domains.
    public static let manifestPath = "/__/auth/apps.webmanifest"

    /// The web app manifest that names the Android apps whose versions are known, so that Chrome
    /// tells the page of a link which of them is installed.
    ///
    /// Source: WICG `Get Installed Related Apps`.
    public static func manifest(for apps: RegisteredApps) -> String {
        let ids = apps.android.filter { !$0.versionCodes.isEmpty }.map(\.packageName).sorted()
        let related = ids.map { JSON.object(["platform": "play", "id": .string($0)]) }
        return JSON.object(["related_applications": .array(related)]).text
    }

    /// The content of `/.well-known/assetlinks.json`. Apps without a fingerprint are left out: a
    /// statement needs one.
    ///
    /// Source: https://developers.google.com/digital-asset-links/v1/getting-started
    public static func assetLinks(for apps: RegisteredApps, use: Use = .links) -> String {
        let relation: JSON = use == .links ? "delegate_permission/common.handle_all_urls" : "delegate_permission/common.get_login_creds"
        let known = apps.android.filter { !$0.sha256Fingerprints.isEmpty }.sorted { $0.packageName < $1.packageName }
        let statements = known.map { app in
            JSON.object([
                "relation": .array([relation]),
                "target": .object([
                    "namespace": "android_app",
                    "package_name": .string(app.packageName),
                    "sha256_cert_fingerprints": .array(app.sha256Fingerprints.sorted().map { .string($0) }),
                ]),
            ])
        }
        return JSON.array(statements).text
    }
}
