/// The effects of a change of address on its account, for the pages before and after it.
public struct AddressChangeFacts: Sendable, Hashable, Codable {
    /// Whether the user signs in with the address, and not only by other ways.
    public let signsInByAddress: Bool
    /// Whether the former address gets a mail: only one that the account has proved does (A1).
    public let tellsFormer: Bool

    public init(signsInByAddress: Bool, tellsFormer: Bool) {
        (self.signsInByAddress, self.tellsFormer) = (signsInByAddress, tellsFormer)
    }
}

extension Records {
    /// The effects of a change of the account's address; nil if it gets its first one.
    func addressChangeFacts(of account: Account) throws(ActionError) -> AddressChangeFacts? {
        guard let email = account.email else { return nil }
        return AddressChangeFacts(
            signsInByAddress: account.passwordHash != nil || account.emailLinkSignIn,
            tellsFormer: try provedAddresses(of: account)[email] != nil)
    }
}
