import Accounts
import AppLinks
import Base
import Configuration
import Foundation
import Store

/// Imports the short links of an exported file in batches, so that a server on the same database is
/// not delayed. Importing a file again changes nothing.
struct LinkImporter {
    /// The numbers of rows by result, and of bytes read.
    struct LinkCounts: Equatable {
        var rows = 0, added = 0, existing = 0, refused = 0
        var bytes = 0
    }

    /// A refused row, which is one line of the report.
    struct RefusedRow: Encodable, Equatable {
        /// The line on which the row starts, from 1.
        let line: Int
        let shortLink: String
        let message: String
    }

    let store: Store
    let projects: ShortLinkProjects
    /// The link domain that replaces that of the file; nil keeps it.
    let domain: LinkDomain?
    let now: Now

    static let batch = 2_000

    /// - Parameters:
    ///   - unknown: called with the titles of columns that were not understood.
    ///   - report: called for each refused row.
    ///   - progress: called after each batch.
    func run(
        _ path: String, unknown: ([String]) -> Void, report: (RefusedRow) throws -> Void, progress: (LinkCounts) -> Void
    ) async throws -> LinkCounts {
        guard let file = FileHandle(forReadingAtPath: path) else { throw Failure("the file \(path) cannot be read") }
        defer { try? file.close() }
        var (rows, counts) = (CSVRows(), LinkCounts())
        var waiting: ArraySlice<CSVRows.Numbered> = []
        var columns: TakeoutColumns?
        var isLast = false
        while !isLast {
            let piece = try file.read(upToCount: 1 << 18) ?? Data()
            isLast = piece.isEmpty
            waiting += try isLast ? rows.finish() : rows.rows(in: piece)
            counts.bytes += piece.count
            if columns == nil, let first = waiting.first {
                let read = try TakeoutColumns(firstRow: first.columns.withoutByteOrderMark)
                unknown(read.unknown)
                if read.hasHeader { waiting = waiting.dropFirst() }
                columns = read
            }
            guard let columns else { continue }
            while waiting.count >= Self.batch || isLast && !waiting.isEmpty {
                try await take(waiting.prefix(Self.batch), columns, counts: &counts, report: report)
                waiting = waiting.dropFirst(Self.batch)
                progress(counts)
            }
        }
        guard columns != nil else { throw Failure("the file \(path) is empty") }
        return counts
    }

    private func take(
        _ rows: ArraySlice<CSVRows.Numbered>, _ columns: TakeoutColumns, counts: inout LinkCounts, report: (RefusedRow) throws -> Void
    ) async throws {
        var accepted: [(row: RefusedRow, draft: ShortLinkDraft, path: ShortLinkPath)] = []
        func refuse(_ row: RefusedRow) throws {
            counts.refused += 1
            try report(row)
        }
        for row in rows {
            counts.rows += 1
            var shortLink = ""
            do {
                let read = try TakeoutRow(row.columns, columns)
                shortLink = read.shortLink
                let (draft, path) = try await read.draft(on: domain, at: now()) { try await projects.project(of: $0) }
                accepted.append((RefusedRow(line: row.line, shortLink: shortLink, message: Self.isTaken), draft, path))
            } catch let failure as Failure {
                try refuse(RefusedRow(line: row.line, shortLink: shortLink, message: failure.description))
            }
        }
        let start = Uptime.now
        for (verdict, row) in zip(try await store.importShortLinks(accepted.map { ($0.draft, $0.path.text) }), accepted) {
            switch verdict {
            case .added: counts.added += 1
            case .existing: counts.existing += 1
            case .taken: try refuse(row.row)
            }
        }
        // SQLite does not queue writers that wait for its lock. A pause as long as the batch lets
        // them write.
        try await Task.sleep(for: Uptime.now - start)
    }

    private static let isTaken = "The short link exists already, and leads elsewhere."
}

extension [String] {
    /// The fields without the mark that some programs write at the start of a file.
    fileprivate var withoutByteOrderMark: [String] {
        guard let first, first.unicodeScalars.first == "\u{feff}" else { return self }
        return [String(String.UnicodeScalarView(first.unicodeScalars.dropFirst()))] + dropFirst()
    }
}
