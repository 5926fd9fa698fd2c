import Accounts
import Base
import Configuration
import Foundation

/// Imports the users of a file into a project in small batches, so that a server on the same
/// database is not delayed.
struct UserImporter {
    /// The numbers of users by result, and of bytes read.
    struct ImportCounts: Equatable {
        var users = 0, added = 0, overwritten = 0, skipped = 0, refused = 0, withoutPhone = 0
        var bytes = 0
    }

    /// A user who was refused, or imported without a phone number: one line of the report. It
    /// contains no address.
    struct RefusedUser: Encodable, Equatable {
        /// The index in the file, from 0, as in the responses of `batchCreate`.
        let index: Int
        let localId: String?
        let code, message: String
    }

    let imports: UserImport
    let project: ProjectID
    let scheme: HashScheme?
    let existing: UserImport.Existing
    /// An import into an empty database for a dry run, which detects conflicts among the users of
    /// the file; nil: this is not a dry run.
    let rehearsal: UserImport?
    let now: Now
    let random: RandomBytes

    /// - Parameters:
    ///   - report: called for each refused user.
    ///   - progress: called after each batch.
    func run(
        _ file: UserFile, report: (RefusedUser) throws -> Void, progress: (ImportCounts) throws -> Void
    ) async throws -> ImportCounts {
        var file = file
        var counts = ImportCounts()
        var (seen, event) = (Set<Int>(), imports.begin())
        while let piece = try file.next() {
            try await importRows(piece.rows, after: &seen, telling: &event, counts: &counts, report: report, progress: progress)
            counts.bytes += piece.bytes
            try progress(counts)
        }
        try await importRows(file.finish(), after: &seen, telling: &event, counts: &counts, report: report, progress: progress)
        if rehearsal == nil { try await imports.finish(event) }
        return counts
    }

    /// - Parameters:
    ///   - seen: the hashes of the ids of the rows before. They take a tenth of the space of the
    ///     ids, and two of ten million are the same once in 400,000 imports.
    ///   - event: counts for the event of the import.
    private func importRows(
        _ rows: [UserRow], after seen: inout Set<Int>, telling event: inout ImportProgress, counts: inout ImportCounts,
        report: (RefusedUser) throws -> Void,
        progress: (ImportCounts) throws -> Void
    ) async throws {
        for start in stride(from: 0, to: rows.count, by: UserImport.batch) {
            let batch = rows[start...].prefix(UserImport.batch)
            let users = batch.map { read($0, after: &seen) }
            for ((row, user), verdict) in zip(zip(batch, users), try await verdicts(on: users, telling: &event)) {
                let index = counts.users
                func note(_ code: Refusal, _ message: String) throws {
                    try report(RefusedUser(index: index, localId: row.localID, code: code.rawValue, message: message))
                }
                try counts.count(verdict, refusal: note)
                guard verdict == .added || verdict == .overwritten, case .success(let imported) = user, imported.lacksPhoneNumber else {
                    continue
                }
                counts.withoutPhone += 1
                try note(.invalidPhoneNumber, "imported without its phone number, which is not one such as +15555550100")
            }
            try progress(counts)
        }
    }

    /// Refuses a second user with an id: one of both would be lost without a word.
    private func read(_ row: UserRow, after seen: inout Set<Int>) -> UserImport.Row {
        do throws(ActionError) {
            let user = try row.user(in: project, at: now(), random: random)
            guard seen.insert(user.account.id.hashValue).inserted else {
                throw .refused(.duplicateLocalID, detail: "another user before it in the file has the same localId")
            }
            return .success(user)
        } catch { return .failure(error) }
    }

    private func verdicts(on rows: [UserImport.Row], telling event: inout ImportProgress) async throws -> [UserImport.Verdict] {
        if scheme == nil, rows.contains(where: { (try? $0.get())?.password != nil }) {
            throw Failure(
                "the file contains password hashes; expected --hash-algo with its parameters, or --hash-config")
        }
        if let rehearsal { return try await rehearse(rows, in: rehearsal) }
        let start = Uptime.now
        let verdicts = try await imports.take(rows, of: &event, hashedBy: scheme, existing: existing)
        // SQLite does not queue writers that wait for its lock. A pause as long as the batch lets
        // them write.
        try await Task.sleep(for: Uptime.now - start)
        return verdicts
    }

    /// The verdicts of a dry run: a user is refused for a conflict with an existing account or with
    /// an earlier user of the file.
    private func rehearse(_ rows: [UserImport.Row], in rehearsal: UserImport) async throws -> [UserImport.Verdict] {
        let againstExisting = try await imports.rehearse(rows, hashedBy: scheme, existing: existing)
        let accepted = zip(rows, againstExisting).filter { $1 == .added || $1 == .overwritten }
        var againstFile = try await rehearsal.take(accepted.map(\.0), hashedBy: scheme, existing: existing)[...]
        return againstExisting.map { verdict in
            guard verdict == .added || verdict == .overwritten, let other = againstFile.popFirst() else { return verdict }
            return other == .added ? verdict : other
        }
    }
}

extension UserImporter.ImportCounts {
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
