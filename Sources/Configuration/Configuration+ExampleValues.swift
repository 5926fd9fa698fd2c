import Foundation
import Yams

extension Configuration {
    /// The values of a file that were left as in the sample or in the documents: hosts that are
    /// reserved for examples (RFC 2606, RFC 6761), and the keys and ids of the sample's apps.
    public static func exampleValues(inFile file: String) -> [Problem] {
        guard let bytes = FileManager.default.contents(atPath: file),
            let root = try? Yams.compose(yaml: String(decoding: bytes, as: UTF8.self))
        else { return [] }
        return values(of: root, at: "").compactMap { path, node in
            guard let text = node.scalar?.string, isExample(text) else { return nil }
            return Problem(
                file: file, line: node.mark?.line, column: node.mark?.column, key: path,
                sentence: "\"\(text)\" is the value of an example; is it yours?")
        }
    }

    private static func values(of node: Node, at path: String) -> [(path: String, node: Node)] {
        switch node {
        case .mapping(let members):
            members.flatMap { values(of: $0.value, at: path.isEmpty ? $0.key.string ?? "" : "\(path).\($0.key.string ?? "")") }
        case .sequence(let items): items.enumerated().flatMap { values(of: $0.element, at: "\(path)[\($0.offset)]") }
        default: [(path, node)]
        }
    }

    private static func isExample(_ text: String) -> Bool {
        let samples: Set = ["example-api-key", "ABCDE12345", "123456789"]
        return samples.contains(text) || text.hasPrefix("com.example.") || text.hasPrefix("00:11:22:33:44:55:66:77:88:99:AA:BB")
            || text.contains(#/(^|[\/@.= <])example\.(com|org|net)($|[\/:?>])|\.(example|invalid)($|[\/:?>])/#)
    }
}
