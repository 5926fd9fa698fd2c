import Foundation

/// The words and the look of pages and mails: a typed view is rendered as HTML, text and a subject.
///
/// Templates and languages are read and checked once, at start; rendering cannot fail afterwards.
/// This target knows neither HTTP nor accounts.
package struct Views: Sendable {
    /// The shipped languages in the order of the language switch: English first, the others by
    /// name.
    package let languages: [Language]
    let lookup: LanguageLookup
    let templates: Templates
    let files: PublicFiles
    let compiledPages = BoundedCache<CompiledPage.Shape, CompiledPage>(capacity: 2048)

    /// Reads `Config/templates`, `Config/languages` and `Public` below `resources`.
    package init(resources: String) throws(ResourceError) {
        templates = try Templates(folder: resources + "/Config/templates")
        languages = try Language.all(folder: resources + "/Config/languages")
        lookup = LanguageLookup(languages)
        files = try PublicFiles(folder: resources + "/Public")
    }

    /// The HTML of an action page, for `text/html; charset=utf-8`: the same bytes that its template
    /// renders, which is asked once for each shape of page.
    package func html(_ page: Page, in language: Language) -> [UInt8] {
        var shape = page
        let texts = PageTexts(extractedFrom: &shape, in: language).texts
        guard texts.count <= PageTexts.maxCount else { return Array(rendered(page, in: language).utf8) }
        return compiledPages[CompiledPage.Shape(page: shape, language: language), or: CompiledPage(rendered(shape, in: language))]
            .filled(with: texts)
    }

    /// The HTML of a page as its template renders it.
    func rendered(_ page: Page, in language: Language) -> String {
        templates.render("pages." + page.template, page.context(in: language, of: languages), as: .html, in: language)
    }

    /// The subject, the text and the HTML of a mail.
    package func mail(_ letter: LetterView, in language: Language) -> RenderedMail {
        let context = letter.context(in: language)
        return RenderedMail(
            subject: letter.subject(in: language),
            text: wrapped(templates.render("mails.letter.txt", context, as: .text, in: language)),
            html: templates.render("mails.letter.html", context, as: .html, in: language))
    }

    /// The HTML of a page of `onward dev`: for developers, in English.
    package func html(_ page: DevPage) -> [UInt8] {
        Array(templates.render("dev." + page.template, page.context, as: .html, in: languages[0]).utf8)
    }
}

/// A template, language or public file that cannot be used. The server does not start with it.
package struct ResourceError: Error, Hashable, CustomStringConvertible {
    /// The path of the file, below the resources folder as it was given.
    package let file: String
    /// The key, placeholder or line, and what is wrong with it.
    package let problem: String

    package var description: String { "\(file): \(problem)" }
}
