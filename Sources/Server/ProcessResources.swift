import Accounts
import Base
import Configuration
import Dispatch
import Foundation
import HTTPServer
import Logging
import Mail
import Network
import Remote
import Store
import Web

/// The resources that a reload does not replace: the database, keys, worker pools and metrics.
public struct ProcessResources: Sendable {
    let mode: Installation.RunMode
    let logger: Logger
    let sockets: InheritedSockets
    let secrets: Secrets
    let connection: any OpenedDatabase
    let store: Store
    let passwords: Passwords
    let passwordWorkers: WorkerPool
    /// A hash takes about a sixth of a second, so no turn comes later than in ten seconds (V1).
    let passwordTurns = TurnQueue(width: System.cores, maxWaiting: 48)
    let largeBodies = WorkerPool(label: "onward.bodies", width: 1, maxWaiting: .max)
    /// The TLS certificates, nil without TLS.
    let certificates: CertificateWatch?
    let registry = MetricsRegistry()
    /// The bytes that all servers hold for their clients.
    let buffers: BufferBudget
    let meters: Meters
    /// The keys that sign ID tokens, nil if tokens are unsigned.
    let signingKeys: SigningKeys?
    let upstreams: Upstreams
    let helperPages: FirebaseHelpers
    /// Keeps the keys of identity providers over reloads.
    let credentials: ProviderVerifier
    let issued: IssuedCodes
    let sentTextMessages = SentTextMessages()
    /// Sends the text messages; in development keeps them.
    let textMessages: any TextMessageSender
    let mailMeters: MailMeters
    let mailWakes = MailWakes()
    let shortLinkCounter = ShortLinkCounter()
    let snsCertificates: SNSCertificates
    let untrustedForwarding: CountedWarning
    let misdirectedRequests: CountedWarning
    /// The thread on which a reload reads its files.
    let reloadWorker = WorkerPool(label: "onward.reload", width: 1, maxWaiting: 1)
    /// The clock of everything that is stored. Tokens, certificates and signatures for other
    /// machines have wall time, `System.now`.
    let clock: HighWaterClock
    /// The clock of the database, if it has its own.
    let databaseClock: DatabaseClock?
    let random = System.random
    let startedAt = System.now()

    init(_ configuration: Configuration, mode: Installation.RunMode, sockets: InheritedSockets, logger: Logger) async throws {
        (self.mode, self.sockets, self.logger) = (mode, sockets, logger)
        try sockets.check(with: configuration)
        issued = try mode.codesFile.map { try IssuedCodes(file: $0) } ?? IssuedCodes()
        let commits = StoreMeters(registry)
        connection = try await configuration.database.openForServer(logger: logger) {
            commits.count($0)
        } onSyncFailure: {
            Self.exitAfterFailedSync(logger)
        }
        store = try await Store.open(connection)
        connection.noteUse()
        secrets = try await store.recognize(try configuration.lookedUpSecrets, beginningChange: true)
        switch try await store.secretState(of: try configuration.lookedUpSecrets) {
        case .changing: logger.notice("secret is being changed, run onward secret reseal")
        case .previousUnneeded:
            logger.notice("previous secret not needed half an hour after it was resealed, then remove it from the configuration")
        case .settled, .changesAtNextStart, .other: break
        }
        databaseClock = try await DatabaseClock(of: store)
        clock = HighWaterClock(after: try await store.clockMark(), wall: databaseClock?.now ?? System.now)
        upstreams = Upstreams(logger: logger)
        helperPages = FirebaseHelpers(logger: logger)
        credentials = ProviderVerifier(
            clients: ProviderClients(logger: logger), secrets: secrets, now: System.now,
            acceptsUnsigned: mode.isDevelopment, logger: logger)
        textMessages = mode.isDevelopment ? sentTextMessages : TextMessageWebhooks(now: System.now, logger: logger)
        snsCertificates = SNSCertificates(logger: logger)
        passwordWorkers = WorkerPool(label: "onward.passwords", width: System.cores, maxWaiting: 32 * System.cores)
        passwords = Passwords(workerPool: passwordWorkers, cost: mode.passwordCost, secrets: secrets, random: random)
        signingKeys =
            mode.signsTokens
            ? SigningKeys(store: store, secrets: secrets, workerPool: passwordWorkers, now: clock.confirmed, random: random) : nil
        _ = try await signingKeys?.ring()
        certificates =
            configuration.tls.isEmpty
            ? nil : try CertificateWatch(configuration.tls, naming: configuration.linkHosts, now: System.now, logger: logger)
        buffers = BufferBudget(maxBytes: configuration.server.maxBufferedBytes)
        let gauges = Gauges(
            registry: registry, store: store, connection: connection, passwords: passwordTurns, certificates: certificates,
            buffers: buffers,
            clock: clock)
        mailMeters = MailMeters(registry)
        untrustedForwarding = .untrustedForwarding(registry, logger: logger)
        misdirectedRequests = .misdirectedRequests(registry, logger: logger)
        meters = Meters(registry, codes: CodeMeters(registry)) { await gauges.exposition() }
    }

    /// Writes events for the endpoints of the configuration in force from now on.
    func tellEvents(of configuration: Configuration) {
        let shown = mode.isDevelopment ? [StoreInbox.endpoint] : []
        store.tell(configuration.events.map(\.endpoint) + shown, now: clock.now, random: random)
    }

    /// Takes the way of a sign-up through the threads of password hashes and the store's writer,
    /// without a hash and without a change. An error ends the way as a success does.
    func passAsSignUp() async {
        _ = await passwordTurns.run(TurnQueue.Turn(subject: nil, source: nil)) { [passwordWorkers] in try? await passwordWorkers.run {} }
        try? await store.passWriter()
    }

    /// Ends the process after a failed fsync, since the page cache may no longer agree with the
    /// disk. Only the log is given a moment. systemd starts a new process, which recovers the
    /// database from the WAL.
    private static func exitAfterFailedSync(_ logger: Logger) {
        logger.critical("database fsync failed, exiting; the WAL is replayed at the next start")
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { _exit(EX_IOERR) }
    }
}

extension Installation.RunMode {
    var isDevelopment: Bool {
        switch self {
        case .production: false
        case .development: true
        }
    }

    fileprivate var signsTokens: Bool {
        switch self {
        case .production: true
        case .development(let options): options.tokens == .signed
        }
    }

    /// Keeps the id that the project of development gets.
    var keepAlias: @Sendable (ProjectID) -> Void {
        switch self {
        case .production: { _ in }
        case .development(let options): options.keepAlias
        }
    }

    fileprivate var codesFile: String? {
        switch self {
        case .production: nil
        case .development(let options): options.codesFile
        }
    }

    fileprivate var passwordCost: Passwords.Cost { isDevelopment ? .cheap : .owasp }
}
