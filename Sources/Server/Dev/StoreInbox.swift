import Accounts
import Base
import Store
import Web

/// The inbox of development: all mails of the outbox, sent or not, and all events.
struct StoreInbox: Inbox {
    /// The number of mails that are listed.
    private static let maxMails = 1_000

    let store: Store
    let issued: IssuedCodes
    let sentTextMessages: SentTextMessages
    let secrets: Secrets
    let now: Now

    func mails(_ filter: MailFilter) async throws(ActionError) -> [StoredMail] { try await mails(filter, limit: Self.maxMails) }

    private func mails(_ filter: MailFilter, limit: Int) async throws(ActionError) -> [StoredMail] {
        try await store.mails(to: filter.recipient, kind: filter.kind, limit: limit)
    }

    func mail(_ id: MailID) async throws(ActionError) -> StoredMail? { try await store.mail(id) }

    func liveCodes(of project: ProjectID) async throws(ActionError) -> [IssuedCode] {
        let codes = await issued.all(of: project)
        let (secrets, moment) = (secrets, now())
        return try await store.read { (records) throws(ActionError) in
            var live: [IssuedCode] = []
            for code in codes {
                guard let stored = try records.code(code.code.key(by: secrets)), stored.state(at: moment) == .live
                else { continue }
                live.append(code)
            }
            return live
        }
    }

    func textMessages() async -> [TextMessage] { await sentTextMessages.all.reversed() }

    func liveTextMessages(of project: ProjectID) async throws(ActionError) -> [TextMessage] {
        let messages = await sentTextMessages.all.filter { $0.project == project }
        let (secrets, moment) = (secrets, now())
        return try await store.read { (records) throws(ActionError) in
            var live: [TextMessage] = []
            for message in messages where try records.isLive(message, by: secrets, at: moment) { live.append(message) }
            return live
        }
    }

    /// Polls forty times a second. Only tests wait for mails, and any transaction may write one.
    func wait(untilMoreThan known: Int, _ filter: MailFilter, for span: Duration) async {
        let deadline = Uptime.now + span
        while Uptime.now < deadline, !Task.isCancelled {
            if let mails = try? await mails(filter, limit: known + 1), mails.count > known { return }
            do { try await Task.sleep(for: .milliseconds(25)) } catch { return }
        }
    }

    func version() async throws(ActionError) -> String {
        let event = try await store.newestEvents(limit: 1).first
        return "\(try await store.mailsVersion())-\(await sentTextMessages.all.count)-\(event?.position ?? 0)"
    }

    func deleteMails(_ ids: [MailID]) async throws(ActionError) { try await store.deleteMails(ids) }

    func deleteAccounts(of project: ProjectID) async throws(ActionError) {
        try await store.deleteAccounts(in: project)
        try await store.deleteMails(in: project)
        try await store.deleteEvents(in: project)
    }

    /// The number of events that are listed.
    private static let maxEvents = 100

    func events() async throws(ActionError) -> [AccountEvent] {
        try await store.newestEvents(limit: Self.maxEvents).filter { $0.endpoint == Self.endpoint.url }.map(\.event)
    }

    /// The endpoint whose events the inbox shows. Nothing is sent to it.
    static let endpoint = EventEndpoint(url: "inbox")
}
