public import Accounts
public import Views

extension LetterKind {
    /// The names that templates for these mails may use.
    public var scope: TemplateScope {
        switch self {
        case .action(let action):
            TemplateScope(link: .always, hasNewEmail: action.addresses.count > 1, hasSecondFactor: action.removesSecondFactor)
        case .invitation: TemplateScope(link: .always, hasNewEmail: false, hasSecondFactor: false)
        case .notice(let notice):
            TemplateScope(link: .never, hasNewEmail: notice == .emailChanged, hasSecondFactor: notice == .secondFactorRemoved)
        }
    }
}
