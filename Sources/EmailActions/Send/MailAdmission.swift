public import Accounts

/// Counts one more mail of a kind to an address, or throws `tooSoon` if the address got enough of
/// them. Only mails that are really written are counted, so an address's mails cannot be used up
/// without sending them (V1).
public typealias AdmitMail = @Sendable (MailAdmission.Subject) throws(ActionError) -> MailAdmission

/// A mail that was admitted and counted.
public struct MailAdmission: Sendable {
    /// The key by which the mails of an address are counted.
    public struct Subject: Sendable, Hashable {
        public let action: Action
        public let recipient: EmailAddress
        public let project: ProjectID

        public init(action: Action, recipient: EmailAddress, project: ProjectID) {
            (self.action, self.recipient, self.project) = (action, recipient, project)
        }
    }

    /// Takes the mail out of the count again, if it was not written.
    public let giveBack: @Sendable () -> Void

    public init(giveBack: @escaping @Sendable () -> Void = {}) { self.giveBack = giveBack }
}
