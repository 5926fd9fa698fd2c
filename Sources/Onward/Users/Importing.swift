import Accounts
import EmailActions
import Foundation

/// Brings the users of a file into a project, a few at a time, so that a server on the same database hardly notices.
struct Importing {
    /// What has been done so far.
    struct AtomicCounter: Equatable {
        var users = 0, added = 0, overwritten = 0, skipped = 0, refused = 0
        var bytes = 0
    }

    /// A user that was not taken in, a line of the report. No address: the file has it.
    struct Refused: Encodable, Equatable {
        /// From 0, as in the answers of `batchCreate`.
        let index: Int
        let localId: String?
        let code, message: String
    }

    let imports: UserImport
    let project: ProjectID
    let scheme: HashScheme?
    let existing: UserImport.Existing
    /// An empty place of its own for a dry run, which shows what users of the file have in common; nil: this is no dry run.
    let rehearsal: UserImport?
    let now: Now
    let random: RandomBytes

    /// - Parameters:
    ///   - report: told of each user that was refused.
    ///   - progress: told after each few users.
    func run(
        _ file: UserFile, report: (Refused) throws -> Void, progress: (AtomicCounter) throws -> Void
    ) async throws -> AtomicCounter {
        var file = file
        var tally = AtomicCounter()
        while let piece = try file.next() {
            try await take(piece.rows, tally: &tally, report: report, progress: progress)
            tally.bytes += piece.bytes
            try progress(tally)
        }
        try await take(file.finish(), tally: &tally, report: report, progress: progress)
        return tally
    }

    private func take(
        _ rows: [UserRow], tally: inout AtomicCounter, report: (Refused) throws -> Void, progress: (AtomicCounter) throws -> Void
    ) async throws {
        for start in stride(from: 0, to: rows.count, by: UserImport.batch) {
            let batch = rows[start...].prefix(UserImport.batch)
            for (row, verdict) in zip(batch, try await verdicts(on: batch.map(read))) {
                let index = tally.users
                try tally.count(verdict) { code, message in
                    try report(Refused(index: index, localId: row.localID, code: code.rawValue, message: message))
                }
            }
            try progress(tally)
        }
    }

    private func read(_ row: UserRow) -> UserImport.Row {
        let (project, moment, random) = (project, now(), random)
        return Result { () throws(ActionError) in try row.user(in: project, at: moment, random: random) }
    }

    private func verdicts(on rows: [UserImport.Row]) async throws -> [UserImport.Verdict] {
        if scheme == nil, rows.contains(where: { (try? $0.get())?.password != nil }) {
            throw Failure(
                "the file holds hashes of passwords: say how they were made, by --hash-algo and what belongs to it, or --hash-config")
        }
        if let rehearsal { return try await rehearse(rows, in: rehearsal) }
        let clock = ContinuousClock()
        let start = clock.now
        let verdicts = try await imports.take(rows, hashedBy: scheme, existing: existing)
        // SQLite does not queue those who wait for its one lock: without a pause as long as the work they would wait for ever.
        try await Task.sleep(for: start.duration(to: clock.now))
        return verdicts
    }

    /// A no of either counts: of the accounts that are there, or of those earlier in the file.
    private func rehearse(_ rows: [UserImport.Row], in rehearsal: UserImport) async throws -> [UserImport.Verdict] {
        let here = try await imports.rehearse(rows, hashedBy: scheme, existing: existing)
        let welcome = zip(rows, here).filter { $1 == .added || $1 == .overwritten }
        var amongThemselves = try await rehearsal.take(welcome.map(\.0), hashedBy: scheme, existing: existing)[...]
        return here.map { verdict in
            guard verdict == .added || verdict == .overwritten, let other = amongThemselves.popFirst() else { return verdict }
            return other == .added ? verdict : other
        }
    }
}

extension Importing.AtomicCounter {
    fileprivate mutating func count(_ verdict: UserImport.Verdict, refusal: (Refusal, String) throws -> Void) rethrows {
        switch verdict {
        case .added: added += 1
        case .overwritten: overwritten += 1
        case .skipped: skipped += 1
        case .refused(let code, let detail):
            refused += 1
            try refusal(code, detail)
        }
        users += 1
    }
}
