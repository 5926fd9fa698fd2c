import Foundation
import Mustache

/// The templates in `Config/templates`, by folder and name, such as `pages.confirm` and
/// `mails.letter.txt`.
struct Templates: Sendable {
    /// The templates that the server renders. They may include others.
    static let required = [
        "pages/confirm", "pages/done", "pages/error", "pages/sent", "pages/openApp", "pages/explanation", "mails/letter.html",
        "mails/letter.txt", "dev/start", "dev/inbox", "dev/mail", "dev/accounts", "dev/account", "dev/arrival", "dev/gallery",
    ]

    private let library: MustacheLibrary
    /// The own templates that no template of this version includes.
    let remarks: [ResourceError]

    /// The folder of the projects' own templates, which are read elsewhere: they may use other
    /// names.
    private static let ofProjects = "mails/projects/"

    init(in resources: Resources) throws(ResourceError) {
        let folder = "Config/templates"
        let found = try resources.files(below: folder, ending: suffix)
        let (ofRelease, own) = (found.ofRelease, found.own.filter { !$0.hasPrefix(Self.ofProjects) })
        // An own template that the release lacks counts only if another one includes it.
        var included: Set<String> = []
        for file in own {
            included.formUnion(inclusions(in: String(decoding: try bytes(of: resources.path("\(folder)/\(file)")), as: UTF8.self)))
        }
        let unused = own.subtracting(ofRelease).filter { !included.contains(name(of: $0)) }
        let files = ofRelease.filter { !$0.hasPrefix(Self.ofProjects) }.union(own).subtracting(unused)
        let names = Set(files.map(name))
        if let missing = Self.required.first(where: { !files.contains($0 + suffix) }) {
            throw ResourceError(file: resources.path("\(folder)/\(missing)\(suffix)"), problem: "the template is missing")
        }
        var library = MustacheLibrary()
        for file in files.sorted() {
            let path = resources.path("\(folder)/\(file)")
            let source = String(decoding: try bytes(of: path), as: UTF8.self)
            try check(source, of: path, among: names)
            do {
                // `TemplateRenderer` has escaped the values.
                try library.register("{{% CONTENT_TYPE:TEXT}}\n" + source, named: name(of: file))
            } catch let error as MustacheTemplate.ParserError {
                throw ResourceError(file: path, line: error.context.lineNumber - 1, problem: sentence(of: error))
            } catch {
                throw ResourceError(file: path, problem: "\(error)")
            }
        }
        self.library = library
        remarks = unused.sorted().map {
            ResourceError(file: resources.path("\(folder)/\($0)"), problem: "not used: this version has no template of this name")
        }
    }

    /// - Returns: an empty string only for a name that is not in `required`.
    func render(_ name: String, _ context: TemplateContext, as medium: Medium, in language: Language) -> String {
        library.render(TemplateRenderer(medium: medium, language: language).mustache(context), withTemplate: name) ?? ""
    }
}

private let suffix = ".mustache"

/// The name of a template file: `pages.confirm` for `pages/confirm.mustache`.
private func name(of file: String) -> String { file.dropLast(suffix.count).split(separator: "/").joined(separator: ".") }

/// The names of the templates that a template includes.
private func inclusions(in source: String) -> [String] {
    source.matches(of: #/{{[<>]([^}]*)}}/#).map { $0.1.trimmingCharacters(in: .whitespaces) }
}

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
        guard isKnown else {
            let line = source[..<tag.range.lowerBound].count { $0.isNewline } + 1
            throw ResourceError(file: file, line: line, problem: "unknown placeholder \(tag.0)")
        }
    }
}

private func sentence(of error: MustacheTemplate.ParserError) -> String {
    switch error.error as? MustacheTemplate.Error {
    case .sectionCloseNameIncorrect?: "a section is closed by another name than it was opened with"
    case .expectedSectionEnd?: "a section is not closed; expected {{/name}}"
    case .unfinishedName?: "a placeholder does not end; expected }}"
    case .illegalTokenInsideInheritSection?, .textInsideInheritSection?: "between {{<name}} and {{/name}}, only {{$block}} sections may be"
    case .invalidSetDelimiter?, .transformAppliedToInheritanceSection?, .invalidConfigVariableSyntax?, .unrecognisedConfigVariable?, nil:
        "not a Mustache template"
    }
}
