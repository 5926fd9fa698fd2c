package import Accounts

/// An account on its way in, each of its fields read and checked; whether it fits among the others
/// only the store can say.
package struct ImportedUser: Sendable {
    package var account: Account
    package var linkedProviders: [LinkedProvider] = []
    package var secondFactors: [SecondFactor] = []
    /// Nil for an account without a password.
    package var password: HashedPassword?

    /// A password that is known only as another system hashed it; by which scheme stands beside the
    /// whole import.
    package struct HashedPassword: Sendable {
        let hash, salt: [UInt8]

        package init(hash: [UInt8], salt: [UInt8]) {
            self.hash = hash
            self.salt = salt
        }
    }

    package init(_ account: Account) { self.account = account }
}
