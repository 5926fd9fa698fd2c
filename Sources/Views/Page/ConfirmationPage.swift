package import AppLinks
package import Foundation

/// The page before an action: the app, the account, what the button does, where it leads, and how
/// long the link works.
package struct ConfirmationPage: Sendable, Hashable {
    /// The action that the button applies.
    package var action: Action
    /// The button's form, sent by POST.
    package var form: Form
    /// The account's address, as far as a holder of the code may see it; for `recoverEmail` the
    /// address to restore.
    package var account: String?
    /// The new address of `verifyAndChangeEmail`.
    package var newAccount: String?
    /// The second factor that `revertSecondFactorAddition` removes: its name or the end of its
    /// number.
    package var factor: String?
    /// The host of the continue URL, if there is one.
    package var destination: String?
    /// The time at which the link expires.
    var expires: RelativeTime?
    /// The time at which a newer link for the same purpose was sent. Both links work.
    var newerSent: RelativeTime?
    /// The password rules above the field of `resetPassword`.
    package var rules: PasswordRules
    /// The reasons why the submitted password was refused.
    package var problems: [PasswordProblem]
    /// The question that the user has to answer; nil: the press is enough.
    package var question: ConfirmationQuestion?
    /// Whether the page leaves out what only Onward's own accounts are sure to do: signing out
    /// elsewhere, and the mail to the old address.
    package var isBrief: Bool
    /// The code with which a phone opens the link; nil if the page offers none.
    package var phoneCode: ScannableCode?

    package init(
        _ action: Action, form: Form, account: String? = nil, newAccount: String? = nil, factor: String? = nil,
        destination: String? = nil, expires: Date? = nil, newerSent: Date? = nil, rules: PasswordRules = PasswordRules(),
        problems: [PasswordProblem] = [], question: ConfirmationQuestion? = nil, isBrief: Bool = false,
        phoneCode: ScannableCode? = nil
    ) {
        self.action = action
        self.form = form
        self.account = account
        self.newAccount = newAccount
        self.factor = factor
        self.destination = destination
        self.expires = expires.map(RelativeTime.future)
        self.newerSent = newerSent.map(RelativeTime.past)
        self.rules = rules
        self.problems = problems
        self.question = question
        self.isBrief = isBrief
        self.phoneCode = phoneCode
    }
}

/// A QR code, as the attributes of an SVG image.
package struct ScannableCode: Sendable, Hashable {
    package var viewBox: String
    /// The black modules, as lines one unit wide.
    package var path: String

    package init(viewBox: String, path: String) {
        self.viewBox = viewBox
        self.path = path
    }
}

/// A question by which the page tells a person from a program.
package enum ConfirmationQuestion: Sendable, Hashable, CaseIterable {
    /// The page asks for the number in the mail from the start.
    case number
    /// The page asks for it after a press.
    case numberAfterPress
    case wrongNumber
    /// The page asks for a second press.
    case secondPress
}

/// A project's rules for passwords, as the page lists them.
package struct PasswordRules: Sendable, Hashable {
    /// In characters.
    package var minimum: Int
    /// In characters; nil: not listed.
    package var maximum: Int?
    /// The kinds of character that a password must contain.
    package var needsLowercase = false, needsUppercase = false, needsDigit = false, needsSymbol = false

    package init(minimum: Int = 8, maximum: Int? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }
}

/// A reason why a password is refused, shown beside the field.
package enum PasswordProblem: String, Sendable, Hashable, CaseIterable {
    case empty, tooShort, tooLong, needsLowercase, needsUppercase, needsDigit, needsSymbol
    /// The password is on the list of common passwords.
    case tooCommon
    /// The password is made of the user's address or the app's name.
    case tooPersonal
    /// The upstream refused the password and did not say why.
    case refusedUnexplained
}

/// A row such as *Account: ada@app.example*.
typealias Fact = (label: Phrase, value: TemplateValue)

extension TemplateValue {
    /// A list of facts; nil if it would be empty.
    static func facts(_ rows: [Fact]) -> TemplateValue? {
        rows.isEmpty ? nil : .group([.rows: .list(rows.map { [.label: .phrase($0.label, [:]), .value: $0.value] })])
    }
}

extension ConfirmationPage {
    func context(in language: Language, _ brand: Brand, _ now: Date) -> TemplateContext {
        let phrases = language.phrases
        let wording = phrases.confirm[action]
        var arguments = brand.arguments
        arguments[.account] = account.map { .address($0) }
        arguments[.factor] = factor.map { .name($0) }

        var context = TemplateContext(
            Phrases.Heading(title: wording.title, lead: isBrief ? wording.briefLead ?? wording.lead : wording.lead), arguments)
        context[.facts] = .facts(facts(in: language) + validity(in: language, now, brand.timeZone))
        context[.note] = newerSent.map {
            .phrase(phrases.facts.newer, $0.formatted(in: language, at: now, brand.timeZone).arguments(in: language))
        }
        context[.form] = .group(form.context)
        context[.button] = .phrase(wording.button.isFilled(by: arguments) ? wording.button : wording.plainButton, arguments)
        context[.advice] = .phrase(wording.notYou, arguments)
        context[.password] = action.setsPassword ? .group(passwordContext(in: language)) : nil
        context[.asked] = question?.note(by: phrases.question).map { .phrase($0, arguments) }
        context[.number] = question?.field(in: language).map { .group($0) }
        context[.phone] = phoneCode.map { .group($0.context(in: language)) }
        return context
    }

