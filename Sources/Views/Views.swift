public import Accounts
import Base
import Foundation

/// The words and the look of pages and mails: a typed view is rendered as HTML, text and a subject.
///
/// Templates and languages are read and checked once, at start; rendering cannot fail afterwards,
/// except for a mail that the templates of its project make too large.
/// This target shows values of the domain, and knows no HTTP.
public struct Views: Sendable {
    /// The shipped languages in the order of the language switch: English first, the others by
    /// name.
    public let languages: [Language]
    let lookup: LanguageLookup
    let templates: Templates
    let files: PublicFiles
    let compiledPages = BoundedCache<CompiledPage.Shape, CompiledPage>(capacity: 2048)
    private let mailTemplates = BoundedCache<MailTemplate.Key, MailTemplate?>(capacity: 512)

    /// Remarks on the operator's own files: the words and templates that this version does not
    /// know, and the words of an own language that are shown in English.
    public let remarks: [ResourceError]

    /// - Parameter checksWords: whether the words of every language of the release are read now.
    ///   Otherwise each is read when it is first shown; own files are always read.
    public init(resources: Resources, checksWords: Bool = false) throws(ResourceError) {
        templates = try Templates(in: resources)
        let languages = try ReadLanguages(in: resources, checksWords: checksWords)
        self.languages = languages.all
        remarks = templates.remarks + languages.remarks
        lookup = LanguageLookup(languages.all)
        files = try PublicFiles(in: resources)
    }

    /// The HTML of an action page, for `text/html; charset=utf-8`: the same bytes that its template
    /// renders, which is asked once for each shape of page.
    public func html(_ page: Page, in language: Language) -> [UInt8] {
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

    /// The subject, the text and the HTML of a letter.
    /// - Parameters:
    ///   - brand: the look of the letter's project.
    ///   - origin: the origin that serves the brand's logo; nil: the mail shows no logo.
    ///   - own: the project's own words, which replace the shipped ones. If they have no HTML,
    ///     their text is shown in the frame of the shipped mails; so is HTML that is not a whole
    ///     document.
    public func mail(
        _ letter: Letter, in language: Language, for brand: Brand, at origin: String? = nil, own: OwnWords = OwnWords()
    ) throws(CompositionError) -> RenderedMail {
        let mail = try rendered(letter, in: language, for: brand, at: origin, own: own)
        guard mail.subject.utf8.count + mail.text.utf8.count + mail.html.utf8.count <= CompositionBudget.maxBytes else { throw .tooLarge }
        return mail
    }

    private func rendered(
        _ letter: Letter, in language: Language, for brand: Brand, at origin: String?, own: OwnWords
    ) throws(CompositionError) -> RenderedMail {
        var budget = CompositionBudget()
        var context = letter.context(in: language, brand, at: origin)
        let (values, facts) = (letter.values(in: language, brand, beside: context), letter.facts(in: language, brand.timeZone))
        let renderer = (
            text: MailTemplateRenderer(medium: .text, language: language, values: values, facts: facts),
            html: MailTemplateRenderer(medium: .html, language: language, values: values, facts: facts)
        )
        var subject = letter.subject(in: language, brand)
        if let template = own.subject {
            subject = try renderer.text.text(of: template, isPlain: true, within: &budget).oneLine
            context[.pageTitle] = .text(subject)
        }
        let text =
            if let text = own.text { try renderer.text.text(of: text, within: &budget) } else {
                templates.render("mails.letter.txt", context, as: .text, in: language)
            }
        if let html = own.html, html.isDocument {
            return RenderedMail(subject: subject, text: wrapped(text), html: try renderer.html.text(of: html, within: &budget))
        }
        if let html = own.html {
            context[.own] = .list([[.words: .markup(try renderer.html.text(of: html, within: &budget))]])
        } else if let text = own.text {
            context[.own] = .list(try renderer.html.paragraphs(of: text, within: &budget))
        }
        return RenderedMail(
            subject: subject, text: wrapped(text), html: templates.render("mails.letter.html", context, as: .html, in: language))
    }

    /// The text of a message with a verification code, on one line.
    /// - Parameter name: the name of the app.
    public func textMessage(code: String, of name: String, in language: Language) -> String {
        language.plain(language.phrases.textMessage.code, [.code: .text(code), .app: .name(name)])
    }

    /// A template that admins set, which is read once; nil if it cannot be used.
    public func template(_ text: String, as part: MailTemplate.Part, for scope: TemplateScope) -> MailTemplate? {
        mailTemplates[MailTemplate.Key(text: text, part: part, scope: scope), or: try? MailTemplate(text, as: part, for: scope)]
    }

    /// The HTML of the page that explains an app link: for developers, in English.
    public func html(_ explanation: LinkExplanation) -> [UInt8] {
        Array(templates.render("pages.explanation", explanation.context, as: .html, in: languages[0]).utf8)
    }

    public var clientModule: Asset { files.clientModule }

    /// The path of the script of the pages of `onward dev`, which no other server has.
    public static let devScriptPath = "/emulator/pages.js"

    public var devScript: Asset { files.devScript }

    /// The names of the files of the console; the first is its page.
    public static let consoleFiles = [
        "index.html", "console.css", "console.js", "account.js", "actions.js", "api.js", "audit.js", "dom.js", "events.js", "find.js",
        "mails.js", "overview.js", "session.js", "words.js",
    ]

    public var console: [Asset] { files.console }

    /// The HTML of a page of `onward dev`: for developers, in English.
    public func html(_ page: DevPage) -> [UInt8] {
        Array(templates.render("dev." + page.template, page.context, as: .html, in: languages[0]).utf8)
    }
}

/// A problem of a template, language or public file. The server does not start with one that cannot
/// be used.
public struct ResourceError: Error, Hashable, CustomStringConvertible {
    /// The path of the file, below its folder as it was given.
    public let file: String
    /// From 1; nil if the problem concerns the whole file.
    public let line: Int?
    /// The key or placeholder, and what is wrong with it.
    public let problem: String

    init(file: String, line: Int? = nil, problem: String) { (self.file, self.line, self.problem) = (file, line, problem) }

    public var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(problem)" }
}
