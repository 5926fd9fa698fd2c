extension String {
    /// Escaped for elements and quoted attributes alike, by bytes: swift-mustache escapes by characters, and lets a quotation mark
    /// pass that carries a combining accent, though a browser sees it end the attribute (P7).
    package var markup: String {
        guard utf8.contains(where: { $0.escape != nil }) else { return self }
        var bytes: [UInt8] = []
        bytes.append(markupOf: self)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// The same, at the end of a page.
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
    /// What stands for it where it cannot stand as it is. All such are ASCII, and no byte of another character is.
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
