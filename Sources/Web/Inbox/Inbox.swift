package import Accounts
package import EmailActions

/// What the development pages and the emulator's endpoints read and clear; `serve` has no such thing.
package protocol Inbox: Sendable {
    /// Newest first, over all projects.
    func mails() async throws(ActionError) -> [StoredMail]
    func mail(_ id: String) async throws(ActionError) -> StoredMail?
    /// Codes made since the start that still work, oldest first, as the emulator lists them.
    func liveCodes(of project: ProjectID) async throws(ActionError) -> [IssuedCode]
    /// Waits until a mail arrives that was not there before `known` mails were, or until the time is over; returns at once if so already.
    func wait(untilMoreThan known: Int, for span: Duration) async
    /// As the emulator's `DELETE …/accounts`.
    func deleteAccounts(of project: ProjectID) async throws(ActionError)
}
