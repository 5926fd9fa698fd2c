/// An e-mail address in its canonical form. Accounts, codes, mails and rate limits are found by
/// this form, and mails are sent to it.
///
/// Policy: the dot-atom form of RFC 5321 and RFC 6531, at least one dot in the domain or
/// `localhost`. Letters are in lower case, the domain is in ASCII (IDNA), characters outside of
/// ASCII are in NFC, and blanks around the address are removed. Nothing else is folded, so that no
/// similar address reaches another account (B7, B8; decision 28). Quoted local parts, comments and
/// address literals are refused, and so are encoded words (`=?…?…?=`), because mail programs and
/// servers decode them and find another address there (M6). Only mailboxes of some domains have
/// full stops in a row.
public struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
    public let value: String

    /// Nil if `text` is not such an address.
    public init?(_ text: String) {
        guard let address = Self.canonical(text) ?? Self.folded(text).flatMap(Self.canonical) else { return nil }
        self = address
    }

    private init(canonical value: String) { self.value = value }

    public var description: String { value }

    public var localPart: Substring { value[..<separator] }
    /// In ASCII.
    public var domain: Substring { value[value.utf8.index(after: separator)...] }

    /// The only `@`. It is looked for among bytes, because some letters of Malayalam form one
    /// `Character` with it.
    private var separator: String.Index { value.utf8.firstIndex(of: UInt8(ascii: "@")) ?? value.startIndex }

    /// Whether the part before the `@` has characters outside of ASCII. Only a relay that offers
    /// SMTPUTF8 can take a mail to such an address.
    public var isInternational: Bool { !value.utf8.allSatisfy { $0 < 0x80 } }

    /// The address with its ASCII letters in lower case; nil if it is not an address, or if it is
    /// not canonical in another respect. Reads bytes instead of characters, because the store reads
    /// every address this way (D10).
    private static func canonical(_ text: String) -> EmailAddress? {
        var text = text
        var hasCapital = false
        let isAddress = text.withUTF8 { bytes in
            hasCapital = bytes.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            guard bytes.count <= 254, let at = bytes.firstIndex(of: UInt8(ascii: "@")), (1...64).contains(at) else { return false }
            return isDotAtom(bytes[..<at], loosely: hasLooseDots(bytes[(at + 1)...])) && isDomain(bytes[(at + 1)...])
        }
        guard isAddress else { return nil }
        let address = EmailAddress(canonical: hasCapital ? text.asciiLowercased : text)
        return !address.isInternational || InternationalLocalPart.isCanonical(address.localPart) ? address : nil
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// The domains of Japanese telephone companies that gave their customers mailboxes with full
    /// stops in a row or before the `@`, in spite of RFC 5321.
    private static let domainsWithLooseDots = ["docomo.ne.jp", "ezweb.ne.jp"]

    private static func hasLooseDots(_ domain: Bytes) -> Bool {
        domainsWithLooseDots.contains { $0.utf8.elementsEqual(domain) { $0 == $1 | 0x20 } }
    }

    /// The address in commands of SMTP and in header fields, where such a local part is quoted.
    public var addrSpec: String {
        let isPlain = !localPart.utf8.contains(UInt8(ascii: ".")) || !localPart.hasSuffix(".") && !localPart.contains("..")
        return isPlain ? value : "\"\(localPart)\"@\(domain)"
    }

    /// Bytes outside of ASCII count as letters here.
    /// - Parameter loosely: whether full stops may be in a row, or at the end.
    private static func isDotAtom(_ bytes: Bytes, loosely: Bool) -> Bool {
        var (isAfterDot, isAfterLetter, previous, isInWord) = (true, false, UInt8(ascii: "."), false)
        for byte in bytes {
            if byte == UInt8(ascii: "?") {
                guard !isInWord else { return false }
                isInWord = previous == UInt8(ascii: "=")
            }
            previous = byte
            switch UnicodeScalar(byte) {
            case ".":
                guard !isAfterDot || loosely && isAfterLetter else { return false }
                isAfterDot = true
            case "a"..."z", "A"..."Z", "0"..."9", "!", "#", "$", "%", "&", "'", "*", "+", "-", "/", "=", "?", "^", "_", "`", "{", "|", "}",
                "~", "\u{80}"..."\u{FF}":
                (isAfterDot, isAfterLetter) = (false, true)
            default: return false
            }
        }
        return !isAfterDot || loosely && isAfterLetter
    }

    /// Source: RFC 5321 section 4.1.2, labels of RFC 1035: 1 to 63 letters, digits and inner
    /// hyphens; 253 in all.
    private static func isDomain(_ bytes: Bytes) -> Bool {
        guard bytes.count <= 253 else { return false }
        var (dots, length, digits, endsInHyphen) = (0, 0, 0, false)
        for byte in bytes {
            switch UnicodeScalar(byte) {
            case ".":
                guard length > 0, !endsInHyphen else { return false }
                (dots, length, digits) = (dots + 1, 0, 0)
                continue
            case "0"..."9": digits += 1
            case "a"..."z", "A"..."Z": break
            case "-": guard length > 0 else { return false }
            default: return false
            }
            endsInHyphen = byte == UInt8(ascii: "-")
            length += 1
            guard length <= 63 else { return false }
        }
        guard length > 0, !endsInHyphen, digits < length else { return false }
        return dots > 0 || bytes.elementsEqual("localhost".utf8) { $0 | 0x20 == $1 }
    }
}

extension StringProtocol {
    /// The text with its ASCII letters in lower case. Other letters stay: the lower case of U+212A
    /// is `k`.
    var asciiLowercased: String {
        String(decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
