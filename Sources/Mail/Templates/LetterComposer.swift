public import Accounts
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
    public func compose(_ letter: Letter, in project: Project) throws(ActionError) -> RenderedMail {
        let (language, keys) = views.wording(liking: [letter.language, project.language])
        let own = words(for: letter.template, in: project, keys)
        do throws(CompositionError) { return try views.mail(letter, in: language, for: brand(project), at: origin, own: own) } catch {
            throw .unavailable(Unavailable(.mail, cause: error.description))
        }
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
}
