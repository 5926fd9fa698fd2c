public import Accounts

/// An address in header fields and commands, in two parts. Its domain is in ASCII. Source: RFC
/// 5322, 3.4.1 (addr-spec); RFC 6531, 3.3.
public struct AddressSpec: Sendable, Hashable, CustomStringConvertible {
    public let localPart: String
    public let domain: String
    /// Whether only a relay that offers SMTPUTF8 can take a mail that names this address (M8).
    public let needsSMTPUTF8: Bool

    public let description: String

    public init(_ address: EmailAddress) {
        description = address.addrSpec
        (localPart, domain) = (String(address.localPart), String(address.domain))
        needsSMTPUTF8 = address.isInternational
    }
}
