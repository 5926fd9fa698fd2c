internal import Base
import Foundation

/// The contents of a language file.
struct LanguageFile: Codable {
    enum Direction: String, Codable { case ltr, rtl }

    /// The facts about a language that each page needs for its language switch, and those for
    /// plurals and dates.
    struct Facts: Codable {
        let name: String
        let direction: Direction
        /// The locale of dates and digits, in ICU's spelling.
        let locale: String
        let plural: PluralRule
    }

    let facts: Facts
    let words: Phrases

    private enum CodingKeys: CodingKey { case words }

    init(from decoder: any Decoder) throws {
        facts = try Facts(from: decoder)
        words = try decoder.container(keyedBy: CodingKeys.self).decode(Phrases.self, forKey: .words)
    }

    func encode(to encoder: any Encoder) throws {
        try facts.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(words, forKey: .words)
    }

    /// A plural whose forms are not those of the language's rule, which would show wrong words for
    /// some numbers.
    /// - Parameter keys: the keys of the file. Others have the forms of English, and *other* is
    ///   shown for numbers that need another one.
    fileprivate func pluralProblem(amongst keys: Set<String>) -> String? {
        let (durations, password) = (words.durations, words.password)
        let plurals = [
            ("durations.days", durations.days), ("durations.hours", durations.hours), ("durations.minutes", durations.minutes),
            ("password.maximum", password.maximum), ("password.minimum", password.minimum),
        ]
        let expected = facts.plural.categories
        return plurals.first { keys.contains("words." + $0.0) && $0.1.categories != Set(expected) }.map { key, _ in
            "key words.\(key): must have the forms \(expected.map(\.rawValue).joined(separator: ", "))"
        }
    }
}

/// The languages of `Config/languages`, read and checked.
struct ReadLanguages {
    /// In the order of `Views.languages`. English must be among them, because it is the fallback
    /// for every other language.
    let all: [Language]
    /// The words of own files that this version does not know, and those that they lack.
    let remarks: [ResourceError]

    /// - Parameter checksWords: whether the words of the release's files are read and checked, too,
    ///   except for English, which always is.
    init(in resources: Resources, checksWords: Bool) throws(ResourceError) {
        let folder = "Config/languages"
        let (ofRelease, own) = try resources.files(below: folder, ending: ".json")
        var (languages, remarks, knownKeys) = ([Language](), [ResourceError](), Set<String>())
        let first = "en.json"
        guard ofRelease.union(own).contains(first) else {
            throw ResourceError(file: resources.path("\(folder)/\(first)"), problem: "cannot be read")
        }
        for file in [first] + ofRelease.union(own).subtracting([first]).sorted() where !file.contains("/") {
            let base = "\(resources.release)/\(folder)/\(ofRelease.contains(file) ? file : first)"
            var source = try ReadFile(file: resources.path("\(folder)/\(file)"), over: own.contains(file) ? base : nil)
            let code = String(file.dropLast(5))
            if let english = languages.first, !checksWords, !own.contains(file) {
                languages.append(try source.unreadLanguage(code: code, fallback: english))
            } else {
                languages.append(try source.language(code: code, &knownKeys, isOfRelease: ofRelease.contains(file)))
            }
            remarks += source.remarks
        }
        all = [languages[0]] + languages.dropFirst().sorted { ($0.sortingName, $0.code) < ($1.sortingName, $1.code) }
        self.remarks = remarks
    }

    /// A language file, and the file whose words it changes.
    private struct ReadFile {
        let file: String
        /// Nil for a file of the release, which must be complete.
        let base: String?
        var remarks: [ResourceError] = []

        init(file: String, over base: String?) throws(ResourceError) { (self.file, self.base) = (file, base) }

        /// A language of the release, whose words are read when they are first asked for.
        func unreadLanguage(code: String, fallback: Language) throws(ResourceError) -> Language {
            let content = try bytes(of: file)
            do {
                let facts = try JSONDecoder().decode(LanguageFile.Facts.self, from: Data(content))
                return try language(code: code, facts, .unread(content, fallback: fallback.phrases))
            } catch let unusable as ResourceError { throw unusable } catch { throw ResourceError(error, in: file, with: content) }
        }

        private func language(code: String, _ facts: LanguageFile.Facts, _ words: Language.Words) throws(ResourceError) -> Language {
            guard !(code + facts.name).containsMark else {
                throw ResourceError(file: file, problem: "contains a character that Unicode reserves for programs")
            }
            return Language(code: code, facts, words)
        }

