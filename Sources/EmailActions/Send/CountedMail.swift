public import Accounts

/// Runs work that writes one more mail of a kind to an address, and counts the mail if it was
/// written: only so an address's mails cannot be used up without sending them (V1).
///
/// The work runs in any case. If the address got enough mails it is told `excess`, a `tooSoon`, and
/// writes none.
public typealias CountMail =
    @Sendable (
        CountedMail, _ write: (_ excess: ActionError?) async throws(ActionError) -> Void
    ) async throws(ActionError) -> Void

/// The key by which the mails of an address are counted.
public struct CountedMail: Sendable, Hashable {
    public let action: Action
    public let recipient: EmailAddress
    public let project: ProjectID

    public init(action: Action, recipient: EmailAddress, project: ProjectID) {
        (self.action, self.recipient, self.project) = (action, recipient, project)
    }
}
