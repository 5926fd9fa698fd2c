public import Accounts
internal import AppLinks
public import Base
internal import HTTPTypes
public import Logging
public import Network
public import Views

/// Everything that Onward serves: values with their own dependencies, behind one router. Knows
/// nothing about sockets.
public final class Site: Sendable {
    let actionPages: ActionPages
    let identityToolkit: IdentityToolkit
    let providerHandler: ProviderHandler
    let passedPages: PassedPages
    let clientModule: PublicFile
    /// Nil if it is off.
    let console: Console?
    let linkDomainPages: LinkDomainPages
    /// Nil in production.
    let devPages: DevPages?
    let operations: Operations
    let wellKnown: WellKnownAddresses
    let feedbackEndpoint: FeedbackEndpoint

    let hosts: Hosts
    /// Nil in development, which has no such listener.
    let adminListener: AdminListener?
    let isDevelopment: Bool
    private let meters: Meters
    let now: Now
    let random: RandomBytes
    private let logger: Logger

    /// - Parameters:
    ///   - origin: where Onward's own pages live, from configuration only (L1).
    ///   - largeBodies: the thread on which large bodies of admins are read.
    ///   - credentials: verifies the credentials of identity providers.
    ///   - helperPages: fetches Firebase's pages for its SDK in browsers.
    ///   - textMessages: sends text messages.
    ///   - wellKnown: the operator's addresses, for programs.
    ///   - feedback: receives the reports of mail providers; by default all are refused.
    ///   - countVisit: counts a visit of a short link.
    ///   - ready: throws if the store cannot be written; `/readyz` reports it.
    ///   - remarks: lines of `/readyz` about what an operator should look at, such as a dependency
    ///     that is down and that only some projects use.
    ///   - state: the state of the server, for overviews.
    public init(
        mode: Mode, origin: WebURL, projects: CurrentProjects, accounts: Accounts, views: Views, brands: Brands,
        credentials: any CredentialVerifier, helperPages: any HelperPages, textMessages: any TextMessageSender, secrets: Secrets,
        wellKnown: WellKnownAddresses = WellKnownAddresses(),
        largeBodies: WorkerPool = WorkerPool(label: "onward.bodies", width: 1, maxWaiting: .max), meters: Meters = .none,
        feedback: @escaping ReceiveFeedback = { _ throws(ActionError) in .unauthentic },
        countVisit: @escaping @Sendable (ShortLinkVisit) -> Void = { _ in },
        ready: @escaping @Sendable () async throws(ActionError) -> Void, remarks: @escaping @Sendable () -> [String] = { [] },
        state: @escaping ServerState.Read = ServerState.none,
        logger: Logger
    ) {
        let (production, development) = (mode.production, mode.development)
        let now = accounts.now
        let isDevelopment = development != nil
        let renderer = PageRenderer(views: views, brands: brands, now: now, logger: logger)
        let admins = AdminAuthentication(isDevelopment: isDevelopment, adminOfKey: production?.admin)
        let hosts = Hosts(origin: origin, projects: projects.value, development: development?.hosts)

        let crossOrigin = CrossOrigin(
            isDevelopment: isDevelopment, trustsEveryOrigin: development?.trustsEveryOrigin ?? false, projects: projects)

        let sameOrigin = SameOrigin(origin: origin, acceptsEveryHost: isDevelopment)
        actionPages = ActionPages(
            projects: projects, accounts: accounts, meters: meters.codes, renderer: renderer,
            formTokens: FormTokens(secrets: secrets, now: now, random: accounts.random), receipts: Receipts(secrets: secrets, now: now),
            sameOrigin: sameOrigin, logger: logger)
        let departure = ProviderDeparture(isDevelopment: isDevelopment, origin: origin, accounts: accounts, credentials: credentials)
        identityToolkit = IdentityToolkit(
            isDevelopment: isDevelopment, origin: origin, projects: projects, accounts: accounts,
            credentials: credentials, departure: departure, textMessages: textMessages, views: views, admins: admins,
            audit: production?.audit, inbox: development?.inbox, crossOrigin: crossOrigin,
            watch: AccountWatch(accounts: accounts, crossOrigin: crossOrigin), serverState: state, logger: logger, largeBodies: largeBodies)
        clientModule = ClientModule.file(views.clientModule)
        let place = if let production { production.console } else { Optional(ConsolePlace.origin) }
        console = place.map { Console(views.console, at: $0, isDevelopment: isDevelopment) }
        passedPages = PassedPages(projects: projects, pages: helperPages, renderer: renderer)
        providerHandler = ProviderHandler(
            origin: origin, projects: projects, accounts: accounts, departure: departure, renderer: renderer, logger: logger)
        linkDomainPages = LinkDomainPages(
            hosts: hosts, projects: projects, files: AssociationFileTable(projects.value), shortLinks: accounts.shortLinks,
            countVisit: countVisit, meters: meters.codes, renderer: renderer, logger: logger)
        devPages = development.map {
            DevPages(
                development: $0, origin: origin, outbox: accounts.outbox, projects: projects, accounts: accounts,
                views: views, brand: brands.standard, renderer: renderer, crossOrigin: crossOrigin, sameOrigin: sameOrigin,
                script: PublicFile(views.devScript, fresh: .atMost(.seconds(1))))
        }
        operations = Operations(
            readiness: Readiness(now: now, ping: ready), remarks: remarks, exposition: meters.exposition, admins: admins, brands: brands,
            isDevelopment: isDevelopment, now: now, logger: logger)
        feedbackEndpoint = FeedbackEndpoint(receive: feedback, now: now, logger: logger)
        adminListener = production.map { AdminListener(hosts: $0.adminHosts) }
        (self.hosts, self.isDevelopment, self.meters, self.wellKnown) = (hosts, isDevelopment, meters, wellKnown)
        (self.now, random, self.logger) = (now, accounts.random, logger)
    }

    /// Counts and logs a response.
    func finish(
        _ response: Response, to request: Request, _ match: RouteTable.Match?, after span: Duration
    ) -> (HTTPResponse, [UInt8]) {
        meters.count(response.status, of: match?.route(for: request.head.method)?.label ?? .unknown, after: span)
        let label = match?.routes.first?.label
        if label != .inboxVersion {
            log(response, to: request, path: label == .shortLink ? "(short link)" : request.loggablePath, after: span)
        }
        return (HTTPResponse(status: response.status, headerFields: response.headers), response.body)
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
