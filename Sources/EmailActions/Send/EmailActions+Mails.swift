package import Accounts

extension EmailActions {
    /// The mails to an address, newest first, for the question what became of them.
    /// - Parameter id: only mails before this one; nil for all.
    package func mailRecords(
        to recipient: EmailAddress, in project: ProjectID, before id: MailID?, limit: Int
    ) async throws(ActionError) -> [MailRecord] {
        try await store.mailRecords(
            to: outbox.digest(of: recipient, in: project), in: project, before: id, limit: limit, at: now())
    }
}
