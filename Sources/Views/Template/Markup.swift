extension String {
    /// Escaped for elements and quoted attributes alike, by scalars: swift-mustache escapes by characters, and lets a quotation mark
    /// pass that carries a combining accent, though a browser sees it end the attribute (P7).
    package var markup: String {
        guard utf8.contains(where: { $0 < 0x20 || "\"&'<>".utf8.contains($0) }) else { return self }
        var markup = ""
        markup.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar {
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            case "&": markup += "&amp;"
            case "\"": markup += "&quot;"
            case "'": markup += "&#39;"
            case "\r": markup += "&#13;"
            case "\0": markup += "\u{fffd}"
            default: markup.unicodeScalars.append(scalar)
            }
        }
        return markup
    }
}
