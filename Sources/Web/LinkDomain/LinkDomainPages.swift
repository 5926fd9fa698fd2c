internal import AppLinks
internal import EmailActions
internal import HTTPTypes
internal import Logging
internal import Views
internal import WebURL

extension Site {
    /// What a link domain answers: association files for phones, and for a browser that no app caught, the web page of the link's
    /// payload. Nil: not an address of link domains.
    func linkDomainPage(_ request: Request, on domain: LinkDomain) -> Answer? {
        guard let project = projects.project(linkDomain: domain) else { return nil }
        switch request.path {
        case "/.well-known/apple-app-site-association", "/apple-app-site-association":
            return associationFile(request, AssociationFiles.appleAppSiteAssociation(for: project.apps))
        case "/.well-known/assetlinks.json":
            return associationFile(request, AssociationFiles.assetLinks(for: project.apps))
        case "/__/auth/links": return request.isRead ? follow(request, on: domain, of: project) : .methodNotAllowed("GET, HEAD")
        case "/" where request["link"] != nil && request.isRead: return follow(request, on: domain, of: project)
        default: return nil
        }
    }

    /// Source: Apple `Supporting associated domains`, Android `Verify App Links`: status 200, JSON, no redirect.
    private func associationFile(_ request: Request, _ json: String) -> Answer {
        guard request.isRead else { return .methodNotAllowed("GET, HEAD") }
        var answer = Answer(.ok, "application/json", Array(json.utf8))
        answer.headers[.cacheControl] = "public, max-age=3600"
        return answer
    }

    private func follow(_ request: Request, on domain: LinkDomain, of project: Project) -> Answer {
        let frame = Frame(request, project: project)
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
            return trouble(.init(.linkRefused), .badRequest, frame)
        }
    }
}
