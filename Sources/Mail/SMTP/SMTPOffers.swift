/// The extensions that a server offers. Source: RFC 5321 section 4.1.1.1.
struct SMTPOffers: Sendable, Hashable {
    /// Addresses outside ASCII. Source: RFC 6531.
    var internationalAddresses = false
    /// Bytes above 127 in the message. Source: RFC 6152.
    var eightBit = false
    /// The largest message in bytes; nil if the server does not say. Source: RFC 1870.
    var maxMessageBytes: Int?
    /// Whether the size of a message can be declared.
    var declaresSize = false
    /// The mechanisms of authentication, in capitals. Source: RFC 4954.
    var mechanisms: Set<String> = []

    /// - Parameter lines: the lines of the answer to EHLO after the first, without codes.
    init(_ lines: [String] = []) {
        for line in lines {
            // Old servers write `AUTH=LOGIN`.
            let words = line.uppercased().split { $0 == " " || $0 == "=" }
            switch words.first {
            case "SMTPUTF8": internationalAddresses = true
            case "8BITMIME": eightBit = true
            case "SIZE":
                declaresSize = true
                if words.count > 1, let bytes = Int(words[1]), bytes > 0 { maxMessageBytes = bytes }
            case "AUTH": mechanisms.formUnion(words.dropFirst().map(String.init))
            default: break
            }
        }
    }
}
