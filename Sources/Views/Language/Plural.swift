/// A phrase in the forms that a number asks for; `other` stands in for those that a language does not have.
struct Plural: Sendable, Hashable, Codable {
    let zero, one, two, few, many: Phrase?
    let other: Phrase

    func form(for count: Int, by rule: PluralRule) -> Phrase { self[rule.form(of: count)] }

    subscript(form: PluralRule.Form) -> Phrase {
        switch form {
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

    enum Form: Sendable, Hashable { case zero, one, two, few, many, other }

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
