package import Accounts

extension EmailActions {
    /// The mails to an address, newest first, for the question what became of them.
    /// - Parameter position: only mails below this place in the table; `.max` for all.
    package func mailRecords(
        to recipient: EmailAddress, in project: ProjectID, before position: Int64, limit: Int
    ) async throws(ActionError) -> [MailRecord] {
        try await store.mailRecords(
            to: outbox.digest(of: recipient, in: project), in: project, before: position, limit: limit, at: now())
    }
}
