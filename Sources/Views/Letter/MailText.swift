extension String {
    /// The text if it can be the name of a person: without a telephone number.
    var personName: String? {
        unicodeScalars.count { $0.properties.numericType == .decimal } < 5 ? plainName : nil
    }

    /// The text if it can be a name: nil if a mail program could turn it into a link, if it could
    /// turn the text around it, or if it is longer than a name. Users choose their names, and could
    /// otherwise send advertisements by our mails.
    public var plainName: String? {
        guard (1...60).contains(count), utf8.count <= 240, !contains(where: \.isNewline) else { return nil }
        // Joiners are parts of letters and emoji.
        let joiners: Set<Unicode.Scalar> = ["\u{200c}", "\u{200d}"]
        guard !unicodeScalars.contains(where: { $0.properties.generalCategory == .format && !joiners.contains($0) }) else { return nil }
        var previous: Unicode.Scalar = " "
        for scalar in unicodeScalars {
            let isPartOfLink = "/:@\\".unicodeScalars.contains(scalar) || previous == "." && !scalar.properties.isWhitespace
            if isPartOfLink { return nil }
            previous = scalar
        }
        return self
    }

    /// The text as one line without control characters, for a header field (M6).
    public var oneLine: String {
        split { $0.isNewline || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }.joined(separator: " ")
    }
}

/// The text in lines of at most 72 columns, for old mail programs. Several empty lines become one.
///
/// Lines break at spaces and between Chinese and Japanese characters, so that a link of any length
/// stays whole (L6). Thai has spaces between its clauses, which are shorter than a line.
func wrapped(_ text: String) -> String {
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.columns <= maxColumns {
            if !(line.isEmpty && lines.last?.isEmpty != false) { lines.append(line) }
        } else {
            lines += broken(line)
        }
    }
    return lines.joined(separator: "\n")
}

private let maxColumns = 72

/// The lines of a paragraph that is too long for one.
private func broken(_ paragraph: Substring) -> [Substring] {
    var lines: [Substring] = []
    var (start, end, columns) = (paragraph.startIndex, paragraph.startIndex, 0)
    for piece in paragraph.unbrokenPieces {
        // The space before a piece is dropped where a line breaks.
        let gap = paragraph[end..<piece.startIndex].count
        if columns > 0, columns + gap + piece.columns > maxColumns {
            lines.append(paragraph[start..<end])
            (start, columns) = (piece.startIndex, 0)
        } else {
            columns += gap
        }
        columns += piece.columns
        end = piece.endIndex
    }
    return lines + [paragraph[start..<end]]
}

extension Substring {
    /// In a font of fixed width, where Chinese, Japanese and Korean characters have two columns.
    fileprivate var columns: Int { reduce(0) { $0 + ($1.isWide ? 2 : 1) } }

    /// The parts between which a line may break: words, and the characters of words in Chinese and
    /// Japanese. A link is one part, whatever its characters, and so is an address of such
    /// characters. An address of others is one part of the sentence around it.
    fileprivate var unbrokenPieces: [Substring] {
        split(separator: " ").flatMap { word in
            word.contains("://") || word.hasIdeographicAddress ? [word] : word.splitBeforeIdeographs
        }
    }

    private var hasIdeographicAddress: Bool {
        zip(self, dropFirst()).contains { $0 == "@" && $1.isWide || $0.isWide && $1 == "@" }
    }

    private var splitBeforeIdeographs: [Substring] {
        var (pieces, start) = ([Substring](), startIndex)
        for (index, next) in zip(indices, indices.dropFirst()) where self[index].canEndLine(before: self[next]) {
            pieces.append(self[start..<next])
            start = next
        }
        return pieces + [self[start...]]
    }
}

extension Character {
    /// Source: Unicode Standard Annex 11, the blocks with the property W or F.
    fileprivate var isWide: Bool {
        switch unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff01...0xff60,
            0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
            true
        default: false
        }
    }

    /// Korean is written with spaces between words, so only its words are kept whole.
    private var isIdeographic: Bool {
        switch unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115f, 0x3130...0x318f, 0xac00...0xd7a3, 0x1f300...0x1faff: false
        default: isWide
        }
    }

    /// Whether a line may end between two characters without a space. Source: Unicode Standard
    /// Annex 14, the classes ID, CL, EX, NS and OP.
    fileprivate func canEndLine(before next: Character) -> Bool {
        (isIdeographic || next.isIdeographic) && !Self.neverFirst.contains(next) && !Self.neverLast.contains(self)
    }

    private static let neverFirst = Set("、。，．・：；？！）］｝〉》」』】〕〗’”…‥ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)]}%")
    private static let neverLast = Set("（［｛〈《「『【〔〖‘“([{")
}
