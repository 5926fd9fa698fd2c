public import Accounts
internal import AppLinks
public import EmailActions
public import HTTPTypes
public import Logging
public import Queues
public import Views
public import WebURL

/// Everything that Onward serves: six values with their own dependencies, behind one router. Knows
/// nothing about sockets.
public struct Site: Sendable {
    let actionPages: ActionPages
    let identityToolkit: IdentityToolkit
    let linkDomainPages: LinkDomainPages
    /// Nil in production.
    let devPages: DevPages?
    let operations: Operations
    let feedbackEndpoint: FeedbackEndpoint

    let hosts: Hosts
    /// Nil in development, which has no such listener.
    let adminListener: AdminListener?
    private let isDevelopment: Bool
    private let meters: Meters
    let now: Now
    private let random: RandomBytes
    private let logger: Logger

    /// - Parameters:
    ///   - origin: where Onward's own pages live, from configuration only (L1).
    ///   - limits: nil for no limits.
    ///   - turns: the turns of work that hashes passwords.
    ///   - largeBodies: the thread on which large bodies of admins are read.
    ///   - credentials: verifies the credentials of identity providers.
    ///   - textMessages: sends text messages.
    ///   - feedback: receives the reports of mail providers; by default all are refused.
    ///   - countVisit: counts a visit of a short link.
    ///   - ready: throws if the store cannot be written; `/readyz` reports it.
    ///   - remarks: lines of `/readyz` about what an operator should look at, such as a dependency
    ///     that is down and that only some projects use.
    public init(
        mode: Mode, origin: WebURL, projects: CurrentProjects, accounts: Accounts, actions: EmailActions, views: Views, brands: Brands,
        credentials: any CredentialVerifier, textMessages: any TextMessageSender, secrets: Secrets, limits: Limits? = nil,
        turns: TurnQueue = TurnQueue(width: 2, maxWaiting: 100),
        largeBodies: WorkerPool = WorkerPool(label: "onward.bodies", width: 1, maxWaiting: .max), meters: Meters = .none,
        feedback: @escaping ReceiveFeedback = { _ throws(ActionError) in .unauthentic },
        countVisit: @escaping @Sendable (ShortLinkVisit) -> Void = { _ in },
        ready: @escaping @Sendable () async throws(ActionError) -> Void, remarks: @escaping @Sendable () -> [String] = { [] },
        logger: Logger
    ) {
        let (production, development) = (mode.production, mode.development)
        let now = accounts.now
        let isDevelopment = development != nil
        let limited = LimitedActions(actions: actions, limiter: RateLimiter(limits: limits), turns: turns, meters: meters.codes)
        let renderer = PageRenderer(views: views, brands: brands, now: now, logger: logger)
        let admins = AdminAuthentication(isDevelopment: isDevelopment, adminOfKey: production?.admin)
        let hosts = Hosts(origin: origin, projects: projects.value, development: development?.hosts)

        let crossOrigin = CrossOrigin(
            isDevelopment: isDevelopment, trustsEveryOrigin: development?.trustsEveryOrigin ?? false, projects: projects)

        let sameOrigin = SameOrigin(origin: origin, acceptsEveryHost: isDevelopment)
        actionPages = ActionPages(
            projects: projects, actions: limited, renderer: renderer,
            formTokens: FormTokens(secrets: secrets, now: now, random: accounts.random), receipts: Receipts(secrets: secrets, now: now),
            sameOrigin: sameOrigin, logger: logger)
        identityToolkit = IdentityToolkit(
            isDevelopment: isDevelopment, origin: origin, projects: projects, accounts: accounts, actions: limited,
            credentials: credentials, textMessages: textMessages, views: views, admins: admins,
            audit: production?.audit, inbox: development?.inbox, crossOrigin: crossOrigin,
            logger: logger, largeBodies: largeBodies)
        linkDomainPages = LinkDomainPages(
            hosts: hosts, projects: projects, files: AssociationFileTable(projects.value), shortLinks: actions.shortLinks,
            countVisit: countVisit, meters: meters.codes, renderer: renderer, logger: logger)
        devPages = development.map {
            DevPages(
                development: $0, origin: origin, outbox: actions.outbox, projects: projects, accounts: accounts, actions: actions,
                views: views, brand: brands.standard, renderer: renderer, crossOrigin: crossOrigin, sameOrigin: sameOrigin,
                script: PublicFile(views.devScript, fresh: .atMost(.seconds(1))))
        }
        operations = Operations(
            readiness: Readiness(now: now, ping: ready), remarks: remarks, exposition: meters.exposition, admins: admins, brands: brands,
            isDevelopment: isDevelopment, now: now, logger: logger)
        feedbackEndpoint = FeedbackEndpoint(receive: feedback, now: now, logger: logger)
        adminListener = production.map { AdminListener(hosts: $0.adminHosts) }
        (self.hosts, self.isDevelopment, self.meters) = (hosts, isDevelopment, meters)
        (self.now, random, self.logger) = (now, accounts.random, logger)
    }

    /// Responds to a request. Never throws: errors are responses as well.
    ///
    /// - Parameter listener: the role of the listener that the request came through.
    public func respond(
        to head: HTTPRequest, _ body: [UInt8], from peer: String, through listener: ListenerRole
    ) async -> (HTTPResponse, [UInt8]) {
        let request = Request(head: head, body: body, peer: peer, id: newRequestID(), listener: listener)
        let started = ContinuousClock.now
        let match = self.match(request)
        let response =
            switch listener {
            case _ where request.hasCodedBody: ErrorReport(.encodedBody, at: now()).json
            case .front: await respond(to: request, match)
            case .admin: await respondToAdmin(request, match)
            }
        return finish(response, to: request, match, since: started)
    }

