import Accounts
import AppLinks
import EmailActions
import Foundation
import HTTPServer
import HTTPTypes
import Logging
import Queues
import SQLite
import Store
import Views
import Web
import WebURL

/// The whole of Onward, put together from its configuration. Nothing listens yet.
struct Installation: Sendable {
    enum Mode: Sendable {
        case production
        /// Only here may tokens be unsigned (T1).
        case development(sample: Project, tokens: TokenStyle)
    }

    /// How `onward dev` makes ID tokens.
    enum TokenStyle: String, Sendable, CaseIterable { case unsigned, signed }

    let accounts: Accounts
    let actions: EmailActions
    let store: Store
    private let connection: SQLiteConnection
    private let server: HTTPServer
    private let adminServer: HTTPServer
    private let redirectServer: HTTPServer
    private let certificates: Certificates?
    /// How many of the addresses of `server` speak TLS: the last ones.
    private let securedCount: Int
    private let upkeep: Upkeep
    private let settings: SettingsWatch

    /// Throws what an operator can read: resources that are missing or wrong, a database that cannot be used.
    init(_ configuration: Configuration, mode: Mode, logger: Logger) async throws {
        let (now, random, secrets) = (System.now, System.random, try configuration.lookedUpSecrets)
        let furnishing = try Furnishing(configuration, mode: mode)

        let registry = Registry()
        let (commits, codes) = (StoreMeters(registry), CodeMeters(registry))
        connection = try SQLiteConnection(path: configuration.database) { commits.count($0) }
        let store = try await Store.open(connection)
        let projects = CurrentProjects(
            furnishing.projects, store: store, speaks: { [views = furnishing.views] in views.language(matching: $0) != nil }, now: now)
        settings = SettingsWatch(projects: projects, logger: logger)
        try await settings.look()
        let crew = Crew(label: "onward.passwords", width: System.cores, maxWaiting: 32 * System.cores)
        let passwords = Passwords(crew: crew, cost: mode.passwordCost, secrets: secrets, random: random)
        let signingKeys = mode.signsTokens ? SigningKeys(store: store, secrets: secrets, crew: crew, now: now, random: random) : nil
        _ = try await signingKeys?.ring()
        let names = configuration.tokenNames(for: furnishing.projects)
        let tokens = signingKeys.map { IDTokens(signedWith: $0, names: names, now: now) } ?? .unsigned(names: names, now: now)
        let words = Words(views: furnishing.views, brands: furnishing.brands, now: now)
        let outbox = Outbox(compose: { words.compose($0, in: $1) }, secrets: secrets, now: now, random: random)
        let issued = IssuedCodes()
        let isDevelopment = mode.isDevelopment

        accounts = Accounts(store: store, passwords: passwords, tokens: tokens, secrets: secrets, now: now, random: random)
        actions = EmailActions(
            store: store, passwords: passwords, outbox: outbox, secrets: secrets, linkKey: { projects.value.linkKey(of: $0) }, now: now,
            random: random,
            observe: { code in
                codes.issue(code.action)
                if isDevelopment { issued.add(code) }
            })
        self.store = store
        upkeep = Upkeep(
            store: store, keys: signingKeys, auditRetention: configuration.auditRetention, now: now, logger: logger)

        let keys = AdminKeys(store: store, secrets: secrets, now: now, random: random)
        let siteMode: Site.Mode =
            switch mode {
            case .production:
                .production(
                    .init(
                        audit: Audit(store: store, logger: logger),
                        adminHosts: Set(configuration.adminListen.map(\.hostInURLs) + ["localhost"])
                    ) { bearer throws(ActionError) in try await keys.admin(of: bearer) })
            case .development(let sample, _):
                .development(
                    .init(
                        inbox: StoreInbox(store: store, issued: issued, secrets: secrets, now: now), sampleAccounts: SampleAccounts.all,
                        project: sample.id, apiKey: projects.value.linkKey(of: sample)))
            }
        certificates = configuration.tls.isEmpty ? nil : try Certificates(configuration.tls, now: now, logger: logger)
        let readings = Readings(
            registry: registry, store: store, connection: connection, passwords: crew, certificates: certificates, now: now)
        let limits = configuration.abuseLimits.isEmpty ? nil : Limits(configuration.abuseLimits, secrets: secrets, now: now)
        let site = Site(
            mode: siteMode, origin: configuration.publicOrigin, projects: projects, accounts: accounts, actions: actions,
            views: furnishing.views, brands: furnishing.brands, secrets: secrets, limits: limits,
            meters: Meters(registry, codes: codes) { await readings.exposition() },
            ready: { () throws(ActionError) in try await store.ping() }, logger: logger)
        let proxies = configuration.trustedProxies
        var secured: HTTPServer.Secured?
        if let tls = await certificates?.context {
            secured = .init(addresses: configuration.listenTLS, tls: tls)
            for host in configuration.hosts where !tls.covers(host) {
                logger.warning("no certificate is for a host of ours", metadata: ["host": "\(host)"])
            }
        }
        securedCount = configuration.listenTLS.count
        server = HTTPServer(
            addresses: configuration.listen, secured: secured, options: configuration.server, logger: logger, metrics: registry
        ) {
            request, body, peer in
            await site.answer(
                request, body, proxies.client(behind: peer, forwardedFor: request.headerFields[.xForwardedFor]), through: .front)
        }
        var inTheClear = configuration.server
        inTheClear.strictTransport = nil
        let redirection = Redirection(configuration)
        redirectServer = HTTPServer(addresses: configuration.redirectFrom, options: inTheClear, logger: logger, metrics: registry) {
            request, _, _ in
            redirection.answer(request)
        }
        // No proxy stands in front of this one, so that nobody can say to be another.
        adminServer = HTTPServer(addresses: configuration.adminListen, options: inTheClear, logger: logger, metrics: registry) {
            await site.answer($0, $1, $2, through: .admin)
        }
    }

