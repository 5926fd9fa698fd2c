internal import Accounts
internal import EmailActions

/// What may be tried only so often.
enum Attempt: Sendable, Hashable {
    /// To sign in with a password, to whatever account has this address, or none (B1).
    case password(EmailAddress)
    /// To have a mail sent; `account`: whose ID token asks for it.
    case mail(to: EmailAddress, account: AccountID? = nil)
    /// The same for a link that resets the password, which production refuses by another name.
    case reset(to: EmailAddress)
    case signUp
    /// A secret that may be a guess: a code, or the address that goes with it. Give it back where it was none (C13).
    case code
    /// To learn how an address signs in.
    case probe
    /// What clients of signed-in people ask for by themselves.
    case refresh
    case customToken

    /// What it counts as. Subjects are compared as they are, so each has its project where its limit is about one.
    /// - Parameter byAdmin: only mails count, because they come to people who asked nobody.
    func counts(from source: Source, in project: ProjectID, byAdmin: Bool) -> [(Limit, String)] {
        switch self {
        case .mail(let recipient, _) where byAdmin: return Self.toRecipient(recipient, in: project)
        case .reset(let recipient) where byAdmin: return Self.toRecipient(recipient, in: project)
        case _ where byAdmin: return []
        case .password(let email):
            return [
                (.passwordsPerAccountAndSource, "\(project) \(email) \(source)"), (.passwordsPerAccount, "\(project) \(email)"),
                (.passwordsPerSource, source.description),
            ]
        case .mail(let recipient, let account):
            let own = account.map { [(Limit.mailsPerAccount, "\(project) \($0)")] } ?? []
            return Self.toRecipient(recipient, in: project) + own + [(.mailsPerSource, source.description)]
        case .reset(let recipient): return Self.mail(to: recipient).counts(from: source, in: project, byAdmin: false)
        case .signUp: return [(.signUpsPerSource, source.description)]
        case .code: return [(.wrongCodesPerSource, source.description)]
        case .probe: return [(.probesPerSource, source.description)]
        case .refresh: return [(.refreshesPerSource, source.description)]
        case .customToken: return [(.customTokensPerSource, source.description)]
        }
    }

    private static func toRecipient(_ email: EmailAddress, in project: ProjectID) -> [(Limit, String)] {
        [(.mailsPerAddress, "\(project) \(email)"), (.mailsPerProject, "\(project)")]
    }

    /// What one time too many is called. Source: `shared/wire/identity-toolkit.md` section 13.
    var refusal: Refusal {
        if case .reset = self { .resetPasswordExceedLimit } else { .tooManyAttempts }
    }
}
