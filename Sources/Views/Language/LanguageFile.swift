internal import Base
import Foundation

/// The contents of a language file.
struct LanguageFile: Codable {
    enum Direction: String, Codable { case ltr, rtl }

    let name: String
    let direction: Direction
    /// The locale of dates and digits, in ICU's spelling.
    let locale: String
    let plural: PluralRule
    let words: Phrases

    /// A plural whose forms are not those of the language's rule, which would show wrong words for
    /// some numbers.
    fileprivate var pluralProblem: String? {
        let (durations, password) = (words.durations, words.password)
        let plurals = [
            ("durations.days", durations.days), ("durations.hours", durations.hours), ("durations.minutes", durations.minutes),
            ("password.maximum", password.maximum), ("password.minimum", password.minimum),
        ]
        let expected = plural.categories
        return plurals.first { $0.1.categories != Set(expected) }.map { key, _ in
            "key words.\(key): must have the forms \(expected.map(\.rawValue).joined(separator: ", "))"
        }
    }
}

extension Language {
    /// Every `.json` file of the folder, in the order of `Views.languages`. English must be among
    /// them, because it is the fallback for every other language.
    static func all(folder: String) throws(ResourceError) -> [Language] {
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }.sorted()
        var (languages, knownKeys) = ([Language](), Set<String>())
        for file in files {
            languages.append(try Language(code: String(file.dropLast(5)), file: "\(folder)/\(file)", &knownKeys))
        }
        guard let english = languages.firstIndex(where: { $0.code == "en" }) else {
            throw ResourceError(file: folder + "/en.json", problem: "cannot be read")
        }
        let fallback = languages.remove(at: english)
        return [fallback] + languages.sorted { ($0.sortingName, $0.code) < ($1.sortingName, $1.code) }
    }

    /// The name without case and accents: Čeština is sorted between Català and Dansk. Names in
    /// other scripts follow, by script.
    private var sortingName: String { name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }

    /// - Parameter knownKeys: the keys that a file may have; computed from the first file, because
    ///   that takes as long as reading one.
    private convenience init(code: String, file: String, _ knownKeys: inout Set<String>) throws(ResourceError) {
        let content = Data(try bytes(of: file))
        let read: LanguageFile
        do {
            read = try JSONDecoder().decode(LanguageFile.self, from: content)
            if knownKeys.isEmpty { knownKeys = try keys(in: JSONEncoder().encode(read)) }
            let unknown = try keys(in: content).subtracting(knownKeys).min()
            guard unknown == nil else { throw ResourceError(file: file, problem: "unknown key \(unknown ?? "")") }
            if let problem = read.pluralProblem { throw ResourceError(file: file, problem: problem) }
        } catch let unusable as ResourceError {
            throw unusable
        } catch {
            throw ResourceError(error, in: file, with: Array(content))
        }
        guard !(code + read.name).containsMark else {
            throw ResourceError(file: file, problem: "contains a character that Unicode reserves for programs")
        }
        self.init(code: code, read)
    }
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
