extension StringProtocol where SubSequence == Substring {
    /// The text without spaces and tabs at either end.
    var trimmed: String { String(Substring(self[...].utf8.trimmed)) }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// The bytes without spaces and tabs at either end. Source: RFC 9110 section 5.6.3, OWS.
    var trimmed: Self {
        var text = drop(while: Self.isSpace)
        while let last = text.last, Self.isSpace(last) { text.removeLast() }
        return text
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
