/// The page after a mail was asked for.
package struct Sending: Sendable, Hashable {
    /// What was asked for.
    package var mail: Mail
    /// Where it went, as far as the person has shown to know it.
    package var account: String?

    /// What can be asked for from a page.
    package enum Mail: Sendable, Hashable, CaseIterable { case newLink, passwordReset }

    package init(_ mail: Mail, account: String? = nil) {
        self.mail = mail
        self.account = account
    }
}
