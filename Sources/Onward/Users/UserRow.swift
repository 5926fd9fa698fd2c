import Accounts
import EmailActions
import JSON

/// One user of a file, cut out and not yet read.
enum UserRow: Sendable {
    case json([UInt8])
    case columns([String])

    func user(in project: ProjectID, at now: Timestamp, random: RandomBytes) throws(ActionError) -> ImportedUser {
        switch self {
        case .json(let bytes): try ImportedUser(json: bytes, in: project, at: now, random: random)
        case .columns(let columns): try ImportedUser(columns: columns, in: project, at: now, random: random)
        }
    }

    /// For the report, also of a user that cannot be read otherwise.
    var localID: String? {
        switch self {
        case .json(let bytes): (try? JSON(bytes))?["localId"]?.string
        case .columns(let columns): columns.first
        }
    }
}
