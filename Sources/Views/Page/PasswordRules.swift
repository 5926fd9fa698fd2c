import Accounts

extension PasswordRequirements {
    var shortest: Int { minimumLength ?? PasswordPolicy().minimumLength }

    /// The rules above the field. A maximum that no user reaches is left out.
    func rules(in language: Language) -> [TemplateContext] {
        let lengths: [PasswordPolicy.Objection] = (maximumLength ?? .max) < 1000 ? [.tooShort, .tooLong] : [.tooShort]
        let lacking = CharacterClass.allCases.filter(classes.contains).map { PasswordPolicy.Objection.lacks($0) }
        return (lengths + lacking).map { [.text: $0.value(in: language, under: self), .rule: .text($0.rule(under: self))] }
    }
}

extension PasswordPolicy.Objection {
    /// The rule that the password breaks, as the page's script reads it.
    func rule(under requirements: PasswordRequirements) -> String {
        switch self {
        case .tooShort: "min \(requirements.shortest)"
        case .tooLong: "max \(requirements.maximumLength ?? PasswordPolicy().maximumLength)"
        case .lacks(let kind): kind.rawValue
        case .empty, .common, .containsOwnWords, .unexplained: ""
        }
    }

    /// The objection in the words of the rule that the password breaks.
    /// - Parameter typed: the length of the typed password; nil: the rule itself is meant.
    func value(in language: Language, under requirements: PasswordRequirements, typed: Int? = nil) -> TemplateValue {
        let phrases = language.phrases.password
        func counted(_ wording: Plural, _ count: Int) -> TemplateValue {
            .phrase(wording.phrase(for: count, by: language.plural), [.count: .text(language.number(count))])
        }
        let (shortest, longest) = (requirements.shortest, requirements.maximumLength ?? PasswordPolicy().maximumLength)
        return switch self {
        case .empty: .phrase(phrases.empty, [:])
        case .tooShort where typed.map { $0 < shortest } ?? false: counted(phrases.more, shortest - (typed ?? 0))
        case .tooLong where typed.map { $0 > longest } ?? false: counted(phrases.fewer, (typed ?? 0) - longest)
        case .tooShort: counted(phrases.minimum, shortest)
        case .tooLong: counted(phrases.maximum, longest)
        case .lacks(.lowercase): .phrase(phrases.needsLowercase, [:])
        case .lacks(.uppercase): .phrase(phrases.needsUppercase, [:])
        case .lacks(.numeric): .phrase(phrases.needsDigit, [:])
        case .lacks(.nonAlphanumeric): .phrase(phrases.needsSymbol, [:])
        case .common: .phrase(phrases.tooCommon, [:])
        case .containsOwnWords: .phrase(phrases.tooPersonal, [:])
        case .unexplained: .phrase(phrases.refusedUnexplained, [:])
        }
    }
}
