extension String {
    /// Escaped for elements and quoted attributes alike, by bytes: swift-mustache escapes by characters, and lets a quotation mark
    /// pass that carries a combining accent, though a browser sees it end the attribute (P7).
    package var markup: String {
        guard utf8.contains(where: \.isMarkup) else { return self }
        var bytes: [UInt8] = []
        bytes.append(markupOf: self)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// The same, at the end of a page.
    mutating func append(markupOf text: String) {
        guard text.utf8.contains(where: \.isMarkup) else { return append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "&"): append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "\""): append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): append(contentsOf: "&#39;".utf8)
            case UInt8(ascii: "\r"): append(contentsOf: "&#13;".utf8)
            case 0: append(contentsOf: "\u{fffd}".utf8)
            default: append(byte)
            }
        }
    }
}

extension UInt8 {
    /// Whether it cannot stand as it is. All such are ASCII, and no byte of another character is.
    fileprivate var isMarkup: Bool { self < 0x40 && Self.markup >> UInt64(self) & 1 == 1 }

    private static let markup = "<>&\"'\r\0".utf8.reduce(into: UInt64(0)) { $0 |= 1 << UInt64($1) }
}
