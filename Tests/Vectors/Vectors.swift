package import Foundation

/// The public test vectors, which are in a folder beside the project and never copied into it. A
/// clone without them runs only the project's own cases: `.enabled(if: Vectors.arePresent,
/// Vectors.absence)`.
package enum Vectors {
    private static let folder: URL? = sequence(first: URL(filePath: #filePath)) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }
        .map { $0.appending(path: "shared/data") }
        .first { FileManager.default.fileExists(atPath: $0.path) }

    package static let arePresent = folder != nil
    package static let absence = "shared/data is not beside this clone"

    /// The file at a path inside the folder, such as `url/toascii.json`.
    package static func bytes(_ path: String) throws -> Data {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return try Data(contentsOf: folder.appending(path: path))
    }

    /// The path of a folder of vectors.
    package static func path(_ name: String) throws -> String {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return folder.appending(path: name).path
    }

    package static func lines(_ path: String) throws -> [String] {
        String(decoding: try bytes(path), as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }

    /// The cases of a JSON list, in which plain strings are comments. Half a surrogate pair, which
    /// no Swift string can contain, is read as U+FFFD, as browsers do.
    package static func cases<Case: Decodable>(_ path: String, as _: Case.Type = Case.self) throws -> [Case] {
        try JSONDecoder().decode([Row<Case>].self, from: withoutLoneSurrogates(bytes(path))).compactMap(\.value)
    }

    /// The cases of a JSON list that is the value of a key.
    package static func cases<Case: Decodable>(_ path: String, under key: String, as _: Case.Type = Case.self) throws -> [Case] {
        try JSONDecoder().decode([String: Lenient<Case>].self, from: withoutLoneSurrogates(bytes(path)))[key]?.list ?? []
    }

    private static func withoutLoneSurrogates(_ json: Data) -> Data {
        let (high, low) = (#"\\u[dD][89abAB][0-9a-fA-F]{2}"#, #"\\u[dD][c-fC-F][0-9a-fA-F]{2}"#)
        let lone = "\(high)(?!\(low))|(?<!\(high))\(low)"
        return Data(
            String(decoding: json, as: UTF8.self).replacingOccurrences(of: lone, with: #"\\uFFFD"#, options: .regularExpression).utf8)
    }

    private struct Row<Case: Decodable>: Decodable {
        let value: Case?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = (try? container.decode(String.self)) == nil ? try container.decode(Case.self) : nil
        }
    }

    private struct Lenient<Case: Decodable>: Decodable {
        let list: [Case]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            list = (try? container.decode(String.self)) == nil ? try container.decode([Row<Case>].self).compactMap(\.value) : []
        }
    }
}
