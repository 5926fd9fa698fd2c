import Foundation

/// What is written in a language file.
struct LanguageFile: Codable {
    enum Direction: String, Codable { case ltr, rtl }

    let name: String
    let direction: Direction
    /// For dates and digits, as ICU spells it.
    let locale: String
    let plural: PluralRule
    let words: Words
}

extension Language {
    /// Every `.json` file of the folder; English must be among them, as it is what everyone else falls back to.
    static func all(folder: String) throws(Views.Unusable) -> [Language] {
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }.sorted()
        var languages: [Language] = []
        for file in files {
            languages.append(try Language(code: String(file.dropLast(5)), file: "\(folder)/\(file)"))
        }
        guard let english = languages.firstIndex(where: { $0.code == "en" }) else {
            throw Views.Unusable(file: folder + "/en.json", problem: "cannot be read")
        }
        languages.insert(languages.remove(at: english), at: 0)
        return languages
    }

    private convenience init(code: String, file: String) throws(Views.Unusable) {
        let content = Data(try bytes(of: file))
        let read: LanguageFile
        do {
            read = try JSONDecoder().decode(LanguageFile.self, from: content)
            let unknown = try keys(in: content).subtracting(keys(in: JSONEncoder().encode(read))).min()
            guard unknown == nil else { throw Views.Unusable(file: file, problem: "unknown key \(unknown ?? "")") }
        } catch let unusable as Views.Unusable {
            throw unusable
        } catch {
            throw Views.Unusable(file: file, problem: problem(of: error))
        }
        guard !(code + read.name).holdsMark else {
            throw Views.Unusable(file: file, problem: "holds a character that has no meaning outside of programs")
        }
        self.init(code: code, read)
    }
}

private func problem(of error: any Error) -> String {
    func path(_ keys: [any CodingKey]) -> String { keys.map(\.stringValue).joined(separator: ".") }
    return switch error as? DecodingError {
    case .keyNotFound(let key, let context): "missing key \(path(context.codingPath + [key]))"
    case .valueNotFound(_, let context), .typeMismatch(_, let context): "key \(path(context.codingPath)) has another kind of value"
    case .dataCorrupted(let context): "key \(path(context.codingPath)): \(context.debugDescription)"
    case nil: "\(error)"
    @unknown default: "\(error)"
    }
}

/// The path of every leaf of a JSON object.
private func keys(in json: Data) throws -> Set<String> {
    func leaves(_ value: Any, _ path: String) -> [String] {
        guard let object = value as? [String: Any] else { return [path] }
        return object.flatMap { leaves($0.value, path.isEmpty ? $0.key : "\(path).\($0.key)") }
    }
    return Set(leaves(try JSONSerialization.jsonObject(with: json), ""))
}
