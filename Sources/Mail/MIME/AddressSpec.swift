package import Accounts
import Foundation
import WebURL

/// An address as relays and mail programs read it: the domain in ASCII, the local part unchanged.
/// Source: RFC 5322, 3.4.1 (addr-spec); RFC 6531, 3.3.
package struct AddressSpec: Sendable, Hashable, CustomStringConvertible {
    package let localPart: String
    /// An international domain name is in its ASCII form (`xn--…`). A name that has none stays as
    /// it is.
    package let domain: String

    package init(_ address: EmailAddress) { self.init(address.value) }

    init(_ address: String) {
        let address = HeaderText(address).value
        let at = address.lastIndex(of: "@") ?? address.endIndex
        localPart = String(address[..<at])
        let domain = String(address[at...].dropFirst())
        let isASCII = domain.utf8.allSatisfy { $0 < 0x80 }
        self.domain = isASCII ? domain : WebURL.Host.asciiDomain(domain.precomposedStringWithCanonicalMapping) ?? domain
    }

    package var description: String { "\(localPart)@\(domain)" }

    /// Whether only a relay that offers SMTPUTF8 can take a mail that names this address (M8).
    package var needsSMTPUTF8: Bool { !description.utf8.allSatisfy { $0 < 0x80 } }
}
