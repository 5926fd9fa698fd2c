import Accounts
import Foundation

extension Letter {
    /// One line without control characters, whatever the names in it contain (M6).
    func subject(in language: Language, _ brand: Brand) -> String {
        language.plain(wording(in: language).subject, brand.arguments).oneLine
    }

    /// The values for the shipped templates.
    /// - Parameter origin: the origin that serves the brand's logo, such as `https://auth.example`;
    ///   nil: the mail shows the app's name instead.
    func context(in language: Language, _ brand: Brand, at origin: String?) -> TemplateContext {
        let phrases = language.phrases.letters.common
        let wording = wording(in: language)
        var arguments = brand.arguments
        if kind == .notice(.providerAdded) { arguments[.provider] = .name((provider ?? "").oneLine) }
        var context = brand.mailContext(in: language, at: origin)
        context[.pageTitle] = .plain(wording.subject, arguments)
        context[.preheader] = .plain(wording.lead, arguments)
        context[.title] = .phrase(wording.subject, arguments)
        // Anyone can choose a display name, so it is shown only if it cannot be taken for a link or
        // a sentence.
        context[.greeting] =
            displayName?.personName.map { .phrase(phrases.greeting, [.name: .name($0)]) } ?? .phrase(phrases.plainGreeting, [:])
        context[.lead] = .phrase(wording.lead, arguments)
        context[.advice] = .phrase(wording.advice, arguments)
        context[.why] = .phrase(phrases.whyAccount, arguments)
        context[.facts] = .facts(facts(in: language, brand.timeZone))
        if let action = kind.action {
            context[.link] = .text(link ?? "")
            context[.isMain] = action.isUndo ? nil : .flag
            context[.linkBelow] = .phrase(phrases.linkBelow, [:])
            context[.button] = .phrase(addsAddress ? language.phrases.addEmail.title : language.phrases.confirm[action].title, arguments)
            context[.why] = .phrase(action.isUndo ? phrases.whyAccount : phrases.whyAsked, arguments)
        }
        return context
    }

    private func wording(in language: Language) -> Phrases.LetterPhrases {
        switch kind {
        case .action(let action): addsAddress ? language.phrases.addEmail.letter : language.phrases.letters.action[action]
        case .notice(let notice): language.phrases.letters.notice[notice]
        }
    }
}
