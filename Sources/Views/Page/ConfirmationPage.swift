public import Accounts
public import Foundation

/// The page before an action: the app, the account, what the button does, and below it where it
/// leads and how long the link works.
public struct ConfirmationPage: Sendable, Hashable {
    /// The action that the button applies.
    public var action: Action
    /// The button's form, sent by POST.
    public var form: Form
    /// The account's address; only the part that a holder of the code may see. For `recoverEmail`,
    /// the address to restore.
    public var account: String?
    /// The new address of `verifyAndChangeEmail`.
    public var newAccount: String?
    /// The second factor that `revertSecondFactorAddition` removes: its name or the end of its
    /// number.
    public var factor: String?
    /// The host of the continue URL, if there is one.
    public var destination: String?
    /// The time at which the link expires.
    var expires: RelativeTime?
    /// The time at which a newer link for the same purpose was sent. Both links work.
    var newerSent: RelativeTime?
    /// The time at which the link was asked for.
    var requested: RelativeTime?
    /// The device that the request came from.
    public var device: ClientDevice?
    /// The ways to sign in to the account, which the button accepts.
    public var waysIn: WaysIn?
    /// The time at which the account was made, for one that gets its first address.
    var accountCreated: RelativeTime?
    /// A choice that the page offers besides its button.
    public var offer: Offer?
    /// The choice that the page is about in place of its action.
    public var choice: ActionChoice?
    /// The time at which the account was made that has the address which `takeAddress` takes.
    var rivalMade: RelativeTime?
    /// The password rules above the field of `resetPassword`.
    public var rules: PasswordRules
    /// The reasons why the submitted password was refused.
    public var problems: [PasswordProblem]
    /// The question that the user has to answer; nil: the press is enough.
    public var question: ConfirmationQuestion?
    /// Whether the page leaves out what only Onward's own accounts are sure to do: signing out
    /// elsewhere, and the mail to the old address.
    public var isBrief: Bool
    /// The code that opens the link on a phone; nil if the page offers none.
    public var phoneCode: ScannableCode?

    public init(
        _ action: Action, form: Form, account: String? = nil, newAccount: String? = nil, factor: String? = nil,
        destination: String? = nil, expires: Date? = nil, newerSent: Date? = nil, requested: Date? = nil, device: ClientDevice? = nil,
        waysIn: WaysIn? = nil, accountCreated: Date? = nil, offer: Offer? = nil, choice: ActionChoice? = nil, rivalMade: Date? = nil,
        rules: PasswordRules = PasswordRules(), problems: [PasswordProblem] = [], question: ConfirmationQuestion? = nil,
        isBrief: Bool = false, phoneCode: ScannableCode? = nil
    ) {
        self.action = action
        self.form = form
        self.account = account
        self.newAccount = newAccount
        self.factor = factor
        self.destination = destination
        self.expires = expires.map(RelativeTime.future)
        self.newerSent = newerSent.map(RelativeTime.past)
        self.requested = requested.map(RelativeTime.past)
        self.device = device
        self.waysIn = waysIn
        self.accountCreated = accountCreated.map(RelativeTime.past)
        self.offer = offer
        self.choice = choice
        self.rivalMade = rivalMade.map(RelativeTime.past)
        self.rules = rules
        self.problems = problems
        self.question = question
        self.isBrief = isBrief
        self.phoneCode = phoneCode
    }
}

extension ConfirmationPage {
    /// A quiet button that leads to the page of another choice.
    public struct Offer: Sendable, Hashable {
        public var choice: ActionChoice
        /// Sent by GET.
        public var form: Form

        public init(_ choice: ActionChoice, form: Form) { (self.choice, self.form) = (choice, form) }
    }
}

extension WaysIn {
    /// The names that the account's owner knows; nil if there are none.
    fileprivate func value(in language: Language) -> TemplateValue? {
        let all = (hasPassword ? [language.plain(language.phrases.facts.password, [:])] : []) + names
        // Each has its own direction.
        let isolated = language.isRightToLeft ? all.map { "\u{2068}\($0)\u{2069}" } : all
        return isolated.isEmpty ? nil : .name(isolated.joined(separator: " · "))
    }
}

