internal import AppLinks
internal import EmailActions
internal import HTTPTypes
internal import JSON
internal import Logging
internal import Views
internal import WebURL

extension Site {
    /// What a link domain answers: association files for phones, and for a browser that no app caught, the web page of the link's
    /// payload. Nil: not an address of link domains.
    func linkDomainPage(_ request: Request, on domain: LinkDomain) -> Response? {
        guard let project = projects.project(linkDomain: domain) else { return nil }
        if let file = associationFiles[domain]?[request.path] { return file.answer(to: request) }
        switch request.path {
        case "/__/auth/links": return request.isRead ? follow(request, on: domain, of: project) : .methodNotAllowed("GET, HEAD")
        case "/" where request["link"] != nil && request.isRead: return follow(request, on: domain, of: project)
        default: return nil
        }
    }

    private func follow(_ request: Request, on domain: LinkDomain, of project: Project) -> Response {
        let context = PageContext(request, project: project)
        do {
            let url = try WebURL(domain.linksURL.origin + (request.head.path ?? "/"))
            let link = try AppLink(url, on: project.linkDomains, apps: project.apps)
            if link.link.origin == project.actionURL.origin, link.link.path == project.actionURL.path {
                return .seeOther(link.link.serialized)
            }
            for destination in link.destinations { _ = try project.authorizedDomains.authorize(destination) }
            return .seeOther(link.link.serialized)
        } catch {
            logger.notice("an app link was refused", metadata: ["why": "\(error)", "request": "\(request.id)"])
            return trouble(.init(.linkRefused), .badRequest, context)
        }
    }
}

extension Projects {
    /// By which phones learn that a link domain and an app belong together, by domain and path.
    ///
    /// Source: Apple `Supporting associated domains`, Android `Verify App Links`: status 200, JSON, no redirect.
    var associationFiles: [LinkDomain: [String: PublicFile]] {
        all.reduce(into: [:]) { files, project in
            let ofApple = PublicFile(associating: AssociationFiles.appleAppSiteAssociation(for: project.apps))
            for domain in project.linkDomains {
                files[domain] = [
                    "/.well-known/apple-app-site-association": ofApple, "/apple-app-site-association": ofApple,
                    "/.well-known/assetlinks.json": PublicFile(associating: AssociationFiles.assetLinks(for: project.apps)),
                ]
            }
        }
    }
}

extension PublicFile {
    fileprivate init(associating json: String) { self.init("application/json", Array(json.utf8), fresh: .atMost(.hours(1))) }
}
