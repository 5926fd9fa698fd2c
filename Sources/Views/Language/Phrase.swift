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

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(source)
    }
}

/// A phrase in the forms that a number asks for; `other` stands in for those that a language does not have.
struct Plural: Sendable, Hashable, Codable {
    let zero, one, two, few, many: Phrase?
    let other: Phrase

    func form(for count: Int, by rule: PluralRule) -> Phrase {
        switch rule.form(of: count) {
        case .zero: zero ?? other
        case .one: one ?? other
        case .two: two ?? other
        case .few: few ?? other
        case .many: many ?? other
        case .other: other
        }
    }
}

/// How a language counts whole things; a language file names its rule. Source: CLDR plural rules, cardinals.
enum PluralRule: String, Sendable, Codable {
    /// Chinese, Japanese, Korean, Thai, Vietnamese, Indonesian.
    case none
    /// One thing, or several: English, German, Dutch, Swedish, Spanish, Italian, Greek, Turkish, Hebrew without its dual.
    case oneOrMore
    /// None counts as one: French, Portuguese, Hindi, Persian.
    case upToOne
    case arabic
    /// Russian, Ukrainian.
    case eastSlavic
    case polish
    /// Czech, Slovak.
    case westSlavic

    enum Form { case zero, one, two, few, many, other }

    func form(of count: Int) -> Form {
        let (tens, units) = (count % 100, count % 10)
        let isFew = (2...4).contains(units) && !(12...14).contains(tens)
        return switch self {
        case .none: .other
        case .oneOrMore: count == 1 ? .one : .other
        case .upToOne: count <= 1 ? .one : .other
        case .arabic:
            switch count {
            case 0: .zero
            case 1: .one
            case 2: .two
            default: (3...10).contains(tens) ? .few : tens >= 11 ? .many : .other
            }
        case .eastSlavic: units == 1 && tens != 11 ? .one : isFew ? .few : .many
        case .polish: count == 1 ? .one : isFew ? .few : .many
        case .westSlavic: count == 1 ? .one : (2...4).contains(count) ? .few : .other
        }
    }
}
