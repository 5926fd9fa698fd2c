import Accounts
import Base

/// A user of a file, split off but not parsed.
enum UserRow: Sendable {
    case json([UInt8])
    case columns([String])

    func user(in project: ProjectID, at now: Timestamp, random: RandomBytes) throws(ActionError) -> ImportedUser {
        switch self {
        case .json(let bytes): try ImportedUser(json: bytes, in: project, at: now, random: random)
        case .columns(let columns): try ImportedUser(columns: columns, in: project, at: now, random: random)
        }
    }

    /// The id for the report, even if the user is not valid otherwise.
    var localID: String? {
        switch self {
        case .json(let bytes): (try? JSON(bytes))?["localId"]?.string
        case .columns(let columns): columns.first
        }
    }
}
