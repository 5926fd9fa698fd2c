import Foundation
import Testing

/// What the English pages say, from the file that says it: better wording must not break a test.
enum Words {
    /// By the keys that lead to it, such as `("done", "verifyEmail")`; the title of what is found there.
    static func title(_ keys: String...) throws -> String {
        let file = URL(filePath: #filePath).appending(path: "../../../../Config/languages/en.json").standardizedFileURL
        let words = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file))["words"]
        let title = try #require(keys.reduce(words) { $0[$1] }["title"].text, "\(keys)")
        return title.replacing("{app}", with: "Demo App")
    }
}
