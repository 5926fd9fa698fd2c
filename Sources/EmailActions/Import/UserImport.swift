package import Accounts

/// Takes in accounts that were made elsewhere, many at a time.
///
/// A few share a transaction, each looked over before anything of it is written: so a row that does
/// not fit is told and stops no other, a crash leaves whole accounts, one sync of the disk pays for
/// many, and whoever signs in meanwhile waits for a few only.
package struct UserImport: Sendable {
    /// What becomes of an account that is there already, by its `localId`.
    package enum Existing: Sendable { case overwrite, skip, refuse }

    /// An account, or why it cannot be read.
    package typealias Row = Result<ImportedUser, ActionError>

    /// What became of one account.
    package enum Verdict: Sendable, Hashable {
        case added, overwritten, skipped
        case refused(Refusal, detail: String)

        /// A no as a verdict; throws on what is none.
        init(_ error: ActionError) throws(ActionError) {
            guard case .refused(let refusal, let detail) = error else { throw error }
            self = .refused(refusal, detail: detail ?? refusal.rawValue)
        }
    }

    /// How many accounts share a transaction: about ten milliseconds.
    package static let batch = 100

    private let store: any ActionStore
    private let passwords: Passwords
    private let now: Now

    package init(store: any ActionStore, passwords: Passwords, now: @escaping Now) {
        self.store = store
        self.passwords = passwords
        self.now = now
    }

    /// Stores accounts of one project, with their passwords as another system hashed them.
    ///
    /// One that is overwritten loses all that it was: its sessions end, its codes work no more.
    /// - Parameters:
    ///   - rows: the accounts, or why one cannot be read.
    ///   - scheme: how the passwords were hashed; nil refuses those that have one.
    /// - Returns: a verdict for each, in their order.
    package func take(_ rows: [Row], hashedBy scheme: HashScheme?, existing: Existing) async throws(ActionError) -> [Verdict] {
        try await inBatches(rows, hashedBy: scheme) { (batch) throws(ActionError) in
            let moment = now()
            return try await store.transaction(actions: { (records) throws(ActionError) in
                try Self.verdicts(on: batch) { (user) throws(ActionError) in
                    let (verdict, known) = try records.verdict(on: user, existing: existing)
                    switch verdict {
                    case .added, .overwritten: try records.insert(user, over: known, at: moment)
                    case .skipped, .refused: break
                    }
                    return verdict
                }
            })
        }
    }

    /// What `take` would say of each by itself, and stores nothing: what two of them have in common
    /// goes unseen.
    package func rehearse(_ rows: [Row], hashedBy scheme: HashScheme?, existing: Existing) async throws(ActionError) -> [Verdict] {
        try await inBatches(rows, hashedBy: scheme) { (batch) throws(ActionError) in
            try await store.read(actions: { (records) throws(ActionError) in
                try Self.verdicts(on: batch) { (user) throws(ActionError) in try records.verdict(on: user, existing: existing).verdict }
            })
        }
    }

    private func inBatches(
        _ rows: [Row], hashedBy scheme: HashScheme?, _ settle: ([Row]) async throws(ActionError) -> [Verdict]
    ) async throws(ActionError) -> [Verdict] {
        var verdicts: [Verdict] = []
        for start in stride(from: 0, to: rows.count, by: Self.batch) {
            verdicts += try await settle(rows[start...].prefix(Self.batch).map { prepared($0, hashedBy: scheme) })
        }
        return verdicts
    }

    /// The account with its password as it will be stored: what takes long or may fail happens
    /// before the transaction.
    private func prepared(_ row: Row, hashedBy scheme: HashScheme?) -> Row {
        Result { () throws(ActionError) in
            var user = try row.get()
            guard let password = user.password else { return user }
            guard let scheme else { throw .refused(.missingHashAlgorithm, detail: "passwordHash needs a hash algorithm") }
            user.account.passwordHash = try passwords.stored(password.hash, salt: password.salt, hashedBy: scheme)
            user.account.passwordUpdatedAt = user.account.passwordUpdatedAt ?? now()
            return user
        }
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

extension ActionRecords {
    /// Whether an account fits among those that are there, and which of these it would replace.
    ///
    /// All that a unique key of the schema could refuse is looked for here, so that no insertion
    /// fails half-way through an account.
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
        for link in user.linkedProviders where isAnothers(try self.account(linkedTo: link.provider, rawID: link.rawID, in: project)) {
            return (.refused(.federatedUserIDAlreadyLinked, detail: "raw id exists in other account in database"), known)
        }
        return (known == nil ? .added : .overwritten, known)
    }

    /// The codes, sessions, factors and links of the account that is replaced go with it.
    fileprivate func insert(_ user: ImportedUser, over known: Account?, at moment: Timestamp) throws(ActionError) {
        var account = user.account
        account.validSince = moment
        if let known {
            account.language = known.language
            account.validSince = known.validSince
            account.endSessions(at: moment)
            // A sign-in link may have been mailed to the address before the account had it.
            if let email = known.email { try withdrawCodes(to: email, in: known.project, for: .signIn, at: moment) }
            try delete(known.id, in: known.project)
        }
        try insert(account)
        for link in user.linkedProviders { try insert(link, of: account.id, in: account.project) }
        for factor in user.secondFactors { try insert(factor, of: account.id, in: account.project) }
    }
}