/// A QR code, as the attributes of an SVG image.
public struct ScannableCode: Sendable, Hashable {
    public var viewBox: String
    /// The black modules, as lines one unit wide.
    public var path: String

    public init(viewBox: String, path: String) {
        self.viewBox = viewBox
        self.path = path
    }
}

/// A question that lets the page tell a person from a program.
public enum ConfirmationQuestion: Sendable, Hashable, CaseIterable {
    /// The page asks for the number in the mail from the start.
    case number
    /// The page asks for it after a press.
    case numberAfterPress
    case wrongNumber
    /// The page asks for a second press.
    case secondPress
    /// The page asks for another press, because the ways to sign in have changed.
    case changedWays
    /// As before, with the number that the page had asked for.
    case changedWaysAndNumber
}

/// A project's rules for passwords, as the page lists them.
public struct PasswordRules: Sendable, Hashable {
    /// In characters.
    public var minimum: Int
    /// In characters; nil: not listed.
    public var maximum: Int?
    /// The kinds of character that a password must contain.
    public var needsLowercase = false, needsUppercase = false, needsDigit = false, needsSymbol = false
    /// The characters that count as symbols, listed once one was missing; empty: they are not.
    public var symbols = ""

    public init(minimum: Int = 8, maximum: Int? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }
}

/// A reason why a password is refused, shown beside the field.
public enum PasswordProblem: String, Sendable, Hashable, CaseIterable {
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
        let wording = wording(by: phrases)
        var arguments = brand.arguments
        arguments[.account] = account.map { .address($0) }
        arguments[.factor] = factor.map { .name($0) }

        let lead = isBrief ? wording.briefLead ?? wording.lead : wording.lead
        var context = TemplateContext(Phrases.Heading(title: wording.title, lead: lead), arguments)
        if let news = news(by: phrases) { context[.pageTitle] = .plain(news, arguments) }
        // The field comes first, and what is to be read follows the button.
        if action.setsPassword { (context[.lead], context[.effect]) = (nil, context[.lead]) }
        context[.facts] =
            action.setsPassword
            ? nil
            : .facts(
                action.facts(account, newAccount, factor: factor, waysIn, in: language) + origin(in: language, now, brand.timeZone))
        context[.small] = .list(smallPrint(in: language, now, brand.timeZone).map { [.rows: .list($0.map { [.text: $0] })] })
        context[.note] = newerSent.map {
            .phrase(phrases.facts.newer, $0.formatted(in: language, at: now, brand.timeZone).arguments(in: language))
        }
        if choice == .takeAddress, let rivalMade {
            let made = rivalMade.formatted(in: language, at: now, brand.timeZone).arguments(in: language)
            context[.note] = .phrase(phrases.choices.takeAddress, arguments.merging(made) { own, _ in own })
        }
        context[.form] = .group(form.context)
        context[.button] = .phrase(wording.button.isFilled(by: arguments) ? wording.button : wording.plainButton, arguments)
        context[.advice] = choice?.hasOwnPage == true ? nil : .phrase(wording.notYou, arguments)
        if let offer, let words = phrases.choices[offer.choice] {
            context[.offer] = .group(offer.form.context.merging([.button: .phrase(words.offer, arguments)]) { own, _ in own })
        }
        context[.password] = action.setsPassword ? .group(passwordContext(in: language)) : nil
        context[.asked] = question?.note(by: phrases.question).map { .phrase($0, arguments) }
        context[.number] = question?.field(in: language).map { .group($0) }
        context[.phone] = phoneCode.map { .group($0.context(in: language)) }
        return context
    }

    /// Whether the account gets its first address. An upstream may have left out the present one.
    var addsAddress: Bool { account == nil && newAccount != nil && !isBrief }

    private func wording(by phrases: Phrases) -> Phrases.Confirm {
        let usual = addsAddress ? phrases.addEmail.confirm : phrases.confirm[action]
        guard let chosen = choice.flatMap({ phrases.choices[$0] }) else { return usual }
        return Phrases.Confirm(
            title: chosen.title, lead: chosen.lead, button: chosen.button, plainButton: chosen.button, notYou: usual.notYou, briefLead: nil)
    }

    /// The result of a press, for the title of the browser's tab; nil before a press.
    private func news(by phrases: Phrases) -> Phrase? {
        guard problems.isEmpty else { return phrases.password.refusedTitle }
        return switch question {
        case .numberAfterPress: phrases.question.askedTitle
        case .wrongNumber: phrases.question.wrongTitle
        case .secondPress, .changedWays, .changedWaysAndNumber: phrases.question.againTitle
        case .number, nil: nil
        }
    }

    /// The lines below the button, each of its parts: whose password it is and where the user
    /// continues, and how long the link works.
    private func smallPrint(in language: Language, _ now: Date, _ zone: NamedTimeZone) -> [[TemplateValue]] {
        let phrases = language.phrases.facts
        let who = action.setsPassword ? account.map { TemplateValue.phrase(phrases.forAccount, [.account: .address($0)]) } : nil
        let next = destination.map { TemplateValue.phrase(phrases.continuesTo, [.host: .address($0)]) }
        let until = expires.map {
            TemplateValue.phrase(phrases.expires, $0.formatted(in: language, at: now, zone).arguments(in: language))
        }
        return [[who, next], [until]].map { $0.compactMap(\.self) }.filter { !$0.isEmpty }
    }

    /// The time at which the account was made, the device that asked for the link, and when.
    private func origin(in language: Language, _ now: Date, _ zone: NamedTimeZone) -> [Fact] {
        let phrases = language.phrases.facts
        let rows: [(Phrase, TemplateValue?)] = [
            (phrases.created, accountCreated?.formatted(in: language, at: now, zone).value),
            (phrases.device, device?.name(by: phrases)), (phrases.requested, requested?.formatted(in: language, at: now, zone).value),
        ]
        return rows.compactMap { label, value in value.map { (label, $0) } }
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
            context[.problems] = .list(problems.map { [.text: $0.value(in: language, under: rules, listsSymbols: true)] })
        }
        return context
    }
}

