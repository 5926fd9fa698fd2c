/// What a phrase leaves open.
enum Blank: String, Sendable, CaseIterable {
    case app, account, newAccount, factor, host, time, duration, count, help, id, name
}

/// A sentence of a language file with its `{blanks}`, split when the file is read: what is filled in is never looked at again (M10).
struct Phrase: Sendable, Hashable, Codable {
    enum Piece: Sendable, Hashable {
        case words(String)
        case blank(Blank)
    }

    let source: String
    let pieces: [Piece]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        source = try container.decode(String.self)
        guard !source.holdsMark else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a character that has no meaning outside of programs")
        }
        var pieces: [Piece] = []
        for (index, part) in source.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
            guard index > 0 else {
                pieces.append(.words(String(part)))
                continue
            }
            let ends = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            guard ends.count == 2, let blank = Blank(rawValue: String(ends[0])) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown placeholder {\(ends[0])}")
            }
            pieces += [.blank(blank), .words(String(ends[1]))]
        }
        self.pieces = pieces.filter { $0 != .words("") }
    }

    /// Whether `values` has a value for each of the blanks.
    func isFilled(by values: [Blank: Value]) -> Bool {
        pieces.allSatisfy { if case .blank(let blank) = $0 { values[blank] != nil } else { true } }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(source)
    }
}
