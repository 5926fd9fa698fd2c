/// An access token of a client, fit to be sent to a provider in a header or a query: visible ASCII
/// without quotes.
struct AccessToken {
    static let maxBytes = 4_096

    let text: String

    init(_ text: String?) throws(CredentialRefusal) {
        guard let text, !text.isEmpty else { throw .noCredential }
        guard text.utf8.count <= Self.maxBytes, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\"") }) else {
            throw .malformed
        }
        self.text = text
    }
}
