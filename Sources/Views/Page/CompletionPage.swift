public import Accounts

/// The page after an action was applied.
public struct CompletionPage: Sendable, Hashable {
    /// The action that was applied.
    public var action: Action
    /// The account's address, as on the confirmation page.
    public var account: String?
    /// The address that `verifyAndChangeEmail` set.
    public var newAccount: String?
    /// The second factor that `revertSecondFactorAddition` removed.
    public var factor: String?
    public var next: ContinueLink
    /// The GET form that stops the page from going on to `next` by itself; nil: it does not.
    public var stay: Form?
    /// Whether the page leaves out what only Onward's own accounts are sure to do.
    public var isBrief: Bool
    /// The effects of `verifyAndChangeEmail`; nil if they are not known.
    public var addressChange: AddressChangeFacts?
    /// The form for a password reset, offered after an undo.
    public var passwordReset: Form?
    /// The GET form that leads to the choice of a new password after an undo.
    public var newPassword: Form?
    /// Whether that is the account's first password.
    public var isFirstPassword: Bool
    /// The ways to sign in that are left, and were set up before.
    public var remaining: [Remaining]
    /// The choice of the user in place of the action.
    public var choice: ActionChoice?
    /// Whether the page welcomes a person whom an admin invited.
    public var welcomes: Bool

    /// A phone number or second factor with the form that removes it, sent by POST.
    public struct Remaining: Sendable, Hashable {
        public var name: String?
        public var form: Form

        public init(name: String?, form: Form) { (self.name, self.form) = (name, form) }
    }

    public init(
        _ action: Action, account: String? = nil, newAccount: String? = nil, factor: String? = nil,
        next: ContinueLink = .nowhere, stay: Form? = nil, isBrief: Bool = false, addressChange: AddressChangeFacts? = nil,
        passwordReset: Form? = nil, newPassword: Form? = nil, isFirstPassword: Bool = false, remaining: [Remaining] = [],
        choice: ActionChoice? = nil, welcomes: Bool = false
    ) {
        self.welcomes = welcomes
        self.newPassword = newPassword
        self.isFirstPassword = isFirstPassword
        self.addressChange = addressChange
        self.remaining = remaining
        self.choice = choice
        self.action = action
        self.account = account
        self.newAccount = newAccount
        self.factor = factor
        self.next = next
        self.stay = stay
        self.isBrief = isBrief
        self.passwordReset = passwordReset
    }
}

/// The continue URL of a page, or why it has none.
public enum ContinueLink: Sendable, Hashable {
    /// None was requested.
    case nowhere
    /// `url` is rendered unchanged, so it must be one that the project's authorised domains admit
    /// (R1).
    case to(host: String, url: String)
    /// One was requested, but its host is not on the list, or no longer is (R9, R10).
    case refused
}

/// The page after a mail was requested.
public struct MailSentPage: Sendable, Hashable {
    /// The requested mail.
    public var mail: Mail
    /// The address of the mail; only the part that the user has shown to know.
    public var account: String?

    /// A mail that a page can request.
    public enum Mail: Sendable, Hashable, CaseIterable { case newLink, passwordReset }

    public init(_ mail: Mail, account: String? = nil) {
        self.mail = mail
        self.account = account
    }
}

extension CompletionPage {
    /// The seconds after which a page goes on by itself: enough to read that it worked.
    private static let delay = "8"

    /// The sentences about what else a change of the address did.
    private func effects(by phrases: Phrases.AddressChange) -> [Phrase] {
        guard action == .verifyAndChangeEmail else { return [] }
        let signIn = addressChange?.signsInByAddress == false ? nil : phrases.signInFromNow
        return [signIn, addressChange?.tellsFormer == true ? phrases.toldOld : nil].compactMap(\.self)
    }

