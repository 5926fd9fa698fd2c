internal import Accounts
import Foundation
public import Views

/// The mail templates that operators write as files, checked when they are read.
///
/// They are in `<folder>/<project>/<language>/<mail>.<part>.mustache`, or without `<language>` for
/// every language. `<mail>` is a kind of letter or `letter`, which is for all kinds without their
/// own file. `<part>` is `subject.txt`, `txt` or `html`.
public struct ProjectTemplates: Sendable {
    public static let none = ProjectTemplates(words: [:])

    private struct Place: Hashable, Sendable {
        let project: String
        /// The key of the language; nil: every language.
        let language: String?
        /// Nil: every kind of letter.
        let kind: LetterKind?
    }

    private var words: [Place: OwnWords]

    private init(words: [Place: OwnWords]) { self.words = words }

    /// - Parameter folder: may be missing.
    public init(folder: String, views: Views) throws(InvalidTemplates) {
        var reader = FolderReader(views: views)
        for project in reader.names(in: folder) { reader.read(folder, project, language: nil) }
        guard reader.problems.isEmpty else { throw InvalidTemplates(problems: reader.problems) }
        words = reader.words
    }

    /// The projects that have templates.
    public var projects: Set<String> { Set(words.keys.map(\.project)) }

    /// The words for a kind of letter: its own, then those for every kind.
    /// - Parameter kind: nil: only those for every kind.
    /// - Parameter language: the key of the language; nil: the words for every language.
    func words(for kind: LetterKind?, in project: ProjectID, _ language: String?) -> [OwnWords] {
        [kind, nil].compactMap { words[Place(project: project.rawValue, language: language, kind: $0)] }
    }

    private struct FolderReader {
        let views: Views
        var words: [Place: OwnWords] = [:]
        var problems: [TemplateFileProblem] = []

        /// The visible files of a folder, in order; empty if there is none.
        func names(in folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
        }

        private func isFolder(_ path: String) -> Bool {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }

        mutating func read(_ root: String, _ project: String, language: String?) {
            let folder = [root, project, language].compactMap(\.self).joined(separator: "/")
            guard isFolder(folder) else { return object(folder, "expected a folder with the id of a project") }
            let key = language.flatMap { views.languageKey($0) }
            if let language, key == nil {
                let codes = views.languages.map(\.code).joined(separator: ", ")
                return object(folder, "no language answers the tag \(language); expected one of \(codes), or a tag such as de-AT")
            }
            for name in names(in: folder) {
                let file = "\(folder)/\(name)"
                if language == nil, isFolder(file) {
                    read(root, project, language: name)
                } else {
                    read(file, named: name, project, language: key)
                }
            }
        }

        private mutating func read(_ file: String, named name: String, _ project: String, language: String?) {
            let dot = name.firstIndex(of: ".") ?? name.endIndex
            let (stem, ending) = (String(name[..<dot]), String(name[dot...]))
            let kind = LetterKind(rawValue: stem)
            guard kind != nil || stem == "letter",
                let part = MailTemplate.Part.allCases.first(where: { ".\($0.rawValue).mustache" == ending })
            else {
                let kinds = (LetterKind.allCases.map(\.rawValue) + ["letter"]).joined(separator: ", ")
                return object(
                    file,
                    "unknown file; expected <mail>.subject.txt.mustache, <mail>.txt.mustache or <mail>.html.mustache, "
                        + "in which <mail> is one of \(kinds)")
            }
            guard let data = FileManager.default.contents(atPath: file) else { return object(file, "the file cannot be read") }
            guard let source = String(validating: data, as: UTF8.self) else {
                return object(file, "the file is not UTF-8: save it as UTF-8")
            }
            do throws(TemplateProblem) {
                let template = try MailTemplate(source, as: part, for: kind?.scope ?? .everyMail)
                words[Place(project: project, language: language, kind: kind), default: OwnWords()][part] = template
            } catch {
                problems.append(.init(file: file, line: error.line, column: error.column, sentence: error.sentence))
            }
        }

        private mutating func object(_ file: String, _ sentence: String) {
            problems.append(.init(file: file, line: nil, column: nil, sentence: sentence))
        }
    }
}

/// The error of templates that cannot be used, with the first problem of each file.
public struct InvalidTemplates: Error, Sendable {
    public let problems: [TemplateFileProblem]
}

public struct TemplateFileProblem: Sendable, Hashable {
    public let file: String
    /// From 1; nil if the problem concerns the whole file.
    public let line, column: Int?
    public let sentence: String
}
