/// The two files by which phones learn that a link domain and an app belong together, as JSON with sorted keys, so that
/// equal configurations give equal bytes. Both are served with status 200, `application/json` and no redirect.
package enum AssociationFiles {
    /// `/.well-known/apple-app-site-association`. It covers the app-link paths and not the action page, or an app would
    /// swallow links that ought to open on the web. `appID` and `paths` are for iOS 12, `appIDs` and `components` for later.
    /// Source: https://developer.apple.com/documentation/bundleresources/applinks
    package static func appleAppSiteAssociation(for apps: RegisteredApps) -> String {
        let ids = apps.apple.map(\.appID).sorted()
        let withLink: JSON = ["link": "?*"]
        let details = ids.map { id -> JSON in
            [
                "appID": .text(id),
                "appIDs": [.text(id)],
                "components": [
                    ["/": .text(AppLink.actionPath + "*"), "exclude": true],
                    ["/": .text(AppLink.linksPath), "?": withLink],
                    ["/": "/", "?": withLink],
                ],
                "paths": [.text("NOT " + AppLink.actionPath + "*"), .text(AppLink.linksPath), "/"],
            ]
        }
        let file: JSON = [
            "applinks": ["apps": [], "details": .list(details)],
            "webcredentials": ["apps": .list(ids.map(JSON.text))],
        ]
        return file.serialized
    }

    /// `/.well-known/assetlinks.json`. Source: https://developers.google.com/digital-asset-links/v1/getting-started
    package static func assetLinks(for apps: RegisteredApps) -> String {
        let statements = apps.android.sorted { $0.packageName < $1.packageName }.map { app -> JSON in
            [
                "relation": ["delegate_permission/common.handle_all_urls"],
                "target": [
                    "namespace": "android_app",
                    "package_name": .text(app.packageName),
                    "sha256_cert_fingerprints": .list(app.sha256Fingerprints.sorted().map(JSON.text)),
                ],
            ]
        }
        return JSON.list(statements).serialized
    }
}

/// As much JSON as the association files need. Its texts need no escaping: they are literals of this file and
/// identifiers that `RegisteredApps` has checked to be ASCII letters, digits and `.-_:`.
private indirect enum JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    case text(String), flag(Bool), list([JSON]), object([String: JSON])

    init(stringLiteral text: String) { self = .text(text) }
    init(booleanLiteral flag: Bool) { self = .flag(flag) }
    init(arrayLiteral items: JSON...) { self = .list(items) }
    init(dictionaryLiteral members: (String, JSON)...) { self = .object(Dictionary(uniqueKeysWithValues: members)) }

    var serialized: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .flag(let flag): "\(flag)"
        case .list(let items): "[" + items.map(\.serialized).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.sorted { $0.key < $1.key }.map { "\"\($0)\":" + $1.serialized }.joined(separator: ",") + "}"
        }
    }
}
