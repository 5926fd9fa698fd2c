internal import Accounts
internal import Base
internal import Foundation
internal import HTTPTypes
internal import Views

/// The gallery: every state of every page and mail, made as the real ones are.
extension DevPages {
    static let galleryRoutes: [Route] = [
        route("/emulator/gallery", label: "gallery") { pages, request throws(ActionError) in try pages.gallery(request) },
        route("/emulator/gallery/frame", label: "gallery") { pages, request throws(ActionError) in try pages.galleryFrame(request) },
        route(stylePath, label: "gallery") { pages, request throws(ActionError) in try pages.galleryStyle(request) },
    ]

    private static let stylePath = "/emulator/gallery/style.css"
    private static let prefixOfMails = "mail-"

    /// The project whose looks and words are shown.
    private var shownProject: Project {
        get throws(ActionError) {
            guard let project = projects.value[development.project] else { throw .refused(.projectNotFound) }
            return project
        }
    }

    private func language(_ request: Request, _ project: Project) -> Language {
        request["lang"].flatMap { views.language(matching: $0) } ?? views.language(liking: [project.language])
    }

    private func scheme(_ request: Request) -> ColourScheme { request["scheme"].flatMap { ColourScheme(rawValue: $0) } ?? .light }

    private func gallery(_ request: Request) throws(ActionError) -> Response {
        let project = try shownProject
        var gallery = DevGallery(
            brand: brand, app: project.displayName, language: language(request, project), languages: views.languages)
        gallery.part = request["part"].flatMap { DevGallery.Part(rawValue: $0) } ?? .before
        gallery.width = request["width"].flatMap { Int($0) }.flatMap { DevGallery.Width(rawValue: $0) } ?? .phone
        gallery.scheme = scheme(request)
        gallery.states = states(of: gallery.part, Samples(for: project, at: Date(renderer.now())))
        return response(.gallery(gallery), hasFrame: true)
    }

    private func states(of part: DevGallery.Part, _ samples: Samples) -> [String] {
        guard part != .mails else { return samples.letters(in: "en").map { Self.prefixOfMails + $0.name } }
        return samples.pages.filter { $0.content.galleryPart == part }.map(\.name)
    }

    /// A page or mail, for a frame or a tab. It can load nothing but its style and its pictures,
    /// and lead nowhere.
    private func galleryFrame(_ request: Request) throws(ActionError) -> Response {
        let project = try shownProject
        let (scheme, language, state) = (scheme(request), language(request, project), request["state"] ?? "")
        let brand = renderer.brands.brand(of: project)
        guard let html = try html(state, of: project, in: language, brand) else { return notFound(request) }
        let shown = scheme.html(html, of: brand, styledBy: Self.stylePath)
        var response = Response(.ok, "text/html; charset=utf-8", Array(Self.withLinksInNewTabs(shown).utf8))
        response.headers[.xFrameOptions] = "SAMEORIGIN"
        response.headers[.contentSecurityPolicy] = """
            default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' \(origin.origin); base-uri 'none'; form-action 'none'; \
            frame-ancestors 'self'; sandbox allow-same-origin
            """
        return response
    }

    private func html(_ state: String, of project: Project, in language: Language, _ brand: Brand) throws(ActionError) -> String? {
        let samples = Samples(for: project, at: Date(renderer.now()))
        if state.hasPrefix(Self.prefixOfMails) {
            let name = state.dropFirst(Self.prefixOfMails.count)
            guard let letter = samples.letters(in: language.code).first(where: { $0.name == name })?.letter else { return nil }
            return try development.compose(letter, project).html
        }
        guard let content = samples.pages.first(where: { $0.name == state })?.content else { return nil }
        let page = Page(
            content, brand: brand, now: samples.now, languageSwitch: LanguageSwitch(form: samples.form), requestID: "7f3a-9c21")
        return String(decoding: views.html(page, in: language), as: UTF8.self)
    }

    private func galleryStyle(_ request: Request) throws(ActionError) -> Response {
        let brand = renderer.brands.brand(of: try shownProject)
        var response = Response(.ok, "text/css; charset=utf-8", Array(scheme(request).styleSheet(of: brand).utf8))
        // Its query changes with its content.
        response.headers[.cacheControl] = "private, max-age=3600"
        return response
    }
}

extension Page.Content {
    fileprivate var galleryPart: DevGallery.Part {
        switch self {
        case .confirm: .before
        case .done, .sent: .after
        case .error: .trouble
        case .openApp: .appLinks
        }
    }
}
