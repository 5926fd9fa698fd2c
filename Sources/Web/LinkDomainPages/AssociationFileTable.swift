internal import Accounts
internal import AppLinks
internal import Base

/// The association files of all hosts.
///
/// Source: Apple `Supporting associated domains`, Android `Verify App Links`: status 200, JSON, no
/// redirect.
struct AssociationFileTable: Sendable {
    private let files: [LinkDomain?: [String: PublicFile]]

    init(_ projects: Projects) {
        var files: [LinkDomain?: [String: PublicFile]] = [:]
        for project in projects.all {
            var own = Self.files(for: project.apps, use: .links)
            own[AssociationFiles.manifestPath] = PublicFile(
                "application/manifest+json", Array(AssociationFiles.manifest(for: project.apps).utf8), fresh: .atMost(.hours(1)))
            for domain in project.linkDomains { files[domain] = own }
        }
        if let project = projects.all.first, project.sharesPasswords(among: projects.all) {
            files[nil] = Self.files(for: project.apps, use: .passwords)
        }
        self.files = files
    }

    /// The file of a link domain, or of the public origin, at a path.
    subscript(domain: LinkDomain?, path: String) -> PublicFile? { files[domain]?[path] }

    private static func files(for apps: RegisteredApps, use: AssociationFiles.Use) -> [String: PublicFile] {
        let ofApple = PublicFile(json: AssociationFiles.appleAppSiteAssociation(for: apps, use: use))
        return [
            "/.well-known/apple-app-site-association": ofApple, "/apple-app-site-association": ofApple,
            "/.well-known/assetlinks.json": PublicFile(json: AssociationFiles.assetLinks(for: apps, use: use)),
        ]
    }
}

extension PublicFile {
    fileprivate init(json: String) { self.init("application/json", Array(json.utf8), fresh: .atMost(.hours(1))) }
}
