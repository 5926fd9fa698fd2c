internal import Accounts
internal import EmailActions

/// An attempt that is limited.
enum Attempt: Sendable, Hashable {
    /// A sign-in with a password, whether or not an account has this address (B1).
    case password(EmailAddress)
    /// A mail; `account` is the account whose ID token asked for it.
    case mail(to: EmailAddress, account: AccountID? = nil)
    /// A mail with a password reset, for which Firebase has a refusal of its own.
    case reset(to: EmailAddress)
    case signUp
    /// A guess at a code or at the address of a sign-in link. Give it back if it was right (C13).
    case code
    /// A question about how an address signs in.
    case probe
    /// A request that clients of signed-in users send by themselves.
    case refresh
    case customToken

    /// The limits that an attempt counts against, each with its subject. Subjects of limits per
    /// project contain the project.
    ///
    /// The mails of a project have a pace instead of a limit (decision 27).
    ///
    /// - Parameter byAdmin: admins are only limited in mails, because their recipients did not ask
    ///   for them.
    func counts(from source: Source, in project: ProjectID, byAdmin: Bool) -> [(Limit, String)] {
        switch self {
        case .mail(let recipient, _) where byAdmin, .reset(let recipient) where byAdmin:
            return [(.mailsPerAddress, "\(project) \(recipient)")]
        case _ where byAdmin: return []
        case .password(let email):
            return [
                (.passwordsPerAccountAndSource, "\(project) \(email) \(source)"), (.passwordsPerAccount, "\(project) \(email)"),
                (.passwordsPerSource, source.description),
            ]
        case .mail(let recipient, let account):
            let own = account.map { [(Limit.mailsPerAccount, "\(project) \($0)")] } ?? []
            return [(.mailsPerAddress, "\(project) \(recipient)")] + own + [(.mailsPerSource, source.description)]
        case .reset(let recipient): return Self.mail(to: recipient).counts(from: source, in: project, byAdmin: false)
        case .signUp: return [(.signUpsPerSource, source.description)]
        case .code: return [(.wrongCodesPerSource, source.description)]
        case .probe: return [(.probesPerSource, source.description)]
        case .refresh: return [(.refreshesPerSource, source.description)]
        case .customToken: return [(.customTokensPerSource, source.description)]
        }
    }

    /// The refusal returned when the limit is exceeded. Source: Identity Toolkit error codes.
    var refusal: Refusal {
        if case .reset = self { .resetPasswordExceedLimit } else { .tooManyAttempts }
    }
}
