public import Accounts

/// The mails, codes and events that the development pages and the emulator's endpoints read and
/// clear.
public protocol Inbox: Sendable {
    /// The mails of all projects that a filter admits, newest first.
    func mails(_ filter: MailFilter) async throws(ActionError) -> [StoredMail]
    func mail(_ id: MailID) async throws(ActionError) -> StoredMail?
    /// The live codes issued since the start, oldest first, as the emulator lists them.
    func liveCodes(of project: ProjectID) async throws(ActionError) -> [IssuedCode]
    /// The text messages since the start, newest first.
    func textMessages() async -> [TextMessage]
    /// The text messages of a project whose codes were not used yet, oldest first.
    func liveTextMessages(of project: ProjectID) async throws(ActionError) -> [TextMessage]
    /// The events of accounts, newest first.
    func events() async throws(ActionError) -> [AccountEvent]
    /// Waits until there are more than `known` mails that a filter admits, or until `span` has
    /// passed.
    func wait(untilMoreThan known: Int, _ filter: MailFilter, for span: Duration) async
    /// A text that changes whenever the mails, text messages or events do.
    func version() async throws(ActionError) -> String
    func deleteMails(_ ids: [MailID]) async throws(ActionError)
    /// Deletes all accounts of a project, as the emulator's `DELETE …/accounts` does.
    func deleteAccounts(of project: ProjectID) async throws(ActionError)
}
