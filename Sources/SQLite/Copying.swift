package import Accounts
internal import Foundation
internal import GRDB
internal import Store

/// What can be done with a database file as a whole.
package enum Copying {
    /// Copies one state of a database, which others may go on using, into an empty file. All in one step, because a copy in several begins
    /// anew whenever somebody writes; in WAL mode nobody waits for it. Source: sqlite.org/backup.html
    package static func copy(_ database: String, to file: String) throws(ActionError) {
        do {
            let source = try DatabaseQueue(path: database, configuration: configuration(readonly: true))
            let target = try DatabaseQueue(path: file, configuration: configuration(readonly: false))
            try source.backup(to: target)
            try target.close()
            try source.close()
        } catch { throw ActionError(SQLFailure(error)) }
    }

    /// Makes a database that nobody uses one file, which can be read where nothing can be written. Throws the first thing that is wrong with
    /// it, from its first page to its last.
    package static func finish(_ file: String) throws(ActionError) {
        do {
            let database = try DatabaseQueue(path: file, configuration: configuration(readonly: false))
            let (state, strays) = try database.inDatabase { db in
                try db.execute(sql: "PRAGMA journal_mode = DELETE")
                return (
                    try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "nothing is said",
                    try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") != nil
                )
            }
            try database.close()
            if state != "ok" { throw SQLFailure.failed(cause: "\(file) is damaged: \(state)") }
            if strays { throw SQLFailure.failed(cause: "\(file) is damaged: rows refer to others that are not there") }
        } catch { throw ActionError(SQLFailure(error)) }
    }

    /// Whether another process has the database open. What cannot be read is in nobody's use.
    package static func isInUse(_ database: String) -> Bool {
        var alone = configuration(readonly: false)
        alone.busyMode = .immediateError
        // In WAL mode this asks for a lock that everyone's staying open refuses. Source: sqlite.org/pragma.html#pragma_locking_mode
        alone.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        do {
            let queue = try DatabaseQueue(path: database, configuration: alone)
            try queue.inTransaction(.exclusive) { _ in .commit }
            try queue.close()
            return false
        } catch let error as DatabaseError {
            return [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
        } catch { return false }
    }

    private static func configuration(readonly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.busyMode = .timeout(Durability.busySeconds)
        return configuration
    }
}
