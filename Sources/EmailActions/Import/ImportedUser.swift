package import Accounts

/// An account to be imported, with each field parsed and checked. Only the store can check it
/// against other accounts.
package struct ImportedUser: Sendable {
    package var account: Account
    package var linkedProviders: [LinkedProvider] = []
    package var secondFactors: [SecondFactor] = []
    /// The password hash; nil for an account without a password.
    package var password: HashedPassword?
    /// A password in clear text, which is hashed before the account is stored.
    package var plainPassword: String?

    /// A password hash from another system. The hash scheme is a parameter of the whole import.
    package struct HashedPassword: Sendable {
        let hash, salt: [UInt8]

        package init(hash: [UInt8], salt: [UInt8]) {
            self.hash = hash
            self.salt = salt
        }
    }

    package init(_ account: Account) { self.account = account }
}

/// Whether an import takes passwords in clear text (`rawPassword`).
package enum PlainPasswords: Sendable {
    case refused
    /// Takes passwords that the policy accepts. With `fakeHashes`, also those in a `passwordHash`
    /// of the Auth emulator, which contains the password.
    case accepted(by: PasswordPolicy, fakeHashes: Bool)
}
