import Base
import Configuration
import Foundation

/// A file of users, read in pieces. It is CSV if its name ends in `.csv`, otherwise JSON.
struct UserFile {
    let path: String
    let bytes: Int
    private let handle: FileHandle
    private var isAtStart = true
    private var parser: Parser

    private enum Parser {
        case json(UserArray)
        case csv(CSVRows)
    }

    init(_ path: String) throws {
        if let obstacle = System.obstacle(toReading: path) { throw Failure("the file \(path) cannot be read: \(obstacle)") }
        guard let handle = FileHandle(forReadingAtPath: path) else { throw Failure("the file \(path) cannot be read") }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size]
        self.path = path
        self.handle = handle
        bytes = (size as? Int) ?? 0
        parser = path.lowercased().hasSuffix(".csv") ? .csv(CSVRows()) : .json(UserArray())
    }

    /// Reads the next piece; nil at the end. Throws `Failure` if the file has another format.
    mutating func next() throws -> (rows: [UserRow], bytes: Int)? {
        guard let piece = try handle.read(upToCount: 1 << 18), !piece.isEmpty else { return nil }
        // Windows programs begin a file with a byte order mark.
        let hasMark = isAtStart && piece.starts(with: [0xef, 0xbb, 0xbf])
        isAtStart = false
        return (try rows(in: hasMark ? piece.dropFirst(3) : piece), piece.count)
    }

    /// Closes the file and returns the remaining users.
    mutating func finish() throws -> [UserRow] {
        try handle.close()
        switch parser {
        case .json(let array):
            try array.finish()
            return []
        case .csv(var rows): return try rows.finish().map { .columns($0.columns) }
        }
    }

    private mutating func rows(in piece: Data) throws -> [UserRow] {
        switch parser {
        case .json(var array):
            let users = try array.users(in: piece)
            parser = .json(array)
            return users.map(UserRow.json)
        case .csv(var rows):
            let read = try rows.rows(in: piece)
            parser = .csv(rows)
            return read.map { .columns($0.columns) }
        }
    }
}
