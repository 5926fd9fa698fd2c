extension Accounts {
    /// The mails to an address, newest first, for the question what became of them.
    /// - Parameter id: only mails before this one; nil for all.
    public func mailRecords(
        to recipient: EmailAddress, in project: ProjectID, before id: MailID?, limit: Int
    ) async throws(ActionError) -> [MailRecord] {
        try await store.mailRecords(
            to: outbox.digest(of: recipient, in: project), in: project, before: id, limit: limit, at: now())
    }

    /// The reasons why an address gets no mails, or no notices, that are in force.
    public func suppressions(of recipient: EmailAddress, in project: ProjectID) async throws(ActionError) -> [Suppression] {
        let (digest, moment) = (outbox.digest(of: recipient, in: project), now())
        return try await store.read { (records) throws(ActionError) in
            try records.suppressions(of: digest, in: project, at: moment)
        }
    }
}
