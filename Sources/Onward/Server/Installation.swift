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

    let resources: ProcessResources
    let site: Locked<ConfiguredSite>
    let server: HTTPServer
    private let adminServer: HTTPServer
    private let redirectServer: HTTPServer
    /// How many of the addresses of `server` speak TLS: the last ones.
    private let securedCount: Int

    /// As the configuration that is in force has them.
    var accounts: Accounts { site.value.accounts }
    var actions: EmailActions { site.value.actions }
    var store: Store { resources.store }

    /// Throws what an operator can read: resources that are missing or wrong, a database that cannot be used.
    /// - Parameter sockets: what is listened on in place of addresses of the configuration.
    init(_ configuration: Configuration, mode: Mode, sockets: HandedSockets = .none, logger: Logger) async throws {
        func addresses(_ role: HandedSockets.Role) -> [ListenAddress] { sockets.addresses(role, in: configuration) }
        let loaded = try LoadedResources(configuration, mode: mode)
        resources = try await ProcessResources(configuration, mode: mode, sockets: sockets, logger: logger)
        let site = Locked(try await ConfiguredSite(configuration, loaded, on: resources))
        self.site = site
        let secured = (await resources.certificates?.context).map { HTTPServer.Secured(addresses: addresses(.https), tls: $0) }
        securedCount = addresses(.https).count
        // None of these has a list of captures: with one, Swift 6.3 takes a closure off the loop that calls it, two hops for each request.
        server = HTTPServer(
            addresses: addresses(.http), secured: secured, options: configuration.server, logger: logger, metrics: resources.registry
        ) {
            await site.value.answer($0, $1, $2)
        }
        var inTheClear = configuration.server
        inTheClear.strictTransport = nil
        redirectServer = HTTPServer(addresses: addresses(.redirect), options: inTheClear, logger: logger, metrics: resources.registry) {
            request, _, _ in site.value.redirect(request)
        }
        adminServer = HTTPServer(addresses: addresses(.admin), options: inTheClear, logger: logger, metrics: resources.registry) {
            await site.value.answerAdmin($0, $1, $2)
        }
        await warnOfUncovered()
    }

    /// Where an installation listens, with the ports that the system chose.
    struct BoundAddresses {
        let plain, tls, redirecting, admin: [ListenAddress]
    }

    /// Answers until the latch opens, then finishes what is running and closes the store (Z1).
    /// - Parameters:
    ///   - reloads: nil: the configuration stays as it is.
    ///   - supervisor: whom to tell how it goes.
    func run(until stop: Latch, reloads: Reloads? = nil, supervisor: Supervisor? = nil, opened: (BoundAddresses) -> Void) async throws {
        // The public one last: it is not open for a moment when another cannot be.
        let servers = [adminServer, redirectServer, server]
        var bound: [[ListenAddress]] = []
        do { for server in servers { bound.append(try await server.start()) } } catch {
            for server in servers { await server.stop() }
            throw error
        }
        let plain = bound[2].count - securedCount
        opened(
            BoundAddresses(
                plain: Array(bound[2].prefix(plain)), tls: Array(bound[2].dropFirst(plain)), redirecting: bound[1], admin: bound[0]))
        var tasks = [Task { await upkeep.run() }, Task { await settings.run() }, Task { await domains.run() }]
        if let certificates = resources.certificates { tasks.append(Task { [server] in await certificates.run(for: server) }) }
        if let reloads { tasks.append(Task { await run(reloads, telling: supervisor) }) }
        let watching = Task { await supervisor?.watch { for server in servers { await server.pulse() } } }
        if supervisor?.tell("READY=1") == false { resources.logger.warning("whoever wants to know that all is ready cannot be told") }
        await stop.wait()
        supervisor?.tell("STOPPING=1")
        for task in tasks { task.cancel() }
        await withTaskGroup { group in
            for server in servers { group.addTask { await server.stop() } }
        }
        watching.cancel()
        try await resources.connection.close()
    }
}

extension Installation {
    private var upkeep: Upkeep {
        Upkeep(
            store: store, keys: resources.signingKeys, auditRetention: { [site] in site.value.configuration.auditRetention },
            now: resources.now, logger: resources.logger)
    }

    private var settings: SettingsWatch {
        SettingsWatch(projects: { [site] in site.value.projects }, logger: resources.logger)
    }

    private var domains: UpstreamWatch {
        UpstreamWatch(projects: { [site] in site.value.projects }, upstreams: resources.upstreams, logger: resources.logger)
    }

    /// Says which hosts of the configuration no certificate is for.
    func warnOfUncovered() async {
        guard let tls = await resources.certificates?.context else { return }
        for host in site.value.configuration.hosts where !tls.covers(host) {
            resources.logger.warning("no certificate is for a host of ours", metadata: ["host": "\(host)"])
        }
    }
}

extension Configuration {
    /// Those that links lead to, by https.
    fileprivate var hosts: [String] {
        ([publicOrigin] + projects.flatMap(\.linkDomains).map(\.linksURL)).filter { $0.scheme == "https" }.compactMap {
            $0.host?.serialized
        }
    }
}
