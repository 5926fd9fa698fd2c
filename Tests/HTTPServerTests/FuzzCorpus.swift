import Foundation

/// The inputs in `Scripts/fuzz/corpus`.
enum FuzzCorpus {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../Scripts/fuzz/corpus").standardizedFileURL

    /// The bytes that a client would send; for `chunks` the head is added.
    static func inputs(_ target: String) throws -> [[UInt8]] {
        let head = target == "chunks" ? Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8) : []
        let folder = folder.appending(path: target)
        // The first three bytes of a file choose the limits and the division into reads.
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            head + Array(try Data(contentsOf: folder.appending(path: $0)).dropFirst(3))
        }
    }
}
