/// A phrase in the plural forms of its language. `other` is used for the categories that a language
/// does not have.
struct Plural: Sendable, Hashable, Codable {
    let zero, one, two, few, many: Phrase?
    let other: Phrase

    func phrase(for count: Int, by rule: PluralRule) -> Phrase { self[rule.category(of: count)] }

    /// The categories that have their own form.
    var categories: Set<PluralRule.Category> {
        let forms: [(PluralRule.Category, Phrase?)] = [(.zero, zero), (.one, one), (.two, two), (.few, few), (.many, many)]
        return Set(forms.filter { $0.1 != nil }.map(\.0)).union([.other])
    }

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
/// cardinals. A rule has only the categories that whole numbers use.
enum PluralRule: String, Sendable, Codable, CaseIterable {
    /// Chinese, Indonesian, Japanese, Korean, Thai, Vietnamese.
    case none
    /// One and other: most languages of Europe, Turkish, and the Portuguese of Portugal.
    case oneOrMore
    /// Zero counts as one: French, Hindi, Persian, and the Portuguese of Brazil.
    case upToOne
    case arabic
    /// Russian, Ukrainian.
    case eastSlavic
    case polish
    /// Czech, Slovak.
    case westSlavic
    /// Croatian, Serbian.
    case southSlavic
    case slovenian
    case lithuanian
    case latvian
    case romanian
    case hebrew
    case filipino

    enum Category: String, Sendable, Hashable, CaseIterable { case zero, one, two, few, many, other }

    /// The categories that a language file has forms for, in CLDR's order.
    var categories: [Category] {
        let used = Set((0...200).map(category) + [.other])
        return Category.allCases.filter(used.contains)
    }

    /// The category of a number that is not negative.
    func category(of count: Int) -> Category {
        let (tens, units) = (count % 100, count % 10)
        let isTeen = (11...19).contains(tens)
        let isSlavicFew = (2...4).contains(units) && !(12...14).contains(tens)
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
        case .eastSlavic: units == 1 && tens != 11 ? .one : isSlavicFew ? .few : .many
        case .polish: count == 1 ? .one : isSlavicFew ? .few : .many
        case .westSlavic: count == 1 ? .one : (2...4).contains(count) ? .few : .other
        case .southSlavic: units == 1 && tens != 11 ? .one : isSlavicFew ? .few : .other
        case .slovenian: tens == 1 ? .one : tens == 2 ? .two : (3...4).contains(tens) ? .few : .other
        case .lithuanian: units == 0 || isTeen ? .other : units == 1 ? .one : .few
        case .latvian: units == 0 || isTeen ? .zero : units == 1 ? .one : .other
        case .romanian: count == 1 ? .one : count == 0 || (1...19).contains(tens) ? .few : .other
        case .hebrew: count == 1 ? .one : count == 2 ? .two : .other
        case .filipino: [4, 6, 9].contains(units) ? .other : .one
        }
    }
}
