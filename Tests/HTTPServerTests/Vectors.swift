import Foundation
import Testing

/// A file of the public test vectors for HTTP/1.1, which are read from beside the repository.
struct VectorFile: Decodable {
    struct Case: Decodable, CustomTestStringConvertible, Sendable {
        struct Step: Decodable, Sendable {
            let raw_b64: String?
        }

        let id: String
        let `class`: String
        let raw_b64: String?
        let steps: [Step]?
        let tier: String?
        let has_host: Bool?
        let needs_config: [String]?
        let messages_completed: Int?

        var testDescription: String { id }

        /// All that is sent, one step after the other.
        var bytes: [UInt8] {
            (steps?.map(\.raw_b64) ?? [raw_b64]).compactMap { $0 }.flatMap { Array(Data(base64Encoded: $0) ?? Data()) }
        }
    }

    let cases: [Case]

    static let folder: URL? = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("shared/data/http11")
            if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
        }
        return nil
    }()

    static func cases(_ name: String) -> [Case] {
        guard let folder, let content = try? Data(contentsOf: folder.appendingPathComponent(name + ".json")) else { return [] }
        return (try? JSONDecoder().decode(VectorFile.self, from: content).cases) ?? []
    }
}
