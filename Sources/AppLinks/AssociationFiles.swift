internal import JSON

/// The two files by which phones verify that an app belongs to a link domain. Equal configurations
/// give equal bytes. Phones accept them only with status 200, the type `application/json`, and
/// without a redirect.
package enum AssociationFiles {
    /// The content of `/.well-known/apple-app-site-association`. It covers the paths of app links
    /// but not the action page, which must open in the browser. `appID` and `paths` are for iOS 12,
    /// `appIDs` and `components` for later versions.
    ///
    /// Source: https://developer.apple.com/documentation/bundleresources/applinks
    package static func appleAppSiteAssociation(for apps: RegisteredApps) -> String {
        let ids = apps.apple.map(\.appID).sorted()
        let withLink = JSON.object(["link": "?*"])
        let components: [JSON] = [
            .object(["/": .string(AppLink.actionPath + "*"), "exclude": .bool(true)]),
            .object(["/": .string(AppLink.linksPath), "?": withLink]),
            .object(["/": "/", "?": withLink]),
        ]
        let paths: [JSON] = [.string("NOT " + AppLink.actionPath + "*"), .string(AppLink.linksPath), "/"]
        let details = ids.map { id in
            JSON.object([
                "appID": .string(id), "appIDs": .array([.string(id)]), "components": .array(components), "paths": .array(paths),
            ])
        }
        let file = JSON.object([
            "applinks": .object(["apps": .array([]), "details": .array(details)]),
            "webcredentials": .object(["apps": .array(ids.map { .string($0) })]),
        ])
        return file.text
    }

    /// The content of `/.well-known/assetlinks.json`.
    ///
    /// Source: https://developers.google.com/digital-asset-links/v1/getting-started
    package static func assetLinks(for apps: RegisteredApps) -> String {
        let statements = apps.android.sorted { $0.packageName < $1.packageName }.map { app in
            JSON.object([
                "relation": .array(["delegate_permission/common.handle_all_urls"]),
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