        /// - Parameter knownKeys: the keys that a file may have; computed from the first file,
        ///   because that takes as long as reading one.
        mutating func language(code: String, _ knownKeys: inout Set<String>, isOfRelease: Bool) throws(ResourceError) -> Language {
            let content = Data(try bytes(of: file))
            let read: LanguageFile
            do {
                let whole = try base.map { base in try merged(content, over: Data(try bytes(of: base))) } ?? content
                read = try JSONDecoder().decode(LanguageFile.self, from: whole)
                if knownKeys.isEmpty { knownKeys = try keys(in: JSONEncoder().encode(read)) }
                let own = try keys(in: content)
                let unknown = own.subtracting(knownKeys).sorted()
                if base == nil, let first = unknown.first { throw ResourceError(file: file, problem: "unknown key \(first)") }
                let missing = isOfRelease ? [] : knownKeys.subtracting(own).sorted()
                guard missing.allSatisfy({ $0.hasPrefix("words.") }) else {
                    throw ResourceError(file: file, problem: "missing key \(missing[0])")
                }
                remarks += unknown.map { ResourceError(file: file, problem: "not used: this version has no key \($0)") }
                remarks += missing.map { ResourceError(file: file, problem: "missing key \($0), shown in English") }
                if let problem = read.pluralProblem(amongst: own) { throw ResourceError(file: file, problem: problem) }
            } catch let unusable as ResourceError {
                throw unusable
            } catch {
                throw ResourceError(error, in: file, with: Array(content))
            }
            return try language(code: code, read.facts, .read(read.words))
        }
    }
}

extension Language {
    /// The name without case and accents: Čeština is sorted between Català and Dansk. Names in
    /// other scripts follow, by script.
    fileprivate var sortingName: String { name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}

/// A JSON object with the values of another, where that has them. The forms of a plural are one
/// value.
private func merged(_ changes: Data, over base: Data) throws -> Data {
    func merged(_ changes: Any, over base: Any?) -> Any {
        guard let changes = changes as? [String: Any], let base = base as? [String: Any],
            !base.keys.contains(where: { PluralRule.Category(rawValue: $0) != nil })
        else { return changes }
        return base.merging(changes) { old, new in merged(new, over: old) }
    }
    let (changes, base) = (try JSONSerialization.jsonObject(with: changes), try JSONSerialization.jsonObject(with: base))
    return try JSONSerialization.data(withJSONObject: merged(changes, over: base))
}

extension ResourceError {
    /// The problem of a file that cannot be decoded.
    fileprivate init(_ error: any Error, in file: String, with content: [UInt8]) {
        func path(_ keys: [any CodingKey]) -> String { keys.map(\.stringValue).joined(separator: ".") }
        do throws(JSON.Malformed) { _ = try JSON(content, within: .init(maxMembers: .max, maxValues: .max)) } catch {
            let lines = content.prefix(error.offset).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            self.init(file: file, line: lines.count, problem: "not JSON: \(error.fault.rawValue.lowercased())")
            return
        }
        let problem =
            switch error as? DecodingError {
            case .keyNotFound(let key, let context): "missing key \(path(context.codingPath + [key]))"
            case .valueNotFound(_, let context), .typeMismatch(_, let context):
                "key \(path(context.codingPath)) has a value of the wrong type"
            case .dataCorrupted(let context) where context.debugDescription.hasPrefix("Cannot initialize"):
                "key \(path(context.codingPath)) has an unknown value"
            case .dataCorrupted(let context): "key \(path(context.codingPath)): \(context.debugDescription)"
            case nil: "\(error)"
            @unknown default: "\(error)"
            }
        self.init(file: file, problem: problem)
    }
}

/// The path of every leaf of a JSON object. The forms of a plural are one leaf, because languages
/// have different ones.
private func keys(in json: Data) throws -> Set<String> {
    func leaves(_ value: Any, _ path: String) -> [String] {
        guard let object = value as? [String: Any] else { return [path] }
        return object.flatMap { key, value in
            PluralRule.Category(rawValue: key) != nil ? [path] : leaves(value, path.isEmpty ? key : "\(path).\(key)")
        }
    }
    return Set(leaves(try JSONSerialization.jsonObject(with: json), ""))
}
