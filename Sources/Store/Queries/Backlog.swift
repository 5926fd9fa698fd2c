package import Accounts
internal import EmailActions

/// The mails that have not been delivered, in numbers.
package struct Backlog: Sendable, Hashable {
    package let mails: Int
    /// When the oldest was written; nil when there is none.
    package let oldest: Timestamp?

    package init(mails: Int, oldest: Timestamp?) { (self.mails, self.oldest) = (mails, oldest) }
}

extension Store {
    /// - Parameter limit: more are not counted, so that asking stays cheap.
    package func backlog(countingTo limit: Int) async throws(ActionError) -> Backlog {
        try await read { records throws(ActionError) in
            let oldest: StoredMail? = try records.first("\(StoredMail.select) ORDER BY position LIMIT 1", [])
            return Backlog(
                mails: try records.count("SELECT count(*) FROM (SELECT 1 FROM mail LIMIT ?) AS counted", [limit]), oldest: oldest?.createdAt
            )
        }
    }
}
