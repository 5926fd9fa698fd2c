/// The six things a link can do, as far as words depend on them. Raw values are the `mode` of links.
package enum LinkAction: String, Sendable, Hashable, CaseIterable {
    case resetPassword, verifyEmail, signIn, verifyAndChangeEmail, recoverEmail, revertSecondFactorAddition
}