extension Action {
    /// The facts about the action: its addresses, its second factor and the ways to sign in that it
    /// accepts. Pages and mails list them.
    func facts(_ account: String?, _ newAccount: String?, factor: String?, _ waysIn: WaysIn?, in language: Language) -> [Fact] {
        let phrases = language.phrases.facts
        let addresses = self.addresses.map { role in
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
            addresses + [(phrases.factor, factor.map { .name($0) }), (phrases.ways, waysIn?.value(in: language))]
        return rows.compactMap { label, value in value.map { (label, $0) } }
    }
}

extension ConfirmationQuestion {
    /// The reason why the page asks, after a press.
    fileprivate func note(by phrases: Phrases.Question) -> Phrase? {
        switch self {
        case .number, .wrongNumber: nil
        case .numberAfterPress: phrases.why
        case .secondPress: phrases.pressAgain
        case .changedWays, .changedWaysAndNumber: phrases.changedWays
        }
    }

    /// The field for the number.
    fileprivate func field(in language: Language) -> TemplateContext? {
        guard self != .secondPress, self != .changedWays else { return nil }
        let phrases = language.phrases
        var context: TemplateContext = [.label: .phrase(phrases.facts.number, [:]), .text: .phrase(phrases.question.number, [:])]
        if self == .wrongNumber { context[.problem] = .phrase(phrases.question.wrong, [:]) }
        // The page after a press opens at the field, unless something else is to be read first.
        if self != .number, self != .changedWaysAndNumber { context[.focus] = .flag }
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
    fileprivate func value(in language: Language, under rules: PasswordRules, listsSymbols: Bool = false) -> TemplateValue {
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
        case .needsSymbol where listsSymbols && !rules.symbols.isEmpty:
            .text("\(language.plain(phrases.needsSymbol, [:])) (\u{2066}\(rules.symbols)\u{2069})")
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
