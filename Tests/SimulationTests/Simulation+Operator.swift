import Accounts
import Base
import Foundation
import Logging
import SQLite
import Store
import World

@testable import Server

/// The operator, and the machine's clock.
extension Simulation {
    /// The secrets that are configured: during a change, with the previous one.
    var secrets: Secrets {
        func root(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }
        return Secrets(root: root(secretNumber), previous: isChangingSecret ? root(secretNumber - 1) : nil)
    }

    func operate() async throws {
        mustWork = nil
        switch generator.next(below: 8) {
        case 0:
            let minutes = generator.next(below: 3_000) - 1_500
            world.clock.jump(by: .seconds(60 * minutes))
            log.append("the clock jumps by \(minutes) min")
            if generator.next(below: 2) == 0 { try await acceptClock() }
        case 1:
            isExactAllowed = generator.next(below: 2) == 0
            world.project.authorizedDomains = try AuthorizedDomains(
                ["app.example", "localhost"] + (isExactAllowed ? ["=exact.example"] : []), schemes: ["com.example.shop"])
            log.append("reload, exact.example \(isExactAllowed ? "allowed" : "not allowed")")
        case 2: try await changeSecret()
        case 3:
            let file = "\(machine.path).backup-\(log.count)"
            try machine.backUp(to: file)
            backup = (possible, file)
            log.append("backup")
        case 4: try await restore()
        case 5: try await stop()
        case 6: await purge()
        default:
            world.clock.advance(by: .seconds(60 * (1 + generator.next(below: 90))))
            log.append("wait")
        }
        if machine.mustEnd { try await restart() }
        try await keepTime()
        try await check()
    }

    /// Accepts the clock of the machine, as `onward clock accept` does. The server may follow some
    /// steps later.
    private func acceptClock() async throws {
        log.append("accepted")
        try await world.store.acceptClock(at: world.clock.now())
        try await learnThatAllHasEnded(after: world.clock.now())
        stepsUntilLook = generator.next(below: 4)
    }

    /// Begins a change of the secret, or goes on with it until nothing needs the previous one.
    private func changeSecret() async throws {
        backup = nil
        if isChangingSecret {
            let accident = arm()
            do throws(ActionError) {
                _ = try await world.store.reseal(by: world.secrets, limit: 3)
                isChangingSecret = false
                log.append("secret changed\(accident)")
            } catch { log.append("secret not changed\(accident)") }
            machine.disarm()
        } else {
            (secretNumber, isChangingSecret) = (secretNumber + 1, true)
            log.append("secret is being changed")
        }
        try await restart()
    }

    /// Deletes what is old, which here is a few hours.
    private func purge() async {
        forgetUpstream()
        let accident = arm()
        let jobs = MaintenanceJobs(
            store: world.store, keys: nil, codeRetention: { .hours(2) }, auditRetention: { nil }, mailRetention: { .hours(2) },
            now: clock.confirmed, logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() })
        do throws(ActionError) {
            try await jobs.purge()
            log.append("purge\(accident)")
        } catch { log.append("no purge\(accident)") }
        machine.disarm()
    }

    /// The database has no presses of the upstream's codes any more, or not all of them.
    private func forgetUpstream() {
        forgotten.formUnion(upstreamCodes.filter { upstream.facts(of: $0) != SimulatedUpstream.Facts() })
    }

    /// Stops the server, which copies the log into the database.
    private func stop() async throws {
        let accident = arm()
        let hasClosed = await machine.closes()
        machine.disarm()
        log.append("stop: \(hasClosed)\(accident)")
        try await restart()
    }

    /// Replaces the database by the backup, as `onward restore` does: what was used or ended since
    /// stays so, because every code and session ends.
    private func restore() async throws {
        guard let backup else { return }
        let copy = "\(backup.file)-\(log.count)"
        try FileManager.default.copyItem(atPath: backup.file, toPath: copy)
        let connection = try SQLiteDatabase(path: copy)
        try await Store.withoutMigrating(connection).revokeCredentials(at: world.now())
        try await connection.close()
        try SQLiteFile.foldAndCheck(copy)
        try machine.replaceDatabase(by: copy)
        try FileManager.default.removeItem(atPath: copy)
        possible = backup.states
        unknownSignUps = []
        for (_, opened) in sessions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { end(opened.map(\.token)) }
        sessions = [:]
        // The last used code of an app is that of the backup.
        proofs = []
        forgetUpstream()
        promised = []
        for number in codes.indices { codes[number].hasEnded = true }
        for number in texts.indices { texts[number].hasEnded = true }
        audited = []
        log.append("restore")
        try await start()
        resets = try await resetEvents()
    }
}
