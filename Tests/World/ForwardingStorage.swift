package import Accounts
package import Base

/// A store that passes everything on to another one; tests replace what they need.
package protocol ForwardingStorage: Storage {
    var store: any Storage { get }

    /// Called before each call that is passed on.
    func waitForTurn() async
}

extension ForwardingStorage {
    package func waitForTurn() async {}

    package var rowIDs: RowIDs { store.rowIDs }
    package var accountChanges: AccountChanges { store.accountChanges }
    package func read<T: Sendable>(_ body: @escaping @Sendable (any Records) throws(ActionError) -> T) async throws(ActionError) -> T {
        await waitForTurn()
        return try await store.read(body)
    }

    package func preview<T: Sendable>(_ body: @escaping @Sendable (any Records) throws(ActionError) -> T?) async throws(ActionError) -> T? {
        await waitForTurn()
        return try await store.preview(body)
    }

    package func transaction<T: Sendable>(_ body: @escaping @Sendable (any Records) throws(ActionError) -> T) async throws(ActionError) -> T
    {
        await waitForTurn()
        return try await store.transaction(body)
    }

    package func retryEvents(id: String?, in project: ProjectID?, at now: Timestamp) async throws(ActionError) -> Int {
        await waitForTurn()
        return try await store.retryEvents(id: id, in: project, at: now)
    }

    package func newestSettingsRevision() async throws(ActionError) -> Int {
        await waitForTurn()
        return try await store.newestSettingsRevision()
    }

    package func settings(changedAfter revision: Int) async throws(ActionError) -> [StoredSettings] {
        await waitForTurn()
        return try await store.settings(changedAfter: revision)
    }

    package func changeSettings(
        of project: ProjectID, at now: Timestamp, by change: @escaping @Sendable (inout ProjectSettings) throws(ActionError) -> Void
    ) async throws(ActionError) -> StoredSettings {
        await waitForTurn()
        return try await store.changeSettings(of: project, at: now, by: change)
    }

    package func signingKeys() async throws(ActionError) -> [StoredSigningKey] {
        await waitForTurn()
        return try await store.signingKeys()
    }

    package func changeSigningKeys(_ decide: @escaping @Sendable ([StoredSigningKey]) -> KeyChange) async throws(ActionError) {
        await waitForTurn()
        return try await store.changeSigningKeys(decide)
    }

    package func lease(_ lease: MailLease, at now: Timestamp) async throws(ActionError) -> [StoredMail] {
        await waitForTurn()
        return try await store.lease(lease, at: now)
    }

    package func giveUp(writtenBefore moment: Timestamp, keepsLetters: Bool, at now: Timestamp) async throws(ActionError) -> Int {
        await waitForTurn()
        return try await store.giveUp(writtenBefore: moment, keepsLetters: keepsLetters, at: now)
    }

    package func end(_ mail: StoredMail, as end: MailEndReason, _ outcome: DeliveryOutcome, keepsLetter: Bool, at now: Timestamp)
        async throws(ActionError)
    {
        await waitForTurn()
        return try await store.end(mail, as: end, outcome, keepsLetter: keepsLetter, at: now)
    }

    package func postpone(_ mail: StoredMail, until next: Timestamp, _ outcome: DeliveryOutcome) async throws(ActionError) {
        await waitForTurn()
        return try await store.postpone(mail, until: next, outcome)
    }

    package func release(_ mails: [StoredMail]) async throws(ActionError) {
        await waitForTurn()
        return try await store.release(mails)
    }

    package func suppress(_ suppressions: [Suppression], by report: RememberedReport?, at now: Timestamp) async throws(ActionError)
        -> ReportResult
    {
        await waitForTurn()
        return try await store.suppress(suppressions, by: report, at: now)
    }
}
