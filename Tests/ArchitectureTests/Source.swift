import Foundation

/// A file of the repository.
struct Source {
    /// From the root of the repository.
    let path: String
    let text: String

    /// The second part of the path: `Web` of `Sources/Web/Site.swift`.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    /// The last part of the path, without what follows its first dot.
    var name: String { path.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? "" }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL

    /// The files below a folder, or the file itself, with one of these endings. Files that are not
    /// UTF-8 are left out.
    static func all(in path: String, endings: Set<String> = ["swift"]) throws -> [Source] {
        let found = FileManager.default.enumerator(atPath: root.appending(path: path).path)?.compactMap { $0 as? String } ?? []
        return (found.map { "\(path)/\($0)" } + [path]).compactMap { path in
            guard endings.contains(URL(filePath: path).pathExtension) else { return nil }
            let data = FileManager.default.contents(atPath: root.appending(path: path).path)
            return data.flatMap { String(data: $0, encoding: .utf8) }.map { Source(path: path, text: $0) }
        }
    }
}
