extension String {
    /// The text escaped for elements and quoted attributes.
    ///
    /// It is escaped by bytes: swift-mustache escapes by characters, so it misses a quotation mark
    /// with a combining accent, which ends the attribute in a browser (P7).
    public var markup: String {
        guard utf8.contains(where: { $0.escape != nil }) else { return self }
        var bytes: [UInt8] = []
        bytes.append(markupOf: self)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends an escaped text.
    mutating func append(markupOf text: String) {
        var text = text
        text.withUTF8 { bytes in
            guard bytes.contains(where: { $0.escape != nil }) else { return append(contentsOf: bytes) }
            for byte in bytes {
                if let escape = byte.escape { append(contentsOf: escape.utf8) } else { append(byte) }
            }
        }
    }
}

extension UInt8 {
    /// The escape sequence of a byte; nil if it needs none. Only ASCII needs one, and no byte of a
    /// longer UTF-8 sequence is ASCII.
    fileprivate var escape: String? {
        switch self {
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        case UInt8(ascii: "\r"): "&#13;"
        case 0: "\u{fffd}"
        default: nil
        }
    }
}
