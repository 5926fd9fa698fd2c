public import Accounts
import Base
public import Configuration
import Foundation
public import HTTPServer
import HTTPTypes
public import Logging
import Mail
public import Network
public import Store

/// A complete Onward server, built from its configuration. It does not listen before `run`.
public struct Installation: Sendable {
    public enum RunMode: Sendable {
        case production
        /// The only mode in which tokens may be unsigned (T1).
        case development(DevelopmentOptions)
    }

    /// How `onward dev` creates ID tokens.
    public enum TokenStyle: String, Sendable, CaseIterable { case unsigned, signed }

    public let resources: ProcessResources
    let site: Locked<ConfiguredSite>
    public let server: HTTPServer
    private let adminServer, consoleServer: HTTPServer
    private let redirectServer: HTTPServer
    /// The number of addresses of `server` with TLS, which are its last ones.
    private let securedCount: Int

    /// The accounts of the configuration in force.
    public var accounts: Accounts { site.value.accounts }
    public var store: Store { resources.store }

    /// Forgets the codes that the emulator's list has.
    public func forgetIssuedCodes() async { await resources.issued.forget() }

    /// Builds the server; throws an error for the operator if resources are missing or invalid, or
    /// if the database cannot be used.
    /// - Parameter sockets: the inherited sockets, which replace configured addresses.
    public init(_ configuration: Configuration, mode: RunMode, sockets: InheritedSockets = .none, logger: Logger) async throws {
        func addresses(_ role: InheritedSockets.Role) -> [ListenAddress] { sockets.addresses(role, in: configuration) }
        let loaded = try LoadedResources(configuration, mode: mode)
        resources = try await ProcessResources(configuration, mode: mode, sockets: sockets, logger: logger)
        let site = Locked(try await ConfiguredSite(configuration, loaded, on: resources))
        self.site = site
        resources.tellEvents(of: configuration)
        let secured = (await resources.certificates?.context).map { HTTPServer.Secured(addresses: addresses(.https), tls: $0) }
        securedCount = addresses(.https).count
        // These closures have no capture lists: Swift 6.3 runs a closure with one on its global
        // pool instead of the calling event loop, which costs two hops per request.
        server = HTTPServer(
            addresses: addresses(.http), secured: secured, options: configuration.server, logger: logger, metrics: resources.registry,
            budget: resources.buffers
        ) {
            await site.value.accept($0, $1, $2)
        }
        var plainOptions = configuration.server
        plainOptions.strictTransport = nil
        redirectServer = HTTPServer(
            addresses: addresses(.redirect), options: plainOptions, logger: logger, metrics: resources.registry, budget: resources.buffers
        ) { request, _, _ in
            let (response, body) = site.value.redirect(request)
            return .response(response, body)
        }
        adminServer = HTTPServer(
            addresses: addresses(.admin), options: plainOptions, logger: logger, metrics: resources.registry, budget: resources.buffers
        ) {
            await site.value.acceptAtAdminListener($0, $1, $2)
        }
        consoleServer = HTTPServer(
            addresses: addresses(.console), options: plainOptions, logger: logger, metrics: resources.registry, budget: resources.buffers
        ) {
            await site.value.acceptAtConsoleListener($0, $1, $2)
        }
        warnOfOmissions(in: loaded)
    }

    /// The descriptors that are needed besides connections: files, databases, relays.
    private static let ownDescriptors = 64

    /// The addresses that an installation listens on, with the ports that the system chose.
    public struct BoundAddresses {
        public let plain, tls, redirecting, admin, console: [ListenAddress]
    }

