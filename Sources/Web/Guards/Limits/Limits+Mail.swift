internal import Accounts
public import EmailActions

extension Limits {
    /// Counts the mails to each address, each kind apart.
    /// - Parameter limits: nil for no limits.
    public static func countMails(by limits: Limits?) -> CountMail {
        guard let limits else { return { _, write throws(ActionError) in try await write(nil) } }
        return { mail, write throws(ActionError) in
            let subject = "\(mail.project) \(mail.action.rawValue) \(mail.recipient)"
            try await limits.counted(
                [Attempt.Count(limit: .mailsPerAddress, subject: subject)],
                otherwise: { (wait) throws(ActionError) in
                    let refusal: Refusal = mail.action == .resetPassword ? .resetPasswordExceedLimit : .tooManyAttempts
                    try await write(.tooSoon(refusal, retryAfter: wait))
                },
                { () throws(ActionError) in try await write(nil) })
        }
    }
}
