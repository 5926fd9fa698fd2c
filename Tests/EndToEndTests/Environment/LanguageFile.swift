import Foundation
import Testing

/// The titles of the English pages, read from the language file: better wording must not break a
/// test.
enum LanguageFile {
    /// The title at the end of these keys, such as `("done", "verifyEmail")`.
    static func title(_ keys: String...) throws -> String {
        let file = URL(filePath: #filePath).appending(path: "../../../../Config/languages/en.json").standardizedFileURL
        let words = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file))["words"]
        let title = try #require(keys.reduce(words) { $0[$1] }["title"].text, "\(keys)")
        return title.replacing("{app}", with: "Demo App")
    }

    /// The tag of each language with its direction.
    static func directions() throws -> [(language: String, direction: String)] {
        let folder = URL(filePath: #filePath).appending(path: "../../../../Config/languages").standardizedFileURL
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map { file in
            let direction = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file))["direction"].text
            return (file.deletingPathExtension().lastPathComponent, try #require(direction))
        }.sorted { $0.0 < $1.0 }
    }
}
