/// An argument of a phrase, such as `{app}`.
enum PhraseArgument: String, Sendable, CaseIterable {
    case app, account, newAccount, factor, host, time, duration, count, help, id, name, browser, system, provider, code, number
}

/// A sentence of a language file with its `{arguments}`.
///
/// It is split when the file is read, so that inserted values are never searched for arguments
/// (M10).
struct Phrase: Sendable, Hashable, Codable {
    enum Piece: Sendable, Hashable {
        case words(String)
        case argument(PhraseArgument)
    }

    let source: String
    let pieces: [Piece]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        source = try container.decode(String.self)
        guard !source.containsMark else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "contains a character that Unicode reserves for programs")
        }
        var pieces: [Piece] = []
        for (index, part) in source.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
            guard index > 0 else {
                pieces.append(.words(String(part)))
                continue
            }
            let ends = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            guard ends.count == 2, let argument = PhraseArgument(rawValue: String(ends[0])) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown placeholder {\(ends[0])}")
            }
            pieces += [.argument(argument), .words(String(ends[1]))]
        }
        self.pieces = pieces.filter { $0 != .words("") }
    }

    /// Whether `values` has a value for each of the arguments.
    func isFilled(by values: PhraseArguments) -> Bool {
        pieces.allSatisfy { if case .argument(let argument) = $0 { values[argument] != nil } else { true } }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(source)
    }
}
