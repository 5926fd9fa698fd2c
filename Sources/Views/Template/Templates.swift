import Foundation
import Mustache

/// The templates in `Config/templates`, by folder and name: `pages.confirm`, `mails.letter.txt`.
struct Templates: Sendable {
    /// Those that the server asks for; each may use others.
    static let asked = [
        "pages/confirm", "pages/done", "pages/trouble", "pages/sent", "pages/openApp", "mails/letter.html", "mails/letter.txt", "dev/start",
        "dev/inbox", "dev/mail",
    ]

    private let library: MustacheLibrary

    init(folder: String) throws(Views.Unusable) {
        let files = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(suffix) }
        let names = Set(files.map(name))
        if let missing = Self.asked.first(where: { !files.contains($0 + suffix) }) {
            throw Views.Unusable(file: "\(folder)/\(missing)\(suffix)", problem: "there is no such template")
        }
        var library = MustacheLibrary()
        for file in files.sorted() {
            let source = String(decoding: try bytes(of: "\(folder)/\(file)"), as: UTF8.self)
            try check(source, of: "\(folder)/\(file)", among: names)
            do {
                // The values are markup already: see `Rendering`.
                try library.register("{{% CONTENT_TYPE:TEXT}}\n" + source, named: name(of: file))
            } catch let error as MustacheTemplate.ParserError {
                throw Views.Unusable(
                    file: "\(folder)/\(file)", problem: "line \(error.context.lineNumber - 1), \(error.context.line): \(error.error)")
            } catch {
                throw Views.Unusable(file: "\(folder)/\(file)", problem: "\(error)")
            }
        }
        self.library = library
    }

    /// Empty only for a name outside `asked`.
    func render(_ name: String, _ fields: Fields, as medium: Medium, in language: Language) -> String {
        library.render(Rendering(medium: medium, language: language).filling(fields), withTemplate: name) ?? ""
    }
}

private let suffix = ".mustache"

/// `pages/confirm.mustache` is `pages.confirm`.
private func name(of file: String) -> String { file.dropLast(suffix.count).split(separator: "/").joined(separator: ".") }

/// Mustache renders what it does not know as nothing; here it is refused instead, by name.
private func check(_ source: String, of file: String, among templates: Set<String>) throws(Views.Unusable) {
    guard !source.holdsMark else { throw Views.Unusable(file: file, problem: "holds a character that has no meaning outside of programs") }
    let blocks = Set(source.matches(of: #/{{\$([^}]*)}}/#).map { $0.1.trimmingCharacters(in: .whitespaces) })
    let inherited = Set(source.matches(of: #/{{<([^}]*)}}/#).map { $0.1.trimmingCharacters(in: .whitespaces) })
    for tag in source.matches(of: #/{{([#^\/>$<!&={%]?)([^}]*)}}/#) {
        let name = tag.2.trimmingCharacters(in: .whitespaces)
        let isKnown =
            switch tag.1 {
            case "!", "$": true
            case ">", "<": templates.contains(name)
            case "/": Slot(rawValue: name) != nil || blocks.contains(name) || inherited.contains(name)
            case "", "#", "^": Slot(rawValue: name) != nil
            default: false
            }
        guard isKnown else { throw Views.Unusable(file: file, problem: "unknown placeholder \(tag.0)") }
    }
}
