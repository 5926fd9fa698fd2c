import Foundation
import Testing

@Suite struct `Links between documents` {
    private static let places = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Docs", "Config", "Benchmarks", "Scripts"]

    private func documents() throws -> [Source] { try Self.places.flatMap { try Source.all(in: $0, endings: ["md"]) } }

    @Test func `a relative link in a document leads to a file of the repository`() throws {
        var count = 0
        for document in try documents() {
            for link in links(of: document) where !link.path.isEmpty {
                count += 1
                #expect(FileManager.default.fileExists(atPath: link.target), "\(document.path) links to \(link.path)")
            }
        }
        #expect(count > 100)
    }

    @Test func `a link to a part of a document leads to one of its headings`() throws {
        var count = 0
        for document in try documents() {
            for link in links(of: document) where link.target.hasSuffix(".md") {
                guard let anchor = link.anchor, let text = try? String(contentsOfFile: link.target, encoding: .utf8) else { continue }
                count += 1
                #expect(anchors(of: text).contains(anchor), "\(document.path) links to \(link.path)#\(anchor)")
            }
        }
        #expect(count > 20)
    }

    private struct Link {
        let path: String
        let anchor: String?
        let target: String
    }

    private func links(of document: Source) -> [Link] {
        let file = Source.root.appending(path: document.path)
        return document.text.matches(of: #/\]\(([^)\s#:]*)(?:#([^)\s]*))?\)/#).map { link in
            let target = link.1.isEmpty ? file : file.deletingLastPathComponent().appending(path: String(link.1))
            return Link(path: String(link.1), anchor: link.2.map(String.init), target: target.standardizedFileURL.path)
        }
    }

    /// The anchors that GitHub gives the headings: lower case, without punctuation, with hyphens
    /// for spaces.
    private func anchors(of text: String) -> Set<String> {
        Set(
            text.replacing(#/(?s)```.*?```/#, with: "").matches(of: #/(?m)^#+ (.+)$/#).map { heading in
                heading.1.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
            })
    }
}
