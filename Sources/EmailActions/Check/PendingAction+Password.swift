package import Accounts

extension PendingAction {
    /// Why a new password would be refused; nil when it is fine. Asked by the page before the press counts, and by the authority.
    package func objection(to password: String) -> PasswordPolicy.Objection? {
        project.passwordPolicy.objection(to: password, words: (account?.words ?? []) + [project.displayName])
    }
}
