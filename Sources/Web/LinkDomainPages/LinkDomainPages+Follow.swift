internal import AppLinks
internal import EmailActions
internal import Foundation
internal import HTTPTypes
internal import Logging
internal import Views
internal import WebURL

extension LinkDomainPages {
    /// Does what `LinkDecision` says for the device that opened a link. Nothing here uses a code.
    func follow(_ request: Request) -> Response? {
        guard let domain = domain(request), let project = projects.value.project(linkDomain: domain) else { return nil }
        let device = LinkDevice(request)
        do {
            let approved = try project.approve(appLink: domain.linksURL.origin + (request.head.path ?? "/"))
            if approved.link.asksForExplanation { return explain(approved, to: device, of: project) }
            return respond(
                with: LinkDecision(approved, on: device), for: approved.link, PageContext(request, project: project, appLink: approved.link)
            )
        } catch {
            let metadata: Logger.Metadata = ["project": "\(project.id)", "request": "\(request.id)"]
            logger.notice("app link refused", metadata: metadata.with(client: ["reason": error.explanation]))
            guard request["d"] != "1" else { return refuse(error, of: project) }
            return renderer.error(.appLinkRefused(error), PageContext(request, project: project))
        }
    }

    private func respond(with decision: LinkDecision, for link: AppLink, _ context: PageContext) -> Response {
        switch decision.reply {
        case .redirect(let url): return .seeOther(url.serialized)
        case .page(let offer):
            let page = OpenAppPage(
                open: offer.open, store: offer.store?.serialized, web: ContinueLink(offer.web), webOfMac: offer.webOfMac?.serialized)
            return renderer.page(.openApp(page), context)
        // The link is a long one, whose own words for previews anyone can write.
        case .preview(let web): return renderer.page(.openApp(OpenAppPage(web: ContinueLink(web), preview: LinkPreview())), context)
        }
    }

    /// The page for `d=1`, with the decision for each sort of device.
    private func explain(_ approved: ApprovedAppLink, to device: LinkDevice, of project: Project) -> Response {
        let explanation = LinkExplanation(
            brand: renderer.brands.brand(of: project), decisions: LinkExplanation.Decisions(approved, asking: device))
        return .page(html: renderer.views.html(explanation))
    }

    private func refuse(_ refusal: AppLinkRefusal, of project: Project) -> Response {
        let explanation = LinkExplanation(brand: renderer.brands.brand(of: project), decisions: .refused(refusal.explanation))
        return .page(.badRequest, html: renderer.views.html(explanation))
    }
}

extension LinkExplanation.Decisions {
    /// - Parameter asking: the device that is named first; nil: none of them asks.
    init(_ approved: ApprovedAppLink, asking: LinkDevice? = nil) {
        let others = LinkDevice.examples.filter { $0.device != asking }
        let first = asking.map { asking in
            (name: LinkDevice.examples.first { $0.device == asking }?.name ?? "this device", device: asking)
        }
        self = .devices(
            ([first].compactMap(\.self) + others).map { name, device in
                let decision = LinkDecision(approved, on: device)
                return LinkExplanation.Device(
                    name: name, asks: device == asking, explanation: decision.explanation,
                    targets: decision.targets.map { LinkExplanation.Target(use: $0.use, url: $0.url) })
            })
    }
}

extension LinkDevice {
    init(_ request: Request) {
        self.init(userAgent: request.userAgent, platform: request.head.headerFields[.secCHUAPlatform])
    }
}

extension ContinueLink {
    /// - Parameter url: a URL that a decision led to.
    fileprivate init(_ url: WebURL) { self = .to(host: url.host?.serialized ?? "", url: url.serialized) }
}
