/// An account to be imported, with each field parsed and checked. Only the store can check it
/// against other accounts.
public struct ImportedUser: Sendable {
    public var account: Account
    public var linkedProviders: [LinkedProvider] = []
    public var secondFactors: [SecondFactor] = []
    /// The password hash; nil for an account without a password.
    public var password: HashedPassword?
    /// A password in clear text, which is hashed before the account is stored.
    public var plainPassword: String?
    /// Whether its phone number could not be read and was left out.
    public internal(set) var lacksPhoneNumber = false

    /// A password hash from another system. The hash scheme is a parameter of the whole import.
    public struct HashedPassword: Sendable {
        let hash, salt: [UInt8]

        public init(hash: [UInt8], salt: [UInt8]) {
            self.hash = hash
            self.salt = salt
        }
    }

    public init(_ account: Account) { self.account = account }
}

/// Whether an import takes passwords in clear text (`rawPassword`).
public enum PlainPasswords: Sendable {
    case refused
    /// Takes passwords that the policy accepts. With `fakeHashes`, also those in a `passwordHash`
    /// of the Auth emulator, which contains the password.
    case accepted(by: PasswordPolicy, fakeHashes: Bool)
}
