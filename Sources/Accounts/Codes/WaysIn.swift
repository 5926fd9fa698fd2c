/// The ways to sign in to an account without its mailbox, as the page and the mail name them that
/// ask to confirm its address: a user who confirms it accepts them.
public struct WaysIn: Sendable, Hashable {
    public let hasPassword: Bool
    /// The names of the providers, and the phone number with only its end shown.
    public let names: [String]
    /// The users at the providers and the whole number, for which the names stand. Empty for the
    /// ways in of a mail.
    private let identities: [String]

    public init(hasPassword: Bool, names: [String]) { (self.hasPassword, self.names, identities) = (hasPassword, names, []) }

    init(to account: Account, by providers: [LinkedProvider], in project: Project) {
        hasPassword = account.passwordHash != nil
        names = providers.map { project.name(ofProvider: $0.provider) } + [account.phoneNumber?.masked].compactMap(\.self)
        identities = providers.map { "\($0.provider) \($0.rawID)" } + [account.phoneNumber?.value].compactMap(\.self)
    }

    /// Tells these ways from others: a page's form carries the mark of the ways that it named. Two
    /// ways of one name, such as two users of a provider, have different marks.
    public func mark(by secrets: Secrets) -> UInt32 {
        let text = ([hasPassword ? "password" : ""] + identities).joined(separator: "\n")
        return secrets.digest(Array(text.utf8), for: .formToken).bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
