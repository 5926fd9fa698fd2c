import Foundation

/// The small inputs that the fuzzers keep in the tree.
enum Corpus {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../Scripts/fuzz/corpus").standardizedFileURL

    /// What a client sends in them: for `chunks` what follows the head.
    static func inputs(_ target: String) throws -> [[UInt8]] {
        let head = target == "chunks" ? Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8) : []
        let folder = folder.appending(path: target)
        // The first three bytes choose limits and pieces.
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            head + Array(try Data(contentsOf: folder.appending(path: $0)).dropFirst(3))
        }
    }
}
