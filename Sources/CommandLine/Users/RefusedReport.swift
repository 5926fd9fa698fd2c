import Foundation

/// The report of refused users or links as JSON lines. The file is created only if there are any.
struct RefusedReport {
    let path: String
    private var file: PrivateFile?
    private let encoder = JSONEncoder()

    /// Removes the report of an earlier run.
    init(_ path: String) throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        self.path = path
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    mutating func add(_ refused: some Encodable) throws {
        let report = try file ?? PrivateFile(new: path)
        file = report
        try report.write(String(decoding: encoder.encode(refused), as: UTF8.self) + "\n")
    }

    func close() throws { try file?.close() }
}
