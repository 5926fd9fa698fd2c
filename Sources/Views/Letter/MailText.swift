extension String {
    /// The text if it can be a name: nil if a mail program could turn it into a link or if it is longer
    /// than a name. Users choose their names, and could otherwise send advertisements by our mails.
    package var plainName: String? {
        let looksLikeALink = contains(#/[\/:@\\]|\.\S/#) || contains { $0.isNewline }
        return (1...60).contains(count) && !looksLikeALink ? self : nil
    }

    /// The text as one line without control characters, for a header field (M6).
    package var oneLine: String {
        split { $0.isNewline || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }.joined(separator: " ")
    }
}

/// The text in lines of at most 72 characters, for old mail programs. Lines break at spaces only, so
/// that a link of any length stays whole (L6). Several empty lines become one.
func wrapped(_ text: String) -> String {
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        guard line.count > 72 else {
            if !(line.isEmpty && lines.last?.isEmpty != false) { lines.append(line) }
            continue
        }
        var start = line.startIndex
        while line.distance(from: start, to: line.endIndex) > 72 {
            let end = line.index(start, offsetBy: 72)
            guard let space = line[start...end].lastIndex(of: " ") ?? line[end...].firstIndex(of: " ") else { break }
            lines.append(line[start..<space])
            start = line.index(after: space)
        }
        lines.append(line[start...])
    }
    return lines.joined(separator: "\n")
}