    /// The routes of the request's path, on its host.
    func match(_ request: Request) -> RouteTable.Match? {
        RouteTable.match(request.path, onLinkDomain: linkDomainPages.domain(request) != nil)
    }

    func newRequestID() -> String { Base64URL.encode(random(9)) }

    /// Counts and logs a response.
    func finish(
        _ response: Response, to request: Request, _ match: RouteTable.Match?, since started: ContinuousClock.Instant
    ) -> (HTTPResponse, [UInt8]) {
        let span = ContinuousClock.now - started
        meters.count(response.status, of: match?.route(for: request.head.method)?.label ?? .unknown, after: span)
        let label = match?.routes.first?.label
        if label != .inboxVersion {
            log(response, to: request, path: label == .shortLink ? "(short link)" : request.loggablePath, after: span)
        }
        return (HTTPResponse(status: response.status, headerFields: response.headers), response.body)
    }

    /// Looks for a path by scope: first what any host name may ask for, then by the host (L2).
    private func respond(to request: Request, _ match: RouteTable.Match?) async -> Response {
        if let response = await page(match, .anyHost, request) { return response }
        let authority = (request.head.authority ?? "").lowercased()
        let (isLinkDomain, isOrigin) = (hosts.linkDomain(authority) != nil, hosts.isOwn(authority))
        guard isLinkDomain || isOrigin else { return misdirected(request) }
        if let response = await page(match, .everyOwnHost, request) { return response }
        if isLinkDomain, let response = await page(match, .linkDomains, request) { return response }
        if isOrigin {
            if let response = await page(match, .origin, request) { return response }
            if let response = await identityToolkit.respond(to: request, match) { return response }
        }
        return actionPages.renderer.error(.notFound, PageContext(request))
    }

    /// The response to a request for a host that is not served here, in JSON to callers of the API.
    func misdirected(_ request: Request) -> Response {
        guard !APIPath.isReserved(request.path, inDevelopment: isDevelopment) else { return ErrorReport(.misdirected, at: now()).json }
        return isDevelopment ? .misdirectedInDevelopment : .misdirected
    }

    /// The admin listener serves the API and the metrics.
    func respondToAdmin(_ request: Request, _ match: RouteTable.Match?) async -> Response {
        guard let adminListener else { return .misdirected }
        if let refusal = adminListener.refusal(of: request, at: now()) { return refusal }
        if request.path == Operations.metricsPath { return await operations.metrics(request) }
        return await identityToolkit.call(request, match)
    }

    /// The response of the page of a scope; nil if the scope has none at this path.
    private func page(_ match: RouteTable.Match?, _ scope: Route.Scope, _ request: Request) async -> Response? {
        let route: Route?
        do throws(RefusedHead) { route = try pageRoute(match, scope, request) } catch { return error.response }
        guard case .page(let handler)? = route?.handler else { return nil }
        return await handler(self, request)
    }

    /// The route of the page of a scope; nil if the scope has none at this path. Throws if it takes
    /// neither this method nor a body of this length.
    func pageRoute(_ match: RouteTable.Match?, _ scope: Route.Scope, _ request: Request) throws(RefusedHead) -> Route? {
        guard let match else { return nil }
        var isThere = false
        for route in match.routes where route.scope == scope && !route.isAPI && (isDevelopment || !route.isDevelopmentOnly) {
            if route.methods.contains(request.head.method) {
                guard request.bodyLength <= route.maxBodyBytes else {
                    throw RefusedHead(response: actionPages.renderer.error(.bodyTooLarge, PageContext(request)))
                }
                return route
            }
            isThere = true
        }
        guard isThere else { return nil }
        let allowed = match.routes.filter { $0.scope == scope }.flatMap(\.methods.allowed).joined(separator: ", ")
        throw RefusedHead(response: actionPages.renderer.error(.methodNotAllowed(allowed: allowed), PageContext(request)))
    }

    /// Logs one line for each request, without its query and without e-mail addresses (O1).
    private func log(_ response: Response, to request: Request, path: @autoclosure () -> String, after span: Duration) {
        logger.info(
            "request answered",
            metadata: [
                "method": "\(request.head.method.rawValue)",
                "status": .stringConvertible(response.status.code),
                "bytes": .stringConvertible(request.head.method == .head ? 0 : response.body.count),
                "ms": .stringConvertible(span.milliseconds), "peer": "\(request.peer)", "request": "\(request.id)",
            ].with(client: ["path": path()]))
    }
}

extension Route.Methods {
    /// For the `Allow` header.
    fileprivate var allowed: [String] {
        switch self {
        case .read: ["GET", "HEAD"]
        case .only(let method): [method.rawValue]
        case .any: []
        }
    }
}

extension Request {
    /// The path if it looks like one of ours. Other paths may contain anything, and a mangled link
    /// its code (O1).
    fileprivate var loggablePath: String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            // Digits and the colon are neighbours, as are `-`, `.` and `/`.
            case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-")...UInt8(ascii: "/"), UInt8(ascii: "_"): true
            default: false
            }
        }
        let segments = path.split(separator: "/")
        return isPlain && segments.count <= 8 && segments.allSatisfy { $0.utf8.count <= 40 } ? path : "(other)"
    }
}
