internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Store

extension SQLFailure {
    /// What SQLite said last, without the values that it said it about.
    init(lastOf handle: OpaquePointer?) {
        let (code, message) = (sqlite3_extended_errcode(handle), String(cString: sqlite3_errmsg(handle)))
        switch ResultCode(rawValue: code) {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY: self = .unique(columns: Self.columns(in: message))
        default: self = .failed(cause: "SQLite \(code): \(message)")
        }
    }

    /// What GRDB throws while it opens or closes.
    init(_ error: any Error) {
        switch error {
        case let failure as SQLFailure: self = failure
        case let error as DatabaseError: self = .failed(cause: "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "")")
        default: self = .failed(cause: "\(type(of: error))")
        }
    }

    /// Of `UNIQUE constraint failed: account.project, account.email`.
    private static func columns(in message: String) -> [String] {
        message.components(separatedBy: ": ").last?.components(separatedBy: ", ").compactMap {
            $0.split(separator: ".").last.map(String.init)
        } ?? []
    }
}