    /// Serves until the latch opens, then finishes running requests and closes the store (Z1).
    /// - Parameters:
    ///   - reloads: the requests to reload; nil: the configuration is never reloaded.
    ///   - systemd: is notified of start, reload and stop.
    ///   - opened: called when all addresses are bound.
    public func run(
        until stop: Latch, reloads: ConfigurationReloads? = nil, systemd: SystemdNotifier? = nil, opened: (BoundAddresses) -> Void
    ) async throws {
        // The public server starts last, so that it accepts nothing if another cannot start.
        let servers = [adminServer, redirectServer, consoleServer, server]
        let configuration = site.value.configuration
        let addresses =
            configuration.listen + configuration.listenTLS + configuration.redirectFrom + configuration.adminListen
            + configuration.consoleListen
        let claims = try PortClaims(addresses, database: configuration.database)
        defer { claims.release() }
        if !claims.sharing.isEmpty {
            resources.logger.notice(
                "connections are shared with another process of this database, until it stops",
                metadata: ["processes": .array(claims.sharing.sorted().map { "\($0)" })])
        }
        let (descriptors, needed) = (System.descriptorLimit, configuration.server.maxConnections + Self.ownDescriptors)
        if descriptors < needed, !resources.mode.isDevelopment {
            resources.logger.warning(
                "descriptor limit below limits.maxConnections, connections beyond it will wait; raise LimitNOFILE",
                metadata: ["limit": "\(descriptors)", "needed": "\(needed)"])
        }
        var bound: [[ListenAddress]] = []
        do { for server in servers { bound.append(try await server.start()) } } catch {
            for server in servers { await server.stop() }
            throw error
        }
        let plain = bound[3].count - securedCount
        opened(
            BoundAddresses(
                plain: Array(bound[3].prefix(plain)), tls: Array(bound[3].dropFirst(plain)), redirecting: bound[1], admin: bound[0],
                console: bound[2]))
        let jobs = [clockWatch.job, mailQueueBound.job, upstreams.job] + maintenance.jobs
        var tasks = jobs.map { job in Task { await job.run() } }
        tasks.append(Task { await adminSettings.run() })
        let telling = Task { [events] in await events.run() }
        let counting = Task { await shortLinkCounts.job.run() }
        if let certificates = resources.certificates { tasks.append(Task { [server] in await certificates.run(for: server) }) }
        let delivery = Task { [deliverer] in await deliverer.run() }
        if let reloads { tasks.append(Task { await run(reloads, notifying: systemd) }) }
        let signUps = SignUpWatch(logger: resources.logger) { [resources] in await resources.passAsSignUp() }
        let watchdog = Task {
            await systemd?.watchdog {
                for server in servers { await server.ping() }
                await signUps.check()
            }
        }
        if systemd?.notify("READY=1") == false { resources.logger.warning("sd_notify failed") }
        await stop.wait()
        systemd?.notify("STOPPING=1")
        for task in tasks + [counting, telling] { task.cancel() }
        delivery.cancel()
        await withTaskGroup { group in
            for server in servers { group.addTask { await server.stop() } }
        }
        watchdog.cancel()
        await Self.wait(for: delivery, atMost: Self.deliveryGrace)
        await Self.wait(for: telling, atMost: Self.deliveryGrace)
        await clockWatch.finish()
        // It may have counts in its hands.
        await counting.value
        await shortLinkCounts.finish()
        try await resources.connection.close()
    }
}

extension Installation {
    /// How long mails and events that are being sent may take when the server stops. Others are
    /// sent again later.
    private static let deliveryGrace = Duration.seconds(5)

    private static func wait(for task: Task<Void, Never>, atMost limit: Duration) async {
        let ended = Latch()
        Task {
            await task.value
            ended.open()
        }
        Task {
            try? await Task.sleep(for: limit)
            ended.open()
        }
        await ended.wait()
    }

    private var maintenance: MaintenanceJobs {
        MaintenanceJobs(
            store: store, keys: resources.signingKeys, codeRetention: { [site] in site.value.configuration.codeRetention },
            auditRetention: { [site] in site.value.configuration.auditRetention },
            mailRetention: { [site] in site.value.configuration.mail?.keepFor ?? MailConfiguration.usualRetention },
            now: resources.clock.confirmed, logger: resources.logger)
    }

    private var mailQueueBound: MailQueueBound {
        MailQueueBound(
            store: store, maxWaiting: { [site] in site.value.configuration.mail?.maxWaiting ?? MailConfiguration.usualMaxWaiting },
            now: resources.clock.now, logger: resources.logger)
    }

    private var shortLinkCounts: ShortLinkCountStorage {
        ShortLinkCountStorage(counter: resources.shortLinkCounter, store: store, logger: resources.logger)
    }

    private var events: EventSender {
        EventSender(
            store: store, webhooks: EventWebhooks(now: System.now, logger: resources.logger),
            endpoints: { [site] in site.value.configuration.events }, meters: EventMeters(resources.registry), now: resources.clock.now,
            logger: resources.logger)
    }

    private var clockWatch: ClockWatch {
        ClockWatch(clock: resources.clock, store: store, databaseClock: resources.databaseClock, logger: resources.logger)
    }

    private var adminSettings: AdminSettingsWatch {
        AdminSettingsWatch(projects: { [site] in site.value.projects }, changes: store.changes, logger: resources.logger)
    }

    private var upstreams: UpstreamWatch {
        UpstreamWatch(projects: { [site] in site.value.projects }, upstreams: resources.upstreams, logger: resources.logger)
    }

    /// Logs what the configuration in force leaves out: the sending of mails, and own words and
    /// templates that have no effect; and the numbers that sign in without a text message.
    func warnOfOmissions(in loaded: LoadedResources) {
        if site.value.configuration.mail?.delivery == MailConfiguration.Delivery.none {
            resources.logger.warning(
                "mail delivery is off, mails wait for two days; sendOobCode with returnOobLink returns links to admins")
        }
        for project in site.value.configuration.projects {
            guard let count = project.textMessages?.testCodes.count, count > 0 else { continue }
            resources.logger.warning(
                "test phone numbers in use, their fixed codes sign in",
                metadata: ["project": "\(project.id)", "numbers": .stringConvertible(count)])
        }
        for remark in loaded.remarks {
            resources.logger.warning("own words or templates without effect", metadata: ["problem": "\(remark)"])
        }
    }
}
