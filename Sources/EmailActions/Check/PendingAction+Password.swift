package import Accounts

extension PendingAction {
    /// The reasons for which a new password would be refused; empty if it is acceptable. The page
    /// checks them before it applies the press.
    package func objections(to password: String) -> [PasswordPolicy.Objection] {
        project.passwordPolicy.objections(to: password, words: words)
    }

    /// The words that an attacker would try first when guessing the account's password.
    var words: [String] {
        let known = (try? stored())?.account?.words ?? [email].compactMap(\.self)
        return known + [project.displayName]
    }
}
