package import AppLinks
package import Foundation

/// The page before the deed: who asks, which account, what will happen, where it leads, until when.
package struct Confirmation: Sendable, Hashable {
    /// What the button will do.
    package var action: Action
    /// The button's form, sent by POST (for `signIn`, which changes nothing, too).
    package var form: Form
    /// The account's address as the API shows it to a holder of the code; for `recoverEmail` the address to restore.
    package var account: String?
    /// `verifyAndChangeEmail`: the address to come.
    package var newAccount: String?
    /// `revertSecondFactorAddition`: its name or the end of its number.
    package var factor: String?
    /// The host behind *Continue*, if there is one.
    package var destination: String?
    /// Until when the link works.
    var expires: Moment?
    /// When a newer link for the same purpose was sent; both still work.
    var newerSent: Moment?
    /// `resetPassword`: what stands above the field.
    package var rules: PasswordRules
    /// `resetPassword`: why the password that was sent is refused; the page then answers a POST.
    package var problems: [PasswordProblem]

    package init(
        _ action: Action, form: Form, account: String? = nil, newAccount: String? = nil, factor: String? = nil,
        destination: String? = nil, expires: Date? = nil, newerSent: Date? = nil, rules: PasswordRules = PasswordRules(),
        problems: [PasswordProblem] = []
    ) {
        self.action = action
        self.form = form
        self.account = account
        self.newAccount = newAccount
        self.factor = factor
        self.destination = destination
        self.expires = expires.map(Moment.ahead)
        self.newerSent = newerSent.map(Moment.past)
        self.rules = rules
        self.problems = problems
    }
}
