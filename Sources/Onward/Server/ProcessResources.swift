import Accounts
import Dispatch
import Foundation
import Logging
import Queues
import SQLite
import Store
import Upstream
import Web

/// What lasts as long as the process, whatever its configuration says next: the database, the keys, the crews.
struct ProcessResources: Sendable {
    let mode: Installation.Mode
    let logger: Logger
    let sockets: HandedSockets
    let secrets: Secrets
    let connection: SQLiteDatabase
    let store: Store
    let passwords: Passwords
    /// Nil without TLS.
    let certificates: Certificates?
    let registry = Registry()
    let meters: Meters
    /// Nil where nothing is signed.
    let signingKeys: SigningKeys?
    let upstreams: Upstreams
    let issued = IssuedCodes()
    /// Where the files of a reload are read, which takes long.
    let reader = WorkerPool(label: "onward.reload", width: 1, maxWaiting: 1)
    let now = System.now
    let random = System.random

    init(_ configuration: Configuration, mode: Installation.Mode, sockets: HandedSockets, logger: Logger) async throws {
        (self.mode, self.sockets, self.logger) = (mode, sockets, logger)
        try sockets.check(with: configuration)
        upstreams = Upstreams(now: now, logger: logger)
        secrets = try configuration.lookedUpSecrets
        let commits = StoreMeters(registry)
        connection = try SQLiteDatabase(path: configuration.database) {
            commits.count($0)
        } onLost: {
            Self.end(logger)
        }
        store = try await Store.open(connection)
        let workerPool = WorkerPool(label: "onward.passwords", width: System.cores, maxWaiting: 32 * System.cores)
        passwords = Passwords(workerPool: workerPool, cost: mode.passwordCost, secrets: secrets, random: random)
        signingKeys = mode.signsTokens ? SigningKeys(store: store, secrets: secrets, workerPool: workerPool, now: now, random: random) : nil
        _ = try await signingKeys?.ring()
        certificates = configuration.tls.isEmpty ? nil : try Certificates(configuration.tls, now: now, logger: logger)
        let readings = Readings(
            registry: registry, store: store, connection: connection, passwords: workerPool, certificates: certificates, now: now)
        meters = Meters(registry, codes: CodeMeters(registry)) { await readings.exposition() }
    }

    /// Ends the process, as what it would read of the database may be old: nothing is waited for but the log, and not for long. systemd
    /// starts another.
    private static func end(_ logger: Logger) {
        logger.critical("the disk failed to keep what the database wrote: this process ends, the next one finds it in the database's log")
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { _exit(EX_IOERR) }
    }
}

extension Installation.Mode {
    var isDevelopment: Bool {
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
