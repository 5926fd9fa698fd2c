import Foundation

/// The users of a file, read piece by piece. The name says what it is: `.csv`, else JSON.
struct UserFile {
    let path: String
    let bytes: Int
    private let handle: FileHandle
    private var cut: Cut

    private enum Cut {
        case json(UserArray)
        case csv(CSVRows)
    }

    init(_ path: String) throws {
        guard let handle = FileHandle(forReadingAtPath: path) else { throw Failure("the file \(path) cannot be read") }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size]
        self.path = path
        self.handle = handle
        bytes = (size as? Int) ?? 0
        cut = path.lowercased().hasSuffix(".csv") ? .csv(CSVRows()) : .json(UserArray())
    }

    /// The users of the next piece, and how many bytes it had; nil at the end. Throws `Failure` where the file is no such file.
    mutating func next() throws -> (rows: [UserRow], bytes: Int)? {
        guard let piece = try handle.read(upToCount: 1 << 18), !piece.isEmpty else { return nil }
        return (try rows(in: piece), piece.count)
    }

    /// The users that are left when there is no more to read.
    mutating func finish() throws -> [UserRow] {
        try handle.close()
        switch cut {
        case .json(let array):
            try array.finish()
            return []
        case .csv(var rows): return try rows.finish().map(UserRow.columns)
        }
    }

    private mutating func rows(in piece: Data) throws -> [UserRow] {
        switch cut {
        case .json(var array):
            let users = try array.users(in: piece)
            cut = .json(array)
            return users.map(UserRow.json)
        case .csv(var rows):
            let read = try rows.rows(in: piece)
            cut = .csv(rows)
            return read.map(UserRow.columns)
        }
    }
}
