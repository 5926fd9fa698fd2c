import AppLinks
import Foundation

/// A row such as *Account: ada@app.example*.
typealias Fact = (label: Phrase, value: Value)

extension Value {
    /// Nil without rows, so that no empty list is drawn.
    static func facts(_ rows: [Fact]) -> Value? {
        rows.isEmpty ? nil : .group([.rows: .list(rows.map { [.label: .phrase($0.label, [:]), .value: $0.value] })])
    }
}

extension Confirmation {
    func fields(in language: Language, _ brand: Brand, _ now: Date) -> Fields {
        let words = language.words
        let wording = words.confirm[action]
        var blanks = brand.blanks
        blanks[.account] = account.map { .address($0) }
        blanks[.factor] = factor.map { .name($0) }

        var fields = Fields(Words.Saying(title: wording.title, lead: wording.lead), blanks)
        fields[.facts] = .facts(facts(in: language, now))
        fields[.note] = newerSent.map { .phrase(words.facts.newer, $0.told(in: language, at: now).blanks(in: language)) }
        fields[.form] = .group(form.fields)
        fields[.button] = .phrase(wording.button.isFilled(by: blanks) ? wording.button : wording.plainButton, blanks)
        fields[.advice] = .phrase(wording.notYou, blanks)
        fields[.password] = action.setsPassword ? .group(passwordFields(in: language)) : nil
        return fields
    }

    /// The rows below the lead; mails have the same.
    func facts(in language: Language, _ now: Date) -> [Fact] {
        let words = language.words.facts
        let validity = expires.map { Value.phrase(words.validFor, $0.told(in: language, at: now).blanks(in: language)) }
        let addresses = action.addresses.map { role in
            let (label, address) =
                switch role {
                case .account: (words.account, account)
                case .old: (words.oldAccount, account)
                case .new: (words.newAccount, newAccount)
                case .restored: (words.restoredAccount, account)
                case .current: (words.presentAccount, newAccount)
                }
            return (label, address.map { Value.address($0) })
        }
        let rows: [(Phrase, Value?)] =
            addresses + [
                (words.factor, factor.map { .name($0) }), (words.destination, destination.map { .address($0) }), (words.validity, validity),
            ]
        return rows.compactMap { label, value in value.map { (label, $0) } }
    }

    private func passwordFields(in language: Language) -> Fields {
        let words = language.words.password
        var fields: Fields = [
            .label: .phrase(words.label, [:]), .show: .phrase(words.show, [:]), .hide: .phrase(words.hide, [:]),
            .weak: .phrase(words.strengthWeak, [:]), .fair: .phrase(words.strengthFair, [:]), .good: .phrase(words.strengthGood, [:]),
            .minimum: .text("\(rules.minimum)"),
            .rules: .list(rules.sayings(in: language).map { [.text: $0] }),
        ]
        fields[.username] = account.map { .text($0) }
        if !problems.isEmpty {
            fields[.problem] = .phrase(words.refused, [:])
            fields[.problems] = .list(problems.map { [.text: $0.saying(in: language, under: rules)] })
        }
        return fields
    }
}

extension PasswordRules {
    fileprivate func sayings(in language: Language) -> [Value] {
        let asked: [(Bool, PasswordProblem)] = [
            (true, .tooShort), (maximum != nil, .tooLong), (needsLowercase, .needsLowercase), (needsUppercase, .needsUppercase),
            (needsDigit, .needsDigit), (needsSymbol, .needsSymbol),
        ]
        return asked.filter(\.0).map { $0.1.saying(in: language, under: self) }
    }
}

extension PasswordProblem {
    /// What is missing, in the same words as the rule.
    fileprivate func saying(in language: Language, under rules: PasswordRules) -> Value {
        let words = language.words.password
        func counted(_ wording: Plural, _ count: Int) -> Value {
            .phrase(wording.form(for: count, by: language.plural), [.count: .text(language.number(count))])
        }
        return switch self {
        case .empty: .phrase(words.empty, [:])
        case .tooShort: counted(words.minimum, rules.minimum)
        case .tooLong: counted(words.maximum, rules.maximum ?? 4096)
        case .needsLowercase: .phrase(words.needsLowercase, [:])
        case .needsUppercase: .phrase(words.needsUppercase, [:])
        case .needsDigit: .phrase(words.needsDigit, [:])
        case .needsSymbol: .phrase(words.needsSymbol, [:])
        case .tooCommon: .phrase(words.tooCommon, [:])
        case .tooPersonal: .phrase(words.tooPersonal, [:])
        }
    }
}
