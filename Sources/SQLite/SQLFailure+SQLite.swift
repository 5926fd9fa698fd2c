internal import CSQLite
internal import Foundation
internal import Store

extension SQLFailure {
    /// The last error of a connection. SQLite's messages name columns and constraints, not values.
    init(lastOf handle: OpaquePointer?) {
        let (code, message) = (sqlite3_extended_errcode(handle), String(cString: sqlite3_errmsg(handle)))
        switch code {
        case onward_sqlite_constraint_unique, onward_sqlite_constraint_primarykey: self = .unique(columns: Self.columns(in: message))
        // The second one is said of the shared memory file (-shm).
        case SQLITE_FULL, onward_sqlite_ioerr_shmsize: self = .failed(cause: "the disk is full (SQLite \(code): \(message))")
        default: self = .failed(cause: "SQLite \(code): \(message)")
        }
    }

    /// The column names in `UNIQUE constraint failed: account.project, account.email`.
    private static func columns(in message: String) -> [String] {
        message.components(separatedBy: ": ").last?.components(separatedBy: ", ").compactMap {
            $0.split(separator: ".").last.map(String.init)
        } ?? []
    }
}
