public import Accounts
public import EmailActions

extension Limits {
    /// Counts a mail to an address, each kind apart, or throws `tooSoon`.
    public func admitMail(_ mail: MailAdmission.Subject) throws(ActionError) -> MailAdmission {
        let subject = "\(mail.project) \(mail.action.rawValue) \(mail.recipient)"
        guard let token = token(.init(limit: .mailsPerAddress, subject: subject)) else { return MailAdmission() }
        do throws(TooSoon) { try take([token]) } catch {
            let refusal: Refusal = mail.action == .resetPassword ? .resetPasswordExceedLimit : .tooManyAttempts
            throw .tooSoon(refusal, retryAfter: error.wait)
        }
        return MailAdmission { self.giveBack([token]) }
    }
}
