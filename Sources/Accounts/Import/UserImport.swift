public import Base

/// Imports accounts from other systems in batches.
///
/// Each batch is one transaction, and every account of it is checked before the first is written. A
/// row that cannot be imported is reported and does not stop the others, a crash leaves only
/// complete accounts, one fsync serves the whole batch, and concurrent sign-ins wait for at most
/// one batch.
public struct UserImport: Sendable {
    /// The handling of a row whose `localId` belongs to an existing account.
    public enum Existing: Sendable { case overwrite, skip, refuse }

    /// An account, or the reason why it cannot be read.
    public typealias Row = Result<ImportedUser, ActionError>

    /// The result for one account.
    public enum Verdict: Sendable, Hashable {
        case added, overwritten, skipped
        case refused(Refusal, detail: String)

        /// Converts a refusal to a verdict; rethrows every other error.
        init(_ error: ActionError) throws(ActionError) {
            guard case .refused(let refusal, let detail) = error else { throw error }
            self = .refused(refusal, detail: detail ?? refusal.rawValue)
        }
    }

    /// The number of accounts in a transaction, which takes about ten milliseconds.
    public static let batch = 100

    private let store: any Storage
    private let passwords: Passwords
    private let now: Now
    private let random: RandomBytes

    public init(store: any Storage, passwords: Passwords, now: @escaping Now, random: @escaping RandomBytes) {
        (self.store, self.passwords, self.now, self.random) = (store, passwords, now, random)
    }

    /// Stores accounts of one project, with the password hashes of another system.
    ///
    /// An account that is overwritten loses all its previous data: its sessions end and its codes
    /// stop working, except for undo links of an address that it keeps.
    /// - Parameters:
    ///   - rows: the accounts, or the reason why one cannot be read.
    ///   - scheme: how the passwords were hashed; nil refuses accounts with a password.
    /// - Returns: a verdict for each row, in the same order.
    public func take(_ rows: [Row], hashedBy scheme: HashScheme?, existing: Existing) async throws(ActionError) -> [Verdict] {
        var progress = begin()
        return try await take(rows, of: &progress, finishing: true, hashedBy: scheme, existing: existing)
    }

    /// Begins an import that takes several calls, and that one event tells of.
    public func begin() -> ImportProgress { ImportProgress(id: Base64URL.encode(random(16))) }

    /// Lets the event of an import be sent.
    public func finish(_ progress: ImportProgress) async throws(ActionError) {
        guard let project = progress.project else { return }
        var progress = progress
        progress.isFinished = true
        let finished = progress
        try await store.transaction { (records) throws(ActionError) in try records.note(finished, in: project) }
    }

    /// Stores further accounts of an import.
    public func take(
        _ rows: [Row], of progress: inout ImportProgress, hashedBy scheme: HashScheme?, existing: Existing
    ) async throws(ActionError) -> [Verdict] {
        try await take(rows, of: &progress, finishing: false, hashedBy: scheme, existing: existing)
    }

    private func take(
        _ rows: [Row], of progress: inout ImportProgress, finishing: Bool, hashedBy scheme: HashScheme?, existing: Existing
    ) async throws(ActionError) -> [Verdict] {
        try await inBatches(rows, hashedBy: scheme) { (batch, isLast) throws(ActionError) in
            let (moment, before) = (now(), progress)
            let (verdicts, after) = try await store.transaction { (records) throws(ActionError) in
                var after = before
                let verdicts = try Self.verdicts(on: batch) { (user) throws(ActionError) in
                    let (verdict, known) = try records.verdict(on: user, existing: existing)
                    switch verdict {
                    case .added, .overwritten:
                        try records.store(user, over: known, at: moment)
                        after.count(verdict, in: user.account.project)
                    case .skipped, .refused: break
                    }
                    return verdict
                }
                after.isFinished = finishing && isLast
                if let project = after.project { try records.note(after, in: project) }
                return (verdicts, after)
            }
            progress = after
            return verdicts
        }
    }

    /// Returns the verdict that `take` would return for each row on its own, and stores nothing.
    /// Conflicts between two rows are not detected.
    public func rehearse(_ rows: [Row], hashedBy scheme: HashScheme?, existing: Existing) async throws(ActionError) -> [Verdict] {
        try await inBatches(rows, hashedBy: scheme) { (batch, _) throws(ActionError) in
            try await store.read { (records) throws(ActionError) in
                try Self.verdicts(on: batch) { (user) throws(ActionError) in try records.verdict(on: user, existing: existing).verdict }
            }
        }
    }

