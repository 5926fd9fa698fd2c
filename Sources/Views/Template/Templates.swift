import Foundation
import Mustache

/// The templates in `Config/templates`, by folder and name, such as `pages.confirm` and
/// `mails.letter.txt`.
struct Templates: Sendable {
    /// The templates that the server renders. They may include others.
    static let required = [
        "pages/confirm", "pages/done", "pages/error", "pages/sent", "pages/openApp", "pages/explanation", "mails/letter.html",
        "mails/letter.txt", "dev/start", "dev/inbox", "dev/mail", "dev/accounts", "dev/account", "dev/arrival",
    ]

    private let library: MustacheLibrary

    /// The folder of the projects' own templates, which are read elsewhere: they may use other
    /// names.
    private static let ofProjects = "mails/projects/"

    init(folder: String) throws(ResourceError) {
        let files = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).filter {
            $0.hasSuffix(suffix) && !$0.hasPrefix(Self.ofProjects)
        }
        let names = Set(files.map(name))
        if let missing = Self.required.first(where: { !files.contains($0 + suffix) }) {
            throw ResourceError(file: "\(folder)/\(missing)\(suffix)", problem: "the template is missing")
        }
        var library = MustacheLibrary()
        for file in files.sorted() {
            let source = String(decoding: try bytes(of: "\(folder)/\(file)"), as: UTF8.self)
            try check(source, of: "\(folder)/\(file)", among: names)
            do {
                // `TemplateRenderer` has escaped the values.
                try library.register("{{% CONTENT_TYPE:TEXT}}\n" + source, named: name(of: file))
            } catch let error as MustacheTemplate.ParserError {
                throw ResourceError(
                    file: "\(folder)/\(file)", problem: "line \(error.context.lineNumber - 1), \(error.context.line): \(error.error)")
            } catch {
                throw ResourceError(file: "\(folder)/\(file)", problem: "\(error)")
            }
        }
        self.library = library
    }

    /// - Returns: an empty string only for a name that is not in `required`.
    func render(_ name: String, _ context: TemplateContext, as medium: Medium, in language: Language) -> String {
        library.render(TemplateRenderer(medium: medium, language: language).mustache(context), withTemplate: name) ?? ""
    }
}

private let suffix = ".mustache"

/// The name of a template file: `pages.confirm` for `pages/confirm.mustache`.
private func name(of file: String) -> String { file.dropLast(suffix.count).split(separator: "/").joined(separator: ".") }

/// Refuses names that templates do not have, which Mustache would render as nothing.
private func check(_ source: String, of file: String, among templates: Set<String>) throws(ResourceError) {
    guard !source.containsMark else { throw ResourceError(file: file, problem: "contains a character that Unicode reserves for programs") }
    let blocks = Set(source.matches(of: #/{{\$([^}]*)}}/#).map { $0.1.trimmingCharacters(in: .whitespaces) })
    let inherited = Set(source.matches(of: #/{{<([^}]*)}}/#).map { $0.1.trimmingCharacters(in: .whitespaces) })
    for tag in source.matches(of: #/{{([#^\/>$<!&={%]?)([^}]*)}}/#) {
        let name = tag.2.trimmingCharacters(in: .whitespaces)
        let isKnown =
            switch tag.1 {
            case "!", "$": true
            case ">", "<": templates.contains(name)
            case "/": TemplateKey(rawValue: name) != nil || blocks.contains(name) || inherited.contains(name)
            case "", "#", "^": TemplateKey(rawValue: name) != nil
            default: false
            }
        guard isKnown else { throw ResourceError(file: file, problem: "unknown placeholder \(tag.0)") }
    }
}
