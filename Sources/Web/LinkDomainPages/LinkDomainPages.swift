internal import Accounts
internal import AppLinks
internal import HTTPTypes
internal import Logging
internal import Views

/// The responses of link domains: association files for phones, and for links that opened in a
/// browser instead of an app, a page that offers the app, or a redirect.
struct LinkDomainPages: Sendable {
    let hosts: Hosts
    let projects: CurrentProjects
    /// The association files. They never change, because apps and link domains come from the
    /// configuration file only.
    let files: AssociationFileTable
    let shortLinks: ShortLinks
    let recentRedirects = RecentRedirect.cache()
    let countVisit: @Sendable (ShortLinkVisit) -> Void
    let meters: CodeMeters
    let renderer: PageRenderer
    let logger: Logger

    static let routes: [Route] =
        [
            Route(
                .any, "/.well-known/apple-app-site-association", scope: .everyOwnHost, label: RouteLabel("association", .file),
                documentation: .file(
                    "appleAppSiteAssociation",
                    "The Apple apps that open links of a link domain, or share passwords with the public origin.", .map(.anything)),
                handler: .page { $0.linkDomainPages.file($1) }),
            Route(
                .any, "/apple-app-site-association", scope: .everyOwnHost, label: RouteLabel("association", .file),
                handler: .page { $0.linkDomainPages.file($1) }),
            Route(
                .any, "/.well-known/assetlinks.json", scope: .everyOwnHost, label: RouteLabel("association", .file),
                documentation: .file(
                    "assetLinks", "The Android apps that open links of a link domain, or share passwords with the public origin.",
                    .list(.map(.anything))),
                handler: .page { $0.linkDomainPages.file($1) }),
            Route(
                .any, AssociationFiles.manifestPath, scope: .linkDomains, label: RouteLabel("association", .file),
                handler: .page { $0.linkDomainPages.file($1) }),
            Route(
                .read, "/__/auth/links", scope: .linkDomains, label: RouteLabel("links", .page),
                documentation: .page(
                    "appLink", "On a link domain: the page or redirect for a link that no app opened.", parameters: ["link"]),
                handler: .page { $0.linkDomainPages.follow($1) }),
            // Long links of Firebase Dynamic Links.
            Route(
                .read, "/", scope: .linkDomains, label: RouteLabel("root", .page), takes: { $0.isRead && $0.namesLink },
                handler: .page { $0.linkDomainPages.follow($1) }),
            Route(
                .read, shortLinkTemplate, scope: .linkDomains, label: .shortLink,
                documentation: .page("shortLink", "On a link domain: the page or redirect of the long link behind a short one."),
                handler: .page { await $0.linkDomainPages.followShortLink($1) }),
        ]

    /// The route of every path on a link domain that no other route has.
    static let shortLinkTemplate = "/{path}"

    func domain(_ request: Request) -> LinkDomain? { hosts.linkDomain((request.head.authority ?? "").lowercased()) }

    private func file(_ request: Request) -> Response? {
        files[domain(request), request.path]?.response(to: request)
    }
}

extension Request {
    /// Whether the query has the parameter of a long link.
    fileprivate var namesLink: Bool { MailedQuery(ofAppLink: query).items.contains { $0.name == AppLink.Parameter.link.rawValue } }
}
