internal import AppLinks
internal import EmailActions
internal import HTTPTypes
internal import Logging
internal import Views
internal import WebURL

/// The responses of link domains: association files for phones, and a redirect for links that
/// opened in a browser instead of an app.
struct LinkDomainPages: Sendable {
    let hosts: Hosts
    let projects: CurrentProjects
    /// The association files by domain and path. They never change, because apps and link domains
    /// come from the configuration file only.
    let files: [LinkDomain: [String: PublicFile]]
    let renderer: PageRenderer
    let logger: Logger

    static let routes: [Route] =
        [
            Route(
                .any, "/.well-known/apple-app-site-association", scope: .linkDomains, label: RouteLabel("association", .file),
                documentation: .file(
                    "appleAppSiteAssociation", "On a link domain: the apps that Apple's devices open links in.", .map(.anything)),
                handler: .page { $0.linkDomainPages.file($1) }),
            Route(
                .any, "/apple-app-site-association", scope: .linkDomains, label: RouteLabel("association", .file),
                handler: .page { $0.linkDomainPages.file($1) }),
            Route(
                .any, "/.well-known/assetlinks.json", scope: .linkDomains, label: RouteLabel("association", .file),
                documentation: .file("assetLinks", "On a link domain: the apps that Android opens links in.", .list(.map(.anything))),
                handler: .page { $0.linkDomainPages.file($1) }),
            Route(
                .read, "/__/auth/links", scope: .linkDomains, label: RouteLabel("links", .page),
                documentation: .page("appLink", "On a link domain: the redirect for a link that no app opened.", parameters: ["link"]),
                handler: .page { $0.linkDomainPages.follow($1) }),
            // Long links of Firebase Dynamic Links.
            Route(
                .any, "/", scope: .linkDomains, label: RouteLabel("root", .page),
                handler: .page { $1.isRead && $1["link"] != nil ? $0.linkDomainPages.follow($1) : nil }),
        ]

    private func domain(_ request: Request) -> LinkDomain? { hosts.linkDomain((request.head.authority ?? "").lowercased()) }

    private func file(_ request: Request) -> Response? {
        domain(request).flatMap { files[$0]?[request.path] }?.response(to: request)
    }

    /// Redirects to the web page in the payload of a link.
    private func follow(_ request: Request) -> Response? {
        guard let domain = domain(request), let project = projects.value.project(linkDomain: domain) else { return nil }
        do {
            let url = try WebURL(domain.linksURL.origin + (request.head.path ?? "/"))
            let link = try AppLink(url, on: project.linkDomains, apps: project.apps)
            if link.link.origin == project.actionURL.origin, link.link.path == project.actionURL.path {
                return .seeOther(link.link.serialized)
            }
            for (_, url) in link.destinations { _ = try project.authorizedDomains.authorize(url) }
            return .seeOther(link.link.serialized)
        } catch {
            logger.notice("app link refused", metadata: ["request": "\(request.id)"].with(client: ["reason": Self.reason(of: error)]))
            return renderer.error(.appLinkRefused, PageContext(request, project: project))
        }
    }

    /// The reason as a sentence for the operator's log.
    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as WebURL.ParseError: error.explanation
        case let error as AppLink.FormatError: error.explanation
        case let error as AuthorizedDomains.NotAuthorized: error.explanation
        default: "The link cannot be read."
        }
    }
}

extension Projects {
    /// The files that tell phones which apps a link domain belongs to, by domain and path.
    ///
    /// Source: Apple `Supporting associated domains`, Android `Verify App Links`: status 200, JSON,
    /// no redirect.
    var associationFiles: [LinkDomain: [String: PublicFile]] {
        all.reduce(into: [:]) { files, project in
            let ofApple = PublicFile(associationFile: AssociationFiles.appleAppSiteAssociation(for: project.apps))
            for domain in project.linkDomains {
                files[domain] = [
                    "/.well-known/apple-app-site-association": ofApple, "/apple-app-site-association": ofApple,
                    "/.well-known/assetlinks.json": PublicFile(associationFile: AssociationFiles.assetLinks(for: project.apps)),
                ]
            }
        }
    }
}

extension PublicFile {
    fileprivate init(associationFile json: String) { self.init("application/json", Array(json.utf8), fresh: .atMost(.hours(1))) }
}
