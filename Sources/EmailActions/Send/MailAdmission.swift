package import Accounts

/// Counts one more mail of a kind to an address, or throws `tooSoon` if the address got enough of
/// them. Only mails that are really written are counted, so an address's mails cannot be used up
/// without sending them (V1).
package typealias AdmitMail = @Sendable (MailAdmission.Subject) throws(ActionError) -> MailAdmission

/// A mail that was admitted and counted.
package struct MailAdmission: Sendable {
    /// The key by which the mails of an address are counted.
    package struct Subject: Sendable, Hashable {
        package let action: Action
        package let recipient: EmailAddress
        package let project: ProjectID

        package init(action: Action, recipient: EmailAddress, project: ProjectID) {
            (self.action, self.recipient, self.project) = (action, recipient, project)
        }
    }

    /// Takes the mail out of the count again, if it was not written.
    package let giveBack: @Sendable () -> Void

    package init(giveBack: @escaping @Sendable () -> Void = {}) { self.giveBack = giveBack }
}
