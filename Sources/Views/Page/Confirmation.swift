package import Foundation

/// The page before the deed: who asks, which account, what will happen, where it leads, until when.
package struct Confirmation: Sendable, Hashable {
    package var action: LinkAction
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
    package var expires: Date?
    /// When a newer link for the same purpose was sent; both still work.
    package var newerSent: Date?
    /// `resetPassword`: what stands above the field.
    package var rules: PasswordRules
    /// `resetPassword`: why the password that was sent is refused; the page then answers a POST.
    package var problems: [PasswordProblem]

    package init(
        _ action: LinkAction, form: Form, account: String? = nil, newAccount: String? = nil, factor: String? = nil,
        destination: String? = nil, expires: Date? = nil, newerSent: Date? = nil, rules: PasswordRules = PasswordRules(),
        problems: [PasswordProblem] = []
    ) {
        self.action = action
        self.form = form
        self.account = account
        self.newAccount = newAccount
        self.factor = factor
        self.destination = destination
        self.expires = expires
        self.newerSent = newerSent
        self.rules = rules
        self.problems = problems
    }
}

/// What a project asks of a password, said above the field.
package struct PasswordRules: Sendable, Hashable {
    /// In characters.
    package var minimum: Int
    /// In characters; nil: not said.
    package var maximum: Int?
    package var needsLowercase = false
    package var needsUppercase = false
    package var needsDigit = false
    package var needsSymbol = false

    package init(minimum: Int = 8, maximum: Int? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }
}

/// One thing that is missing in a password, said beside the field.
package enum PasswordProblem: String, Sendable, Hashable, CaseIterable {
    case empty, tooShort, tooLong, needsLowercase, needsUppercase, needsDigit, needsSymbol
    /// It stands on the list of much used passwords.
    case tooCommon
    /// It is, or holds, the person's own address or the app's name.
    case tooPersonal
}
