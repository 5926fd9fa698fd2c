package import Accounts

/// An account to be imported, with each field parsed and checked. Only the store can check it
/// against other accounts.
package struct ImportedUser: Sendable {
    package var account: Account
    package var linkedProviders: [LinkedProvider] = []
    package var secondFactors: [SecondFactor] = []
    /// The password hash; nil for an account without a password.
    package var password: HashedPassword?

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
