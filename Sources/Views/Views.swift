import Foundation

/// What a person sees and reads: a typed view goes in, HTML, text and a subject come out.
///
/// Templates and languages are read and checked once, at start; nothing afterwards can fail. Knows neither HTTP nor accounts.
package struct Views: Sendable {
    /// The shipped languages, English first, the others by code: the list of the language switch.
    package let languages: [Language]
    let templates: Templates
    let files: PublicFiles
    /// Goes with the templates and the languages that they were made of.
    let stencils = BoundedCache<Stencil.Shape, Stencil>(capacity: 512)

    /// Reads `Config/templates`, `Config/languages` and `Public` below `resources`; throws with the file, and the key or the
    /// placeholder, that cannot be used.
    package init(resources: String) throws(Unusable) {
        templates = try Templates(folder: resources + "/Config/templates")
        languages = try Language.all(folder: resources + "/Config/languages")
        files = try PublicFiles(folder: resources + "/Public")
    }

    /// The HTML of an action page, for `text/html; charset=utf-8`: byte for byte what its template makes of it, which is asked once
    /// for each shape.
    package func html(_ page: Page, in language: Language) -> [UInt8] {
        var shape = page
        let blanks = Blanks(of: &shape, in: language)
        guard blanks.texts.count <= Blanks.most else { return Array(rendered(page, in: language).utf8) }
        return stencils[Stencil.Shape(page: shape, language: language), or: Stencil(rendered(shape, in: language))]
            .filled(with: blanks.texts)
    }

    func rendered(_ page: Page, in language: Language) -> String {
        templates.render("pages." + page.template, page.fields(in: language, of: languages), as: .html, in: language)
    }

    /// The subject, the text and the HTML of a mail.
    package func mail(_ letter: LetterView, in language: Language) -> RenderedMail {
        let fields = letter.fields(in: language)
        return RenderedMail(
            subject: letter.subject(in: language),
            text: wrapped(templates.render("mails.letter.txt", fields, as: .text, in: language)),
            html: templates.render("mails.letter.html", fields, as: .html, in: language))
    }

    /// The HTML of a page of `onward dev`: for developers, in English.
    package func html(_ page: DevPage) -> [UInt8] {
        Array(templates.render("dev." + page.template, page.fields, as: .html, in: languages[0]).utf8)
    }
}
