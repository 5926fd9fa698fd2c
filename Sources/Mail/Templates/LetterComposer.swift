public import Accounts
internal import Base
import Foundation
public import Views

/// Composes letters: the shipped words of `Views` in the look of their project, or the project's
/// own templates.
public struct LetterComposer: Sendable {
    private let views: Views
    private let templates: ProjectTemplates
    private let brand: @Sendable (Project) -> Brand
    private let origin: String

    /// - Parameters:
    ///   - templates: the files of the projects. What admins set is in the projects themselves.
    ///   - brand: the look of a project.
    ///   - origin: the public origin, which serves the projects' logos.
    public init(
        views: Views, templates: ProjectTemplates = .none, brand: @escaping @Sendable (Project) -> Brand, origin: String
    ) {
        (self.views, self.templates, self.brand, self.origin) = (views, templates, brand, origin)
    }

    /// The subject, text and HTML of a letter, in its language, or else in the project's, or else
    /// in English. Throws if the project's templates make it too large.
    public func compose(_ letter: Letter, in project: Project) throws(ActionError) -> ComposedLetter {
        let view = LetterView(
            content(of: letter), brand: brand(project), origin: origin, recipientName: letter.displayName, now: Date(letter.createdAt),
            requestedAt: Date(letter.createdAt), device: letter.device.map { NamedDevice(browser: $0.browser, system: $0.system) },
            number: letter.confirmationNumber,
            waysIn: letter.waysIn.map { NamedWaysIn(hasPassword: $0.hasPassword, names: $0.names) },
            accountCreatedAt: letter.accountCreatedAt.map { Date($0) })
        let (language, keys) = views.wording(liking: [letter.language, project.language])
        let mail: RenderedMail
        do throws(CompositionError) { mail = try views.mail(view, in: language, own: words(for: letter.template, in: project, keys)) } catch
        {
            throw .unavailable(Unavailable(.mail, cause: error.description))
        }
        return ComposedLetter(
            subject: mail.subject, text: mail.text, html: mail.html, link: letter.link, number: letter.confirmationNumber,
            letterhead: project.templates[letter.kind]?.letterhead)
    }

    /// Whether the mails of a kind show the confirmation number, which a project's own templates
    /// may leave out.
    public func showsNumber(_ kind: LetterKind?, language: String, in project: Project) -> Bool {
        words(for: kind, in: project, views.wording(liking: [language, project.language]).keys).showNumber
    }

    /// The project's own words: of each language what admins set, then the files; at last the files
    /// for every language. Text and HTML come from the same place, so that they say the same.
    private func words(for kind: LetterKind?, in project: Project, _ keys: [String]) -> OwnWords {
        let set = kind.flatMap { project.templates[$0]?.wordings(for: $0, in: project, by: views) } ?? [:]
        let places =
            keys.flatMap { key in [set[key]].compactMap(\.self) + templates.words(for: kind, in: project.id, key) }
            + templates.words(for: kind, in: project.id, nil)
        var words = places.first(where: \.hasBody) ?? OwnWords()
        words.subject = places.lazy.compactMap(\.subject).first
        return words
    }

    private func content(of letter: Letter) -> LetterView.Content {
        let (recipient, other) = (letter.recipient.shown, letter.otherEmail?.shown)
        return switch letter.kind {
        case .action(let action):
            .action(
                action, account: letter.account?.shown, other: letter.otherAddress?.shown, factor: letter.secondFactor,
                link: letter.link ?? "", expires: Date(letter.expiresAt ?? letter.createdAt))
        case .notice(.providerAdded): .providerAdded(account: recipient, provider: letter.provider ?? "")
        case .notice(.passwordChanged): .passwordChanged(account: recipient)
        case .notice(.emailChanged): .emailChanged(account: recipient, new: other ?? recipient)
        case .notice(.emailRestored): .emailRestored(account: recipient)
        case .notice(.secondFactorRemoved): .secondFactorRemoved(account: recipient, factor: letter.secondFactor)
        case .notice(.accountDeleted): .accountDeleted(account: recipient)
        }
    }
}