    func context(in language: Language, _ brand: Brand) -> TemplateContext {
        let phrases = language.phrases
        var arguments = brand.arguments
        arguments[.account] = account.map { .mainAddress($0) }
        arguments[.newAccount] = newAccount.map { .mainAddress($0) }
        arguments[.factor] = factor.map { .name($0) }
        let addsAddress = account == nil && newAccount != nil && !isBrief
        let wording = welcomes ? phrases.invitation.done : addsAddress ? phrases.addEmail.done : phrases.done[action]
        let lead = isBrief ? wording.briefLead ?? wording.lead : wording.lead
        let chosen = choice.flatMap { phrases.choices[$0] }.map { Phrases.Heading(title: $0.doneTitle, lead: $0.doneLead) }
        var context = TemplateContext(chosen ?? Phrases.Heading(title: wording.title, lead: lead), arguments)
        context[.success] = action.isAppliedByApp ? nil : .flag
        let effects = chosen == nil && !addsAddress ? effects(by: phrases.changeEmail) : []
        if !effects.isEmpty { context[.effect] = .group([.rows: .list(effects.map { [.text: .phrase($0, arguments)] })]) }
        context.merge(next.context(in: language, brand, isMain: passwordReset == nil && newPassword == nil)) { own, _ in own }
        if let stay, case .to(_, let url) = next {
            context[.soon] = .group(
                stay.context.merging([
                    .text: .phrase(phrases.next.soon, arguments), .button: .phrase(phrases.next.stay, arguments),
                    .delay: .text(Self.delay),
                ]) { own, _ in own })
            context[.refresh] = .group([.href: .text(url), .delay: .text(Self.delay)])
        }
        if let passwordReset {
            context[.reset] = .group(
                passwordReset.context.merging([
                    .heading: .phrase(phrases.next.resetTitle, arguments), .text: .phrase(phrases.next.resetLead, arguments),
                    .button: .phrase(phrases.next.resetButton, arguments),
                ]) { own, _ in own })
        }
        if let newPassword {
            context[.newPassword] = .group(
                newPassword.context.merging([
                    .heading: .phrase(phrases.next.resetTitle, arguments),
                    .text: .phrase(isFirstPassword ? phrases.choosePassword.lead : phrases.next.chooseLead, arguments),
                    .button: .phrase(isFirstPassword ? phrases.choosePassword.title : phrases.confirm[.resetPassword].title, arguments),
                ]) { own, _ in own })
        }
        if !remaining.isEmpty {
            context[.remaining] = .group([
                .heading: .phrase(phrases.next.staysTitle, arguments), .text: .phrase(phrases.next.staysLead, arguments),
                .rows: .list(remaining.map { $0.context(by: phrases.confirm[.revertSecondFactorAddition]) }),
            ])
        }
        return context
    }
}

extension CompletionPage.Remaining {
    fileprivate func context(by phrases: Phrases.Confirm) -> TemplateContext {
        let button = name.map { TemplateValue.phrase(phrases.button, [.factor: .name($0)]) } ?? .phrase(phrases.plainButton, [:])
        return form.context.merging([.button: button]) { own, _ in own }
    }
}

extension ContinueLink {
    /// The button for the continue URL, or else for the app's home page, and a sentence if there is
    /// none or if the continue URL is refused.
    /// - Parameter isMain: whether it is the page's main button.
    func context(in language: Language, _ brand: Brand, isMain: Bool = true) -> TemplateContext {
        let phrases = language.phrases.next
        var context = link(in: language, brand, isMain: isMain)
        switch self {
        case .to: break
        case .refused: context[.closing] = .phrase(phrases.refused, brand.arguments)
        case .nowhere where context.isEmpty: context[.closing] = .phrase(phrases.close, brand.arguments)
        case .nowhere: break
        }
        return context
    }

    /// The button alone; empty if the app has no home page either.
    func link(in language: Language, _ brand: Brand, isMain: Bool = true) -> TemplateContext {
        let phrases = language.phrases.next
        if case .to(let host, let url) = self {
            return [.links: .list([TemplateContext(link: phrases.button, [.host: .address(host)], to: url, isMain: isMain)])]
        }
        guard let home = brand.links.home else { return [:] }
        return [.links: .list([TemplateContext(link: phrases.home, brand.arguments, to: home, isMain: isMain)])]
    }
}

extension MailSentPage {
    func context(in language: Language, _ brand: Brand) -> TemplateContext {
        let phrases = language.phrases.sent
        let words = mail == .newLink ? phrases.newLink : phrases.passwordReset
        var arguments = brand.arguments
        arguments[.account] = account.map { .mainAddress($0) }
        var context = TemplateContext(
            Phrases.Heading(title: words.title, lead: account == nil ? words.plainLead : words.lead), arguments)
        context[.envelope] = .flag
        context[.advice] = .phrase(phrases.wait, brand.arguments)
        context.merge(ContinueLink.nowhere.link(in: language, brand, isMain: false)) { own, _ in own }
        return context
    }
}

extension TemplateContext {
    /// A link that looks like a button.
    init(link phrases: Phrase, _ arguments: PhraseArguments, to url: String, isMain: Bool) {
        self = [.button: .phrase(phrases, arguments), .href: .text(url)]
        self[.isMain] = isMain ? .flag : nil
    }
}

extension CompletionPage {
    mutating func extract(into texts: inout PageTexts) {
        texts.take(&account)
        texts.take(&newAccount)
        texts.take(&factor)
        texts.take(&next)
        texts.take(&stay)
        texts.take(&passwordReset)
        texts.take(&newPassword)
        for index in remaining.indices {
            texts.take(&remaining[index].name)
            texts.take(&remaining[index].form)
        }
    }
}
