package import Accounts

extension PendingAction {
    /// Why a new password would be refused; none when it is fine. Asked by the page before the press counts.
    package func objections(to password: String) -> [PasswordPolicy.Objection] {
        project.passwordPolicy.objections(to: password, words: words)
    }

    /// What someone guessing the account's password would try first.
    var words: [String] {
        let known = (try? stored())?.account?.words ?? [email].compactMap(\.self)
        return known + [project.displayName]
    }
}
