public import Foundation

/// A page behind an action link.
public struct Page: Sendable, Hashable {
    /// The kind of a page with its values.
    public enum Content: Sendable, Hashable {
        /// Says what the button will do.
        case confirm(ConfirmationPage)
        /// Says what was done and links to the continue URL.
        case done(CompletionPage)
        /// Says what went wrong and what the user can do.
        case error(ErrorPage)
        /// Says that a mail was requested, whether or not the account exists.
        case sent(MailSentPage)
        /// The page behind an app link that did not open the app.
        case openApp(OpenAppPage)
    }

    public var content: Content
    public var brand: Brand
    /// The time from which relative times are counted.
    public var now: Date
    /// Nil hides the switch.
    public var languageSwitch: LanguageSwitch?
    /// Shown in the small print of error pages only.
    public var requestID: String?

    public init(_ content: Content, brand: Brand, now: Date, languageSwitch: LanguageSwitch? = nil, requestID: String? = nil) {
        self.content = content
        self.brand = brand
        self.now = now
        self.languageSwitch = languageSwitch
        self.requestID = requestID
    }
}

/// The GET form that shows the same page in another language.
public struct LanguageSwitch: Sendable, Hashable {
    /// `lang` is added to its context.
    public var form: Form

    public init(form: Form) { self.form = form }
}

/// The form of a button, with its hidden fields.
public struct Form: Sendable, Hashable {
    /// A hidden field.
    public struct Field: Sendable, Hashable {
        public var name: String
        /// Any text; it is escaped when the page is rendered.
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The path on Onward's origin, without a query.
    public var path: String
    public var hidden: [Field]

    public init(path: String, hidden: [Field] = []) {
        self.path = path
        self.hidden = hidden
    }
}

extension Page {
    var template: String {
        switch content {
        case .confirm: "confirm"
        case .done: "done"
        case .error: "error"
        case .sent: "sent"
        case .openApp: "openApp"
        }
    }

    /// Whether the page belongs to an app link, which need not be from a mail.
    private var isOfAppLink: Bool {
        switch content {
        case .openApp: true
        case .error(let error): error.reason.isOfAppLink
        case .confirm, .done, .sent: false
        }
    }

    /// Whether it is not known that the app of the page made the link.
    private var isOfNoApp: Bool { if case .error(let error) = content { error.reason.isOfNoApp } else { false } }

    /// The values for the page's template.
    func context(in language: Language, of languages: [Language]) -> TemplateContext {
        var context =
            switch content {
            case .confirm(let confirmation): confirmation.context(in: language, brand, now)
            case .done(let completion): completion.context(in: language, brand)
            case .error(let error): error.context(in: language, brand, now)
            case .sent(let sending): sending.context(in: language, brand)
            case .openApp(let offer): offer.context(in: language, brand)
            }
        let foot = language.phrases.foot
        if isOfNoApp {
            context[.why] = .phrase(foot.whyAny, [:])
        } else if isOfAppLink, foot.whyLink.isFilled(by: brand.arguments) {
            context[.why] = .phrase(foot.whyLink, brand.arguments)
        }
        context.merge(brand.context(in: language)) { own, _ in own }
        // It does not come from a mail.
        if case .error(let error) = content, case .signInUnfinished = error.reason { context[.why] = nil }
        context[.pageTitle] = context[.pageTitle].map { .text(tabTitle($0, in: language)) }
        if case .error(let error) = content, !error.reason.isSuccess {
            context[.reference] = requestID.map { .phrase(language.phrases.foot.reference, [.id: .address($0)]) }
        }
        if let languageSwitch, languages.count > 1 {
            context[.languageSwitch] = .group(languageSwitch.context(in: language, of: languages))
        }
        return context
    }
}

extension Page {
    /// The title of the browser's tab: what the page says, and for which app.
    private func tabTitle(_ title: TemplateValue, in language: Language) -> String {
        let words = language.plain(title)
        guard let app = brand.name, !words.contains(app) else { return words }
        return words + " · " + app
    }
}

extension LanguageSwitch {
    fileprivate func context(in language: Language, of languages: [Language]) -> TemplateContext {
        let options = languages.map { option -> TemplateContext in
            var context: TemplateContext = [.code: .text(option.code), .name: .text(option.name)]
            context[.otherDirection] = option.isRightToLeft == language.isRightToLeft ? nil : .text(option.direction)
            context[.selected] = option == language ? .flag : nil
            return context
        }
        return form.context.merging([
            .languages: .list(options), .label: .phrase(language.phrases.foot.language, [:]),
            .change: .phrase(language.phrases.foot.change, [:]),
        ]) { own, _ in own }
    }
}

extension Brand {
    /// The values for the layout of every page.
    func context(in language: Language) -> TemplateContext {
        let foot = language.phrases.foot
        var context: TemplateContext = [
            .language: .text(language.code), .direction: .text(language.direction), .style: .text(style.path),
            .script: .text(script.path), .icon: .text(icon.path), .iconType: .text(icon.mediaType),
        ]
        context[.app] = name.map { .name($0) }
        context[.why] = name.map { _ in .phrase(foot.why, arguments) }
        context.merge(face) { own, _ in own }
        context[.help] = helpLink.map { .phrase(foot.help, [.help: $0]) }
        let legal = [(links.terms, foot.terms), (links.privacy, foot.privacy)].compactMap { url, words -> TemplateContext? in
            url.map { [.href: .text($0), .text: .phrase(words, [:])] }
        }
        context[.legal] = legal.isEmpty ? nil : .group([.rows: .list(legal)])
        return context
    }

    /// The logo, or the letter that stands for it, with the name beside it where the logo has none.
    private var face: TemplateContext {
        var context: TemplateContext = [:]
        context[.appName] = name.map { .text($0) }
        context[.letter] = logo == nil ? letter.map { .text($0) } : nil
        guard let logo else { return context }
        context[.logo] = .text(logo.picture.path)
        context[.logoDark] = logo.dark.flatMap { $0 == logo.picture ? nil : .text($0.path) }
        context[.plate] = logo.dark == nil ? .flag : nil
        context[.logoHasName] = logo.hasName ? .flag : nil
        return context
    }

    var arguments: PhraseArguments { name.map { [.app: .name($0)] } ?? [:] }

    /// The address for help as a link.
    var helpLink: TemplateValue? {
        links.help.map { help in
            help.hasPrefix("https://") ? .link(to: help, shown: String(help.dropFirst(8))) : .link(to: "mailto:" + help, shown: help)
        }
    }
}

extension Form {
    /// The values for a form.
    var context: TemplateContext {
        [.path: .text(path), .hidden: .list(self.hidden.map { [.name: .text($0.name), .value: .text($0.value)] })]
    }
}

extension TemplateContext {
    /// A title, for the page and for its tab, and the sentence below it, which is left out if it
    /// names an app that is not known.
    init(_ heading: Phrases.Heading, _ arguments: PhraseArguments) {
        self = [.title: .heading(heading.title, arguments), .pageTitle: .plain(heading.title, arguments)]
        self[.lead] = heading.lead.isFilled(by: arguments) ? .phrase(heading.lead, arguments) : nil
    }
}