    /// The facts about the action: its addresses and where it leads. Mails list them as well.
    func facts(in language: Language) -> [Fact] {
        let phrases = language.phrases.facts
        let addresses = action.addresses.map { role in
            let (label, address) =
                switch role {
                case .account: (phrases.account, account)
                case .old: (phrases.oldAccount, account)
                case .new: (phrases.newAccount, newAccount)
                case .restored: (phrases.restoredAccount, account)
                case .current: (phrases.presentAccount, newAccount)
                }
            return (label, address.map { TemplateValue.address($0) })
        }
        let rows: [(Phrase, TemplateValue?)] =
            addresses + [
                (phrases.factor, factor.map { .name($0) }), (phrases.destination, destination.map { .address($0) }),
            ]
        return rows.compactMap { label, value in value.map { (label, $0) } }
    }

    /// How long the link works, and until when; empty if that is not known.
    func validity(in language: Language, _ now: Date, _ zone: NamedTimeZone) -> [Fact] {
        let phrases = language.phrases.facts
        guard let time = expires?.formatted(in: language, at: now, zone) else { return [] }
        return [(phrases.validity, .phrase(phrases.validFor, time.arguments(in: language)))]
    }

    private func passwordContext(in language: Language) -> TemplateContext {
        let phrases = language.phrases.password
        var context: TemplateContext = [
            .label: .phrase(phrases.label, [:]), .show: .phrase(phrases.show, [:]), .hide: .phrase(phrases.hide, [:]),
            .weak: .phrase(phrases.strengthWeak, [:]), .fair: .phrase(phrases.strengthFair, [:]), .good: .phrase(phrases.strengthGood, [:]),
            .minimum: .text("\(rules.minimum)"),
            .rules: .list(rules.values(in: language).map { [.text: $0] }),
        ]
        context[.username] = account.map { .text($0) }
        if !problems.isEmpty {
            context[.problem] = .phrase(phrases.refused, [:])
            context[.problems] = .list(problems.map { [.text: $0.value(in: language, under: rules)] })
        }
        return context
    }
}

extension ConfirmationQuestion {
    /// The reason why the page asks, after a press.
    fileprivate func note(by phrases: Phrases.Question) -> Phrase? {
        switch self {
        case .number, .wrongNumber: nil
        case .numberAfterPress: phrases.why
        case .secondPress: phrases.pressAgain
        }
    }

    /// The field for the number.
    fileprivate func field(in language: Language) -> TemplateContext? {
        guard self != .secondPress else { return nil }
        let phrases = language.phrases
        var context: TemplateContext = [.label: .phrase(phrases.facts.number, [:]), .text: .phrase(phrases.question.number, [:])]
        if self == .wrongNumber { context[.problem] = .phrase(phrases.question.wrong, [:]) }
        // The page after a press opens at the field.
        if self != .number { context[.focus] = .flag }
        return context
    }
}

extension PasswordRules {
    fileprivate func values(in language: Language) -> [TemplateValue] {
        let asked: [(Bool, PasswordProblem)] = [
            (true, .tooShort), (maximum != nil, .tooLong), (needsLowercase, .needsLowercase), (needsUppercase, .needsUppercase),
            (needsDigit, .needsDigit), (needsSymbol, .needsSymbol),
        ]
        return asked.filter(\.0).map { $0.1.value(in: language, under: self) }
    }
}

extension PasswordProblem {
    /// The problem in the words of the rule that it breaks.
    fileprivate func value(in language: Language, under rules: PasswordRules) -> TemplateValue {
        let phrases = language.phrases.password
        func counted(_ wording: Plural, _ count: Int) -> TemplateValue {
            .phrase(wording.phrase(for: count, by: language.plural), [.count: .text(language.number(count))])
        }
        return switch self {
        case .empty: .phrase(phrases.empty, [:])
        case .tooShort: counted(phrases.minimum, rules.minimum)
        case .tooLong: counted(phrases.maximum, rules.maximum ?? 4096)
        case .needsLowercase: .phrase(phrases.needsLowercase, [:])
        case .needsUppercase: .phrase(phrases.needsUppercase, [:])
        case .needsDigit: .phrase(phrases.needsDigit, [:])
        case .needsSymbol: .phrase(phrases.needsSymbol, [:])
        case .tooCommon: .phrase(phrases.tooCommon, [:])
        case .tooPersonal: .phrase(phrases.tooPersonal, [:])
        case .refusedUnexplained: .phrase(phrases.refusedUnexplained, [:])
        }
    }
}

extension ScannableCode {
    fileprivate func context(in language: Language) -> TemplateContext {
        let phrases = language.phrases.phone
        return [
            .heading: .phrase(phrases.title, [:]), .text: .phrase(phrases.lead, [:]), .label: .plain(phrases.code, [:]),
            .viewBox: .text(viewBox), .path: .text(path),
        ]
    }
}
