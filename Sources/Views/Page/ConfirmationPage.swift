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
    /// The effects of the new password of `resetPassword`; nil if they are not known.
    public var passwordFacts: PasswordFacts?
    /// The effects of `verifyAndChangeEmail`; nil if they are not known.
    public var addressChange: AddressChangeFacts?
    /// The password rules above the field of `resetPassword`.
    public var passwordRequirements: PasswordRequirements
    /// The reasons why the submitted password was refused.
    public var objections: [PasswordPolicy.Objection]
    /// The length of that password, in code points.
    public var typedLength: Int?
    /// The question that the user has to answer; nil: the press is enough.
    public var question: ConfirmationQuestion?
    /// How often the number may still be tried; nil: often.
    public var numberTriesLeft: Int?
    /// Whether the page leaves out what only Onward's own accounts are sure to do: signing out
    /// elsewhere, and the mail to the old address.
    public var isBrief: Bool
    /// The code that opens the link on a phone; nil if the page offers none.
    public var phoneCode: ScannableCode?

    public init(
        _ action: Action, form: Form, account: String? = nil, newAccount: String? = nil, factor: String? = nil,
        destination: String? = nil, expires: Date? = nil, newerSent: Date? = nil, requested: Date? = nil, device: ClientDevice? = nil,
        waysIn: WaysIn? = nil, accountCreated: Date? = nil, offer: Offer? = nil, choice: ActionChoice? = nil, rivalMade: Date? = nil,
        passwordFacts: PasswordFacts? = nil, addressChange: AddressChangeFacts? = nil,
        passwordRequirements: PasswordRequirements = PasswordRequirements(), objections: [PasswordPolicy.Objection] = [],
        typedLength: Int? = nil,
        question: ConfirmationQuestion? = nil, numberTriesLeft: Int? = nil,
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
        self.passwordFacts = passwordFacts
        self.addressChange = addressChange
        self.passwordRequirements = passwordRequirements
        self.objections = objections
        self.typedLength = typedLength
        self.question = question
        self.numberTriesLeft = numberTriesLeft
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

extension PasswordFacts {
    /// The sentences about what else the button does.
    fileprivate func effects(by phrases: Phrases.ChoosePassword, _ arguments: PhraseArguments) -> [TemplateValue] {
        var (effects, arguments): ([TemplateValue], PhraseArguments) = ([], arguments)
        if confirmsAddress { effects.append(.phrase(phrases.confirmsAddress, arguments)) }
        if !endedProviders.isEmpty {
            arguments[.provider] = .name(endedProviders.joined(separator: " · "))
            effects.append(.phrase(phrases.endsProviders, arguments))
        }
        return effects
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
        arguments[.account] = account.map { .mainAddress($0) }
        arguments[.newAccount] = newAccount.map { .mainAddress($0) }
        arguments[.factor] = factor.map { .name($0) }

        var lead = isBrief ? wording.briefLead ?? wording.lead : wording.lead
        if let plain = wording.plainLead, !lead.isFilled(by: arguments) { lead = plain }
        var context = TemplateContext(Phrases.Heading(title: wording.title, lead: lead), arguments)
        var effects = effects(of: wording, by: phrases).map { TemplateValue.phrase($0, arguments) }
        if action.setsPassword {
            // The field comes first, and what is to be read follows the button.
            effects = [context[.lead]].compactMap(\.self) + (passwordFacts?.effects(by: phrases.choosePassword, arguments) ?? [])
            context[.lead] = account.map { _ in .phrase(phrases.facts.forAccount, arguments) }
        }
        if question == .numberAfterPress || question == .wrongNumber {
            context.merge(TemplateContext(Phrases.Heading(title: phrases.question.title, lead: phrases.question.why), arguments)) { $1 }
        }
        // They were read before the press.
        if question == .wrongNumber || question == .changedWaysAndNumber { context[.lead] = nil }
        if let news = news(by: phrases) { context[.pageTitle] = .plain(news, arguments) }
        let newer = newerSent.map {
            TemplateValue.phrase(phrases.facts.newer, $0.formatted(in: language, at: now, brand.timeZone).arguments(in: language))
        }
        // What an undo ends is said before the button.
        if action.isUndo, choice != .takeAddress, let effect = effects.first {
            context[.note] = effect
            effects = []
        }
        // A question comes first, and so does what an undo ends.
        if let newer, question != nil || context[.note] != nil { effects.append(newer) } else if let newer { context[.note] = newer }
        if !effects.isEmpty { context[.effect] = .group([.rows: .list(effects.map { [.text: $0] })]) }
        if !action.setsPassword, question != .numberAfterPress, question != .wrongNumber {
            let ways: [Fact] = waysIn?.value(in: language).map { [(phrases.facts.ways, $0)] } ?? []
            context[.facts] = .facts(ways + origin(in: language, now, brand.timeZone))
        }
        context[.small] = .list(smallPrint(in: language, now, brand.timeZone).map { [.rows: .list($0.map { [.text: $0] })] })
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
        context[.number] = question?.field(triesLeft: numberTriesLeft, in: language).map { .group($0) }
        context[.phone] = phoneCode.map { .group($0.context(in: language)) }
        return context
    }

    /// The sentences about what else the button does.
    private func effects(of wording: Phrases.Confirm, by phrases: Phrases) -> [Phrase] {
        guard choice?.hasOwnPage != true else { return [] }
        guard action == .verifyAndChangeEmail, !addsAddress else { return [isBrief ? nil : wording.effect].compactMap(\.self) }
        let words = phrases.changeEmail
        let signIn = addressChange.map { $0.signsInByAddress ? words.signInWithNew : words.signInAgain } ?? words.signInLater
        return [signIn] + (addressChange?.tellsFormer == true ? [words.tellsOld] : [])
    }

    /// Whether the account gets its first address. An upstream may have left out the present one.
    var addsAddress: Bool { account == nil && newAccount != nil && !isBrief }

    private func wording(by phrases: Phrases) -> Phrases.Confirm {
        let usual =
            switch passwordFacts?.former {
            case .never: phrases.choosePassword.confirm(titled: phrases.choosePassword.title)
            case .removed: phrases.choosePassword.confirm(titled: phrases.confirm[.resetPassword].title)
            case .inForce, nil: addsAddress ? phrases.addEmail.confirm : phrases.confirm[action]
            }
        guard let chosen = choice.flatMap({ phrases.choices[$0] }) else { return usual }
        return Phrases.Confirm(
            title: chosen.title, lead: chosen.lead, button: chosen.button, plainButton: chosen.button, notYou: usual.notYou)
    }

    /// The result of a press, for the title of the browser's tab; nil before a press.
    private func news(by phrases: Phrases) -> Phrase? {
        guard objections.isEmpty else { return phrases.password.refusedTitle }
        return switch question {
        case .wrongNumber: phrases.question.wrongTitle
        case .secondPress, .changedWays, .changedWaysAndNumber: phrases.question.againTitle
        case .number, .numberAfterPress, nil: nil
        }
    }

    /// The lines below the button, each of its parts: where the user continues, and until when the
    /// link works.
    private func smallPrint(in language: Language, _ now: Date, _ zone: NamedTimeZone) -> [[TemplateValue]] {
        let phrases = language.phrases.facts
        let next = destination.map { TemplateValue.phrase(phrases.continuesTo, [.host: .address($0)]) }
        let until = expires.map {
            TemplateValue.phrase(phrases.expires, $0.formatted(in: language, at: now, zone).arguments(in: language))
        }
        return [[next], [until]].map { $0.compactMap(\.self) }.filter { !$0.isEmpty }
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
            .showShort: .phrase(phrases.showShort, [:]), .hideShort: .phrase(phrases.hideShort, [:]),
            .weak: .phrase(phrases.strengthWeak, [:]), .fair: .phrase(phrases.strengthFair, [:]), .good: .phrase(phrases.strengthGood, [:]),
            .minimum: .text("\(passwordRequirements.shortest)"),
            .rules: .list(passwordRequirements.rules(in: language)),
        ]
        context[.username] = account.map { .text($0) }
        if !objections.isEmpty {
            context[.problem] = .phrase(phrases.refused, [:])
            context[.problems] = .list(
                objections.map { [.text: $0.value(in: language, under: passwordRequirements, typed: typedLength)] })
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
    /// Whether the page asks for the number in the mail.
    fileprivate var asksNumber: Bool { self != .secondPress && self != .changedWays }

    /// The sentence before the button, after a press.
    fileprivate func note(by phrases: Phrases.Question) -> Phrase? {
        switch self {
        case .number, .wrongNumber, .numberAfterPress: nil
        case .secondPress: phrases.pressAgain
        case .changedWays, .changedWaysAndNumber: phrases.changedWays
        }
    }

    /// The field for the number.
    fileprivate func field(triesLeft: Int?, in language: Language) -> TemplateContext? {
        guard asksNumber else { return nil }
        let phrases = language.phrases
        var context: TemplateContext = [.label: .phrase(phrases.facts.number, [:]), .text: .phrase(phrases.question.number, [:])]
        context[.closing] = triesLeft.map { count in
            let category = language.plural.category(of: count)
            return .phrase(phrases.question.triesLeft[category], [.count: .text(language.number(count))])
        }
        if self == .wrongNumber { context[.problem] = .phrase(phrases.question.wrong, [:]) }
        // The page after a press opens at the field, unless something else is to be read first.
        if self != .number, self != .changedWaysAndNumber { context[.focus] = .flag }
        return context
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

extension ConfirmationPage {
    mutating func extract(into texts: inout PageTexts) {
        texts.take(&form)
        texts.take(&account)
        texts.take(&newAccount)
        texts.take(&factor)
        texts.take(&destination)
        texts.take(&expires)
        texts.take(&newerSent)
        texts.take(&requested)
        texts.take(&accountCreated)
        texts.take(&device)
        texts.take(&rivalMade)
        texts.take(&waysIn)
        texts.take(&passwordFacts)
        texts.take(&offer)
        texts.take(&phoneCode)
    }
}