    /// Where an installation listens, with the ports that the system chose.
    struct Doors {
        let plain, tls, redirecting, admin: [ListenAddress]
    }

    /// Answers until the latch opens, then finishes what is running and closes the store (Z1).
    func run(until stop: Latch, opened: (Doors) -> Void) async throws {
        // The public one last: it is not open for a moment when another cannot be.
        let servers = [adminServer, redirectServer, server]
        var bound: [[ListenAddress]] = []
        do { for server in servers { bound.append(try await server.start()) } } catch {
            for server in servers { await server.stop() }
            throw error
        }
        let plain = bound[2].count - securedCount
        opened(Doors(plain: Array(bound[2].prefix(plain)), tls: Array(bound[2].dropFirst(plain)), redirecting: bound[1], admin: bound[0]))
        var tasks = [Task { [upkeep] in await upkeep.run() }, Task { [settings] in await settings.run() }]
        if let certificates {
            tasks.append(Task { [server] in await certificates.run(for: server) })
            tasks.append(
                Task { [server] in
                    let hangups = HangupSignals()
                    for await _ in hangups.stream { await certificates.look(for: server, isAsked: true) }
                    hangups.cancel()
                })
        }
        await stop.wait()
        for task in tasks { task.cancel() }
        await withTaskGroup { group in
            for server in servers { group.addTask { await server.stop() } }
        }
        try await connection.close()
    }
}

extension Installation.Mode {
    fileprivate var isDevelopment: Bool {
        switch self {
        case .production: false
        case .development: true
        }
    }

    fileprivate var signsTokens: Bool {
        switch self {
        case .production: true
        case .development(_, let tokens): tokens == .signed
        }
    }

    fileprivate var passwordCost: Passwords.Cost { isDevelopment ? .cheap : .owasp }
}

extension ListenAddress {
    /// The host as it stands in URLs and in `Host`.
    fileprivate var hostInURLs: String { host.contains(":") ? "[\(host.lowercased())]" : host }
}

extension Configuration {
    /// Those that links lead to, by https.
    fileprivate var hosts: [String] {
        ([publicOrigin] + projects.flatMap(\.linkDomains).map(\.linksURL)).filter { $0.scheme == "https" }.compactMap {
            $0.host?.serialized
        }
    }
}

extension HTTPField.Name {
    fileprivate static let xForwardedFor = Self("X-Forwarded-For")!
}
