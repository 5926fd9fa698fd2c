public import Accounts
public import Base

/// The number and the age of the mails that wait to be sent.
public struct MailBacklog: Sendable, Hashable {
    public let mails: Int
    /// The time at which the oldest was written; nil if there is none.
    public let oldest: Timestamp?

    public init(mails: Int, oldest: Timestamp?) { (self.mails, self.oldest) = (mails, oldest) }
}

extension Store {
    /// - Parameter limit: the highest number that is counted to, so that the query stays cheap.
    public func backlog(countingTo limit: Int) async throws(ActionError) -> MailBacklog {
        try await read { records throws(ActionError) in
            let oldest: [Timestamp?] = try records.column("SELECT min(created_at) FROM mail WHERE ending IS NULL", [])
            let mails = try records.count("SELECT count(*) FROM (SELECT 1 FROM mail WHERE ending IS NULL LIMIT ?) AS counted", [limit])
            return MailBacklog(mails: mails, oldest: oldest.first ?? nil)
        }
    }
}
