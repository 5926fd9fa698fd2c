import Foundation

/// Who was refused and why, a line of JSON each; there is a file only if somebody was.
struct RefusedReport {
    let path: String
    private var file: PrivateFile?
    private let encoder = JSONEncoder()

    /// Takes away the report of an earlier run, which would say what may not be true any more.
    init(_ path: String) throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        self.path = path
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    mutating func add(_ refused: Importing.Refused) throws {
        let report = try file ?? PrivateFile(new: path)
        file = report
        try report.write(String(decoding: encoder.encode(refused), as: UTF8.self) + "\n")
    }

    func close() throws { try file?.close() }
}
