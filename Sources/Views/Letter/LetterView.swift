public import Accounts
public import Foundation

/// The content of a mail, before it is rendered in a language.
public struct LetterView: Sendable, Hashable {
    /// The kind of a mail with its values.
    public enum Content: Sendable, Hashable {
        /// A mail with a link. `account` is the address that it is about (for
        /// `verifyAndChangeEmail` the current one, or nil if there is none); `other` is the new
        /// address, or for `recoverEmail` the one that replaced it.
        case action(Action, account: String?, other: String?, factor: String?, link: String, expires: Date)
        case providerAdded(account: String, provider: String)
        case passwordChanged(account: String)
        /// Sent to the old address if no link can restore it.
        case emailChanged(account: String, new: String)
        case emailRestored(account: String)
        case secondFactorRemoved(account: String, factor: String?)
        case accountDeleted(account: String)
    }

    public var content: Content
    public var brand: Brand
    /// The origin that serves the brand's logo, such as `https://auth.example`; nil: the mail shows
    /// the app's name instead.
    public var origin: String?
    /// The account's display name. It is shown only if it cannot be taken for a link or a sentence,
    /// because anyone can choose one.
    public var recipientName: String?
    /// The time of the event, from which relative times are counted.
    public var now: Date
    /// The time at which the link was asked for.
    public var requestedAt: Date?
    /// The device that the request came from.
    public var device: NamedDevice?
    /// The number that an app can show beside *We sent you a mail*, so that users recognise the
    /// mail.
    public var number: String?
    /// The ways to sign in to the account, for a mail that asks to confirm its address.
    public var waysIn: NamedWaysIn?
    /// The time at which the account was made, for a mail that adds an address to it.
    public var accountCreatedAt: Date?

    public init(
        _ content: Content, brand: Brand, origin: String? = nil, recipientName: String? = nil, now: Date, requestedAt: Date? = nil,
        device: NamedDevice? = nil, number: String? = nil, waysIn: NamedWaysIn? = nil, accountCreatedAt: Date? = nil
    ) {
        self.content = content
        self.brand = brand
        self.origin = origin
        self.recipientName = recipientName
        self.now = now
        self.requestedAt = requestedAt
        self.device = device
        self.number = number
        self.waysIn = waysIn
        self.accountCreatedAt = accountCreatedAt
    }
}

/// A rendered mail, ready to be encoded as MIME.
public struct RenderedMail: Sendable, Hashable {
    /// One line without control characters (M6).
    public var subject: String
    /// The text part: lines of at most 72 characters, except for links, each on its own line (L6).
    public var text: String
    /// The HTML part, with the same link as the text (M7). The only file that it loads is the
    /// project's logo, which has one address for all mails (P6).
    public var html: String

    public init(subject: String, text: String, html: String) {
        self.subject = subject
        self.text = text
        self.html = html
    }
}

extension LetterView {
    /// One line without control characters, whatever the names in it contain (M6).
    func subject(in language: Language) -> String {
        language.plain(wording(in: language).subject, brand.arguments).oneLine
    }

    func context(in language: Language) -> TemplateContext {
        let phrases = language.phrases.letters
        let wording = wording(in: language)
        var arguments = brand.arguments
        if case .providerAdded(_, let provider) = content { arguments[.provider] = .name(provider.oneLine) }
        var context = brand.mailContext(in: language, at: origin)
        context[.pageTitle] = .plain(wording.subject, arguments)
        context[.preheader] = .plain(wording.lead, arguments)
        context[.title] = .phrase(wording.subject, arguments)
        context[.greeting] =
            recipientName?.personName.map { .phrase(phrases.greeting, [.name: .name($0)]) } ?? .phrase(phrases.plainGreeting, [:])
        context[.lead] = .phrase(wording.lead, arguments)
        context[.advice] = .phrase(wording.advice, arguments)
        context[.why] = .phrase(phrases.whyAccount, arguments)
        context[.facts] = .facts(facts(in: language))
        if case .action(let action, _, _, _, let link, _) = content {
            context[.link] = .text(link)
            context[.isMain] = action.isUndo ? nil : .flag
            context[.linkBelow] = .phrase(phrases.linkBelow, [:])
            context[.button] = .phrase(addsAddress ? language.phrases.addEmail.title : language.phrases.confirm[action].title, arguments)
            context[.why] = .phrase(action.isUndo ? phrases.whyAccount : phrases.whyAsked, arguments)
        }
        return context
    }

    private func wording(in language: Language) -> Phrases.LetterPhrases {
        let phrases = language.phrases.letters
        return switch content {
        case .action(let action, _, _, _, _, _): addsAddress ? language.phrases.addEmail.letter : phrases.action[action]
        case .providerAdded: phrases.providerAdded
        case .passwordChanged: phrases.passwordChanged
        case .emailChanged: phrases.emailChanged
        case .emailRestored: phrases.emailRestored
        case .secondFactorRemoved: phrases.secondFactorRemoved
        case .accountDeleted: phrases.accountDeleted
        }
    }
}
