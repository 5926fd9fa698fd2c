import Foundation
import Testing

@Suite struct `Links between documents` {
    @Test func `a relative link in a document leads to a file of the repository`() throws {
        let places = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Docs", "Config", "Benchmarks", "Scripts"]
        var count = 0
        for document in try places.flatMap({ try Source.all(in: $0, endings: ["md"]) }) {
            let folder = Source.root.appending(path: document.path).deletingLastPathComponent()
            for link in document.text.matches(of: #/\]\(([^)\s#:]+)(?:#[^)\s]*)?\)/#) {
                count += 1
                let target = folder.appending(path: String(link.1)).standardizedFileURL.path
                #expect(FileManager.default.fileExists(atPath: target), "\(document.path) links to \(link.1)")
            }
        }
        #expect(count > 100)
    }
}
