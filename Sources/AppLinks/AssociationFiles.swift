/// The two files by which phones verify that an app belongs to a link domain, as JSON with sorted keys,
/// so that equal configurations give equal bytes. Phones accept them only with status 200, the type
/// `application/json`, and without a redirect.
package enum AssociationFiles {
    /// The content of `/.well-known/apple-app-site-association`. It covers the paths of app links but not
    /// the action page, which must open in the browser. `appID` and `paths` are for iOS 12, `appIDs` and
    /// `components` for later versions.
    /// Source: https://developer.apple.com/documentation/bundleresources/applinks
    package static func appleAppSiteAssociation(for apps: RegisteredApps) -> String {
        let ids = apps.apple.map(\.appID).sorted()
        let withLink: FileJSON = ["link": "?*"]
        let details = ids.map { id -> FileJSON in
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
        let file: FileJSON = [
            "applinks": ["apps": [], "details": .list(details)],
            "webcredentials": ["apps": .list(ids.map(FileJSON.text))],
        ]
        return file.serialized
    }

    /// The content of `/.well-known/assetlinks.json`.
    /// Source: https://developers.google.com/digital-asset-links/v1/getting-started
    package static func assetLinks(for apps: RegisteredApps) -> String {
        let statements = apps.android.sorted { $0.packageName < $1.packageName }.map { app -> FileJSON in
            [
                "relation": ["delegate_permission/common.handle_all_urls"],
                "target": [
                    "namespace": "android_app",
                    "package_name": .text(app.packageName),
                    "sha256_cert_fingerprints": .list(app.sha256Fingerprints.sorted().map(FileJSON.text)),
                ],
            ]
        }
        return FileJSON.list(statements).serialized
    }
}

/// The subset of JSON that association files need. Strings are not escaped: they are literals of this
/// file or identifiers of `RegisteredApps`, which consist of ASCII letters, digits and `.-_:`.
private indirect enum FileJSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    case text(String), flag(Bool), list([FileJSON]), object([String: FileJSON])

    init(stringLiteral text: String) { self = .text(text) }
    init(booleanLiteral flag: Bool) { self = .flag(flag) }
    init(arrayLiteral items: FileJSON...) { self = .list(items) }
    init(dictionaryLiteral members: (String, FileJSON)...) { self = .object(Dictionary(uniqueKeysWithValues: members)) }

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
