import Accounts
import EmailActions
import Store
import Web

/// The inbox of development: all mails of the outbox, which are never sent.
struct StoreInbox: Inbox {
    /// The number of mails that are listed.
    private static let maxMails = 1_000

    let store: Store
    let issued: IssuedCodes
    let secrets: Secrets
    let now: Now

    func mails() async throws(ActionError) -> [StoredMail] { try await store.mails(limit: Self.maxMails) }

    func mail(_ id: String) async throws(ActionError) -> StoredMail? { try await store.mail(id) }

    func liveCodes(of project: ProjectID) async throws(ActionError) -> [IssuedCode] {
        let codes = await issued.all(of: project)
        let (secrets, moment) = (secrets, now())
        return try await store.read { (records: any ActionRecords) throws(ActionError) in
            var live: [IssuedCode] = []
            for code in codes {
                guard let stored = try records.code(code.code.key(by: secrets)), stored.state(at: moment) == .live
                else { continue }
                live.append(code)
            }
            return live
        }
    }

    /// Polls forty times a second. Only tests wait for mails, and any transaction may write one.
    func wait(untilMoreThan known: Int, for span: Duration) async {
        let deadline = ContinuousClock.now + span
        while ContinuousClock.now < deadline, !Task.isCancelled {
            if let mails = try? await store.mails(limit: known + 1), mails.count > known { return }
            do { try await Task.sleep(for: .milliseconds(25)) } catch { return }
        }
    }

    func deleteAccounts(of project: ProjectID) async throws(ActionError) {
        try await store.deleteAccounts(in: project)
        try await store.deleteMails(in: project)
    }
}