    private func inBatches(
        _ rows: [Row], hashedBy scheme: HashScheme?, _ settle: (_ batch: [Row], _ isLast: Bool) async throws(ActionError) -> [Verdict]
    ) async throws(ActionError) -> [Verdict] {
        var verdicts: [Verdict] = []
        for start in stride(from: 0, to: rows.count, by: Self.batch) {
            var batch: [Row] = []
            for row in rows[start...].prefix(Self.batch) { batch.append(await prepared(row, hashedBy: scheme)) }
            verdicts += try await settle(batch, start + Self.batch >= rows.count)
        }
        return verdicts
    }

    /// The account with its password as it will be stored. Slow steps and steps that may fail are
    /// done here, before the transaction.
    private func prepared(_ row: Row, hashedBy scheme: HashScheme?) async -> Row {
        do throws(ActionError) {
            var user = try row.get()
            guard let hash = try await passwordHash(of: user, hashedBy: scheme) else { return row }
            user.account.passwordHash = hash
            user.account.passwordUpdatedAt = user.account.passwordUpdatedAt ?? now()
            return .success(user)
        } catch { return .failure(error) }
    }

    private func passwordHash(of user: ImportedUser, hashedBy scheme: HashScheme?) async throws(ActionError) -> String? {
        if let plain = user.plainPassword { return try await passwords.hash(plain) }
        guard let password = user.password else { return nil }
        guard let scheme else { throw .refused(.missingHashAlgorithm, detail: "passwordHash needs a hash algorithm") }
        return try passwords.stored(password.hash, salt: password.salt, hashedBy: scheme)
    }

    private static func verdicts(
        on rows: [Row], _ judge: (ImportedUser) throws(ActionError) -> Verdict
    ) throws(ActionError) -> [Verdict] {
        try rows.map { (row) throws(ActionError) in
            switch row {
            case .success(let user): try judge(user)
            case .failure(let error): try Verdict(error)
            }
        }
    }
}

extension Records {
    /// Whether an account can be stored beside the existing ones, and which of them it would
    /// replace.
    ///
    /// All unique keys of the schema are checked here, so that no insertion fails in the middle of
    /// an account.
    fileprivate func verdict(
        on user: ImportedUser, existing: UserImport.Existing
    ) throws(ActionError) -> (verdict: UserImport.Verdict, known: Account?) {
        let (account, project) = (user.account, user.account.project)
        let known = try self.account(account.id, in: project)
        switch existing {
        case .skip where known != nil: return (.skipped, known)
        case .refuse where known != nil:
            return (.refused(.duplicateLocalID, detail: "localId belongs to an existing account - can not overwrite."), known)
        default: break
        }
        func isAnothers(_ owner: Account?) -> Bool { owner.map { $0.id != account.id } ?? false }
        if let email = account.email, isAnothers(try self.account(withEmail: email, in: project)) {
            return (.refused(.emailExists, detail: "email exists in other account in database"), known)
        }
        if let number = account.phoneNumber, isAnothers(try self.account(withPhoneNumber: number, in: project)) {
            return (.refused(.phoneNumberExists, detail: "phone number exists in other account in database"), known)
        }
        for link in user.linkedProviders where isAnothers(try self.account(linkedTo: link.provider, wireID: link.wireID, in: project)) {
            return (.refused(.federatedUserIDAlreadyLinked, detail: "raw id exists in other account in database"), known)
        }
        return (known == nil ? .added : .overwritten, known)
    }

    /// Stores an account. One that it replaces loses its codes, sessions, factors and providers,
    /// but not the undo links of an address that it keeps.
    fileprivate func store(_ user: ImportedUser, over known: Account?, at moment: Timestamp) throws(ActionError) {
        var account = user.account
        account.validSince = moment
        let links = try linkedProviders(of: account.id, in: account.project)
        if var known {
            if known.email != account.email { known = try end(.addressSetByAdmin, of: known, at: moment) }
            known = try end(.importedOver, of: known, at: moment)
            try move(&known, to: account.email, proved: account.emailVerified, at: moment)
            account.language = known.language
            (account.validSince, account.emailSince, account.enteredAt) = (known.validSince, known.emailSince, known.enteredAt)
            try update(account)
        } else {
            try insert(account)
        }
        for link in user.linkedProviders { try insert(stated: link, of: account, after: links, at: moment) }
        for factor in user.secondFactors { try insert(factor, of: account.id, in: account.project, byAdmin: true) }
    }
}
