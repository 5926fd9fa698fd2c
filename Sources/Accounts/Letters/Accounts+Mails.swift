extension Accounts {
    /// The mails of a selection, for the question what became of them.
    /// - Parameter id: only mails before this one; nil for all.
    public func mailRecords(
        _ selection: MailSelection, in project: ProjectID, before id: MailID?, limit: Int
    ) async throws(ActionError) -> [MailRecord] {
        let moment = now()
        return try await store.read { (records) throws(ActionError) in
            try records.mailRecords(selection, in: project, before: id, limit: limit, at: moment)
        }
    }

    /// The mails to an address.
    public func mails(to recipient: EmailAddress, in project: ProjectID) -> MailSelection {
        .to(outbox.digest(of: recipient, in: project))
    }

    /// The reasons why an address gets no mails, or no notices, that are in force.
    public func suppressions(of recipient: EmailAddress, in project: ProjectID) async throws(ActionError) -> [Suppression] {
        let (digest, moment) = (outbox.digest(of: recipient, in: project), now())
        return try await store.read { (records) throws(ActionError) in
            try records.suppressions(of: digest, in: project, at: moment)
        }
    }
}
