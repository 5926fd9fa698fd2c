import Accounts
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
    private let upkeep: Upkeep
    private let settings: SettingsWatch

    /// Throws what an operator can read: resources that are missing or wrong, a database that cannot be used.
    init(_ configuration: Configuration, mode: Mode, logger: Logger) async throws {
        let (now, random, secrets) = (System.now, System.random, try configuration.lookedUpSecrets)
        let furnishing = try Furnishing(configuration, mode: mode)

        connection = try SQLiteConnection(path: configuration.database)
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
            random: random, observe: { code in if isDevelopment { issued.add(code) } })
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
        let limits = configuration.abuseLimits.isEmpty ? nil : Limits(configuration.abuseLimits, secrets: secrets, now: now)
        let site = Site(
            mode: siteMode, origin: configuration.publicOrigin, projects: projects, accounts: accounts, actions: actions,
            views: furnishing.views, brands: furnishing.brands, secrets: secrets, limits: limits,
            ready: { () throws(ActionError) in try await store.ping() }, logger: logger)
        let proxies = configuration.trustedProxies
        server = HTTPServer(addresses: configuration.listen, options: configuration.server, logger: logger) { request, body, peer in
            await site.answer(
                request, body, proxies.client(behind: peer, forwardedFor: request.headerFields[.xForwardedFor]), through: .front)
        }
        // No proxy stands in front of this one, so that nobody can say to be another.
        adminServer = HTTPServer(addresses: configuration.adminListen, options: configuration.server, logger: logger) {
            await site.answer($0, $1, $2, through: .admin)
        }
    }

    /// Answers until the latch opens, then finishes what is running and closes the store (Z1).
    /// - Parameter opened: told the addresses that are listened on, by everyone and by admins.
    func run(until stop: Latch, opened: (_ addresses: [ListenAddress], _ ofAdmins: [ListenAddress]) -> Void) async throws {
        // The public one last: it is not open for a moment when the other cannot be.
        let ofAdmins = try await adminServer.start()
        do { opened(try await server.start(), ofAdmins) } catch {
            await adminServer.stop()
            throw error
        }
        let tasks = [Task { [upkeep] in await upkeep.run() }, Task { [settings] in await settings.run() }]
        await stop.wait()
        for task in tasks { task.cancel() }
        async let adminsEnd: Void = adminServer.stop()
        await server.stop()
        await adminsEnd
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

extension HTTPField.Name {
    fileprivate static let xForwardedFor = Self("X-Forwarded-For")!
}
