internal import Accounts
internal import AppLinks
internal import Base
internal import Foundation
internal import HTTPTypes
internal import Logging
internal import Views

extension LinkDomainPages {
    /// Does what `LinkDecision` says for the device that opened a link. Nothing here uses a code.
    func follow(_ request: Request) -> Response? {
        guard let domain = domain(request), let project = projects.value.project(linkDomain: domain) else { return nil }
        return follow(request, from: LinkDevice(request), of: project, stored: nil) { () throws(AppLinkRefusal) in
            try project.approve(appLink: domain.origin + request.target)
        }
    }

    /// Follows the long link that is stored under a short one.
    func followShortLink(_ request: Request) async -> Response? {
        guard let domain = domain(request), let project = projects.value.project(linkDomain: domain),
            let mailed = ShortLinkPath(mailed: request.path)
        else { return nil }
        // A stored link may end in what a sentence ends in.
        let path = ShortLinkPath(request.path) ?? mailed
        let device = LinkDevice(request)
        // Parameters would become those of the long link.
        let visit = request.queryText.isEmpty ? RecentRedirect.Visit(domain: domain, path: path, device: device) : nil
        let asked = Uptime.now
        if let known = visit.flatMap({ recentRedirects[$0, at: asked] }) {
            if known.isMended { meters.count(.linksMended, ["link": "short"]) }
            count(request, link: known.link, device, isRedirect: true)
            return .seeOther(known.target)
        }
        let found: ShortLink?
        do {
            let exact = try await shortLinks.live(path, on: domain, in: project)
            found = if exact == nil, path != mailed { try await shortLinks.live(mailed, on: domain, in: project) } else { exact }
        } catch {
            return renderer.error(.failed(error), PageContext(request, project: project))
        }
        guard let found else { return renderer.error(.notFound, PageContext(withoutLink: request, project: project)) }
        let isMended = found.path != request.path
        if isMended { meters.count(.linksMended, ["link": "short"]) }
        if let format = request["qr"].flatMap(QRCode.Format.init), let code = QRCode(found.url) { return code.response(format) }
        let response = follow(request, from: device, of: project, stored: found) { () throws(AppLinkRefusal) in
            try project.approve(found, visitedWith: request.query)
        }
        if let visit, response.status == .seeOther, let target = response.headers[.location] {
            recentRedirects.add(RecentRedirect(link: found.id, target: target, isMended: isMended), of: visit, at: asked)
        }
        return response
    }

    /// - Parameter stored: the short link that was opened, whose words for previews are shown.
    ///   Anyone can write those of a long link.
    private func follow(
        _ request: Request, from device: LinkDevice, of project: Project, stored: ShortLink?,
        _ approve: () throws(AppLinkRefusal) -> ApprovedAppLink
    ) -> Response {
        do {
            let approved = try approve()
            if stored == nil, request.isMended || approved.link.isMended { meters.count(.linksMended, ["link": "app"]) }
            if approved.link.asksForExplanation { return explain(approved, to: device, of: project) }
            let decision = LinkDecision(approved, on: device)
            if let stored { count(request, link: stored.id, device, isRedirect: decision.isRedirect) }
            return respond(
                with: decision, preview: stored == nil ? LinkPreview() : LinkPreview(approved.link.preview),
                PageContext(request, project: project, appLink: approved.link))
        } catch {
            let metadata: Logger.Metadata = ["project": "\(project.id)", "request": "\(request.id)"]
            logger.notice("app link refused", metadata: metadata.with(client: ["reason": error.explanation]))
            guard request["d"] != "1" else { return refuse(error, of: project) }
            return renderer.error(.appLinkRefused(error), PageContext(request, project: project))
        }
    }

    /// Counts a visit of a short link. Programs do not count, nor do requests for the head only.
    private func count(_ request: Request, link: Int, _ device: LinkDevice, isRedirect: Bool) {
        guard request.head.method == .get, let platform = ShortLinkVisit.DeviceKind(device) else { return }
        let day = ShortLinkVisit.day(of: renderer.now())
        countVisit(ShortLinkVisit(link: link, day: day, platform: platform, event: .click))
        guard isRedirect else { return }
        countVisit(ShortLinkVisit(link: link, day: day, platform: platform, event: .redirect))
    }

    /// - Parameter context: created only for a page, because it costs more than a redirect.
    private func respond(
        with decision: LinkDecision, preview: @autoclosure () -> LinkPreview, _ context: @autoclosure () -> PageContext
    ) -> Response {
        switch decision.reply {
        case .redirect(let url): return .seeOther(url.serialized)
        case .page(let offer):
            let page = OpenAppPage(
                open: offer.open, store: offer.store?.serialized, copied: offer.copied?.serialized, web: ContinueLink(offer.web),
                webOfMac: offer.webOfMac?.serialized, outdated: offer.outdated.map(OpenAppPage.Outdated.init))
            return renderer.page(.openApp(page), context(), hasManifest: page.outdated != nil)
        case .preview(let web): return renderer.page(.openApp(OpenAppPage(web: ContinueLink(web), preview: preview())), context())
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

extension LinkDecision {
    fileprivate var isRedirect: Bool { if case .redirect = reply { true } else { false } }
}

extension LinkExplanation.Decisions {
    /// Devices with the same decision are one group, in the order of their first.
    /// - Parameter asking: the device that is named first; nil: none of them asks.
    init(_ approved: ApprovedAppLink, asking: LinkDevice? = nil) {
        let others = LinkDevice.examples.map(\.device).filter { $0 != asking }
        var groups: [LinkExplanation.Group] = []
        for device in [asking].compactMap(\.self) + others {
            let decision = LinkDecision(approved, on: device)
            let name = device.title + (device == asking ? " (this device)" : "")
            let group = LinkExplanation.Group(
                devices: [name], explanation: decision.explanation,
                targets: decision.targets.map { LinkExplanation.Target(use: $0.use, url: $0.url) })
            if let same = groups.firstIndex(where: { $0.hasDecision(of: group) }) {
                groups[same].devices.append(name)
            } else {
                groups.append(group)
            }
        }
        self = .groups(groups)
    }
}

extension LinkDevice {
    init(_ request: Request) {
        self.init(userAgent: request.userAgent, platform: request.head.headerFields[.secCHUAPlatform])
    }
}

extension ShortLinkVisit.DeviceKind {
    /// Nil for a program. A Mac counts as a desktop, and so does an iPad that calls itself one.
    fileprivate init?(_ device: LinkDevice) {
        switch device.kind {
        case .android: self = .android
        case .iPhone, .iPad: self = .apple
        case .desktop: self = .desktop
        case .automated: return nil
        }
    }
}

extension LinkPreview {
    /// Other images than https ones are left out.
    fileprivate init(_ preview: AppLink.Preview) {
        let image = preview.image.flatMap { $0.scheme == "https" ? $0.serialized : nil }
        self.init(title: preview.title, description: preview.description, image: image)
    }
}

extension ContinueLink {
    /// - Parameter url: a URL that a decision led to.
    fileprivate init(_ url: WebURL) { self = .to(host: url.host?.serialized ?? "", url: url.serialized) }
}

extension OpenAppPage.Outdated {
    fileprivate init(_ versions: OutdatedVersions) {
        self.init(
            manifest: AssociationFiles.manifestPath, app: versions.packageName,
            versions: JSON.array(versions.names.map { .string($0) }).text, store: versions.store.serialized)
    }
}
