package import AppLinks

/// The page after the deed.
package struct Completion: Sendable, Hashable {
    /// What was done.
    package var action: Action
    /// The account's address, as on the page before.
    package var account: String?
    /// `verifyAndChangeEmail`: the address that is in use now.
    package var newAccount: String?
    /// `revertSecondFactorAddition`: what was removed.
    package var factor: String?
    /// Where to go from here.
    package var next: Next
    /// The second step after an undoing: *Send me a password reset*.
    package var passwordReset: Form?

    package init(
        _ action: Action, account: String? = nil, newAccount: String? = nil, factor: String? = nil, next: Next = .nowhere,
        passwordReset: Form? = nil
    ) {
        self.action = action
        self.account = account
        self.newAccount = newAccount
        self.factor = factor
        self.next = next
        self.passwordReset = passwordReset
    }
}
