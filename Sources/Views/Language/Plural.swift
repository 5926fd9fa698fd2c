/// A phrase in the plural forms of its language. `other` is used for the categories that a language
/// does not have.
struct Plural: Sendable, Hashable, Codable {
    let zero, one, two, few, many: Phrase?
    let other: Phrase

    func phrase(for count: Int, by rule: PluralRule) -> Phrase { self[rule.category(of: count)] }

    subscript(category: PluralRule.Category) -> Phrase {
        switch category {
        case .zero: zero ?? other
        case .one: one ?? other
        case .two: two ?? other
        case .few: few ?? other
        case .many: many ?? other
        case .other: other
        }
    }
}

/// The plural rule of a language for whole numbers, named in its file. Source: CLDR plural rules,
/// cardinals.
enum PluralRule: String, Sendable, Codable {
    /// Chinese, Japanese, Korean, Thai, Vietnamese, Indonesian.
    case none
    /// One and other: English, German, Dutch, Swedish, Spanish, Italian, Greek, Turkish, and Hebrew
    /// without its dual.
    case oneOrMore
    /// Zero counts as one: French, Portuguese, Hindi, Persian.
    case upToOne
    case arabic
    /// Russian, Ukrainian.
    case eastSlavic
    case polish
    /// Czech, Slovak.
    case westSlavic

    enum Category: Sendable, Hashable { case zero, one, two, few, many, other }

    func category(of count: Int) -> Category {
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
