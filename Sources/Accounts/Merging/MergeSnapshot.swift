internal import Base
internal import Foundation

/// The state before a merge, so that it can be undone: stored sealed, for thirty days or until the
/// account is deleted.
public struct MergeSnapshot: Sendable, Codable {
    /// The accounts before the merge.
    private(set) var into, from: Account
    let movedProviders, droppedProviders: [LinkedProvider]
    let droppedFactors: [SecondFactor]
    /// The ids of all factors of the merged account, in their order. The keys of those that were
    /// moved stay where they are.
    let factors: [String]
    /// The ids of those that an admin gave; nil in older snapshots.
    private let factorsByAdmins: [String]?
    let recoveryCodes: [StoredRecoveryCode]
    /// The proofs of both accounts before; nil in snapshots of schema version 2.
    private let proofs: Proofs?
    private let tookAddress: Bool
    /// The account that stayed, after the merge.
    private let after: State

    /// The addresses that two accounts had proved before a merge, and the row ids of the undo links
    /// that the merged account had.
    struct Proofs: Sendable, Codable {
        let into, from: [ProvedAddress]
        let undoLinks: [Int64]
    }

    init(
        of plan: MergePlan, into: Account, from: Account, proofs: Proofs, factorsByAdmins: [String], recoveryCodes: [StoredRecoveryCode],
        after: Accounts.Profile
    ) {
        self.factorsByAdmins = factorsByAdmins
        (self.into, self.from, self.proofs, self.recoveryCodes) = (into, from, proofs, recoveryCodes)
        (movedProviders, droppedProviders) = (plan.movedProviders, plan.droppedProviders)
        droppedFactors = plan.droppedFactors
        factors = plan.mergedFactors
        tookAddress = plan.takesAddress
        self.after = State(after)
    }

    /// Both accounts as they are stored again. A password hash may have been made again since.
    func accounts(since merged: Account, at moment: Timestamp) -> (into: Account, from: Account) {
        var (into, from) = (into, from)
        // What the account lacked then, it may have got since.
        if after.account.displayName == nil {
            (into.displayName, into.namedByAdminAt) = (merged.displayName, merged.namedByAdminAt)
        }
        if after.account.photoURL == nil { into.photoURL = merged.photoURL }
        if tookAddress { from.passwordHash = merged.passwordHash } else { into.passwordHash = merged.passwordHash }
        (into.lastLoginAt, into.validSince) = (merged.lastLoginAt, merged.validSince)
        from.endSessions(at: moment)
        return (into, from)
    }

    /// The proved addresses and undo links of both accounts. The account that stayed keeps those
    /// that it has got since the merge.
    func proofs(since merged: [ProvedAddress]) -> Proofs {
        guard let proofs else { return Proofs(into: merged, from: [], undoLinks: []) }
        let known = Set((proofs.into + proofs.from).map(\.email))
        return Proofs(into: proofs.into + merged.filter { !known.contains($0.email) }, from: proofs.from, undoLinks: proofs.undoLinks)
    }

    /// Whether an admin gave a second factor to the merged account.
    func isByAdmin(_ factor: SecondFactor) -> Bool { factorsByAdmins?.contains(factor.id) ?? false }

    /// The addresses that the accounts have, had or proved.
    var addresses: Set<EmailAddress> {
        let present = [into, from].flatMap { [$0.email, $0.initialEmail, $0.removedEmail] }.compactMap(\.self)
        return Set(present + (proofs.map { ($0.into + $0.from).map(\.email) } ?? []))
    }

    /// The values of an account that have to be the same for a merge to be undone. Sign-ins, the
    /// language, and the hash of the same password made again do not count.
    private struct State: Codable, Hashable {
        var account: Account
        let hasPassword: Bool
        let providers: [LinkedProvider]
        let factors: [String]

        init(_ profile: Accounts.Profile) {
            var account = profile.account
            hasPassword = account.passwordHash != nil
            (account.passwordHash, account.lastLoginAt, account.lastRefreshAt, account.language) = (nil, nil, nil, nil)
            (account.enteredAt, account.namedByAdminAt, account.emailLinkSignIn) = (nil, nil, false)
            account.validSince = account.createdAt
            self.account = account
            providers = profile.linkedProviders.map { LinkedProvider(provider: $0.provider, rawID: $0.wireID) }
            factors = profile.secondFactors.map(\.id)
        }
    }

    func isUnchanged(_ profile: Accounts.Profile) -> Bool {
        var now = State(profile)
        // A sign-in with a provider completes what an account lacks.
        if after.account.displayName == nil { now.account.displayName = nil }
        if after.account.photoURL == nil { now.account.photoURL = nil }
        return after == now
    }

    func sealed(by secrets: Secrets) throws(ActionError) -> [UInt8] {
        do { return secrets.seal(Array(try JSONEncoder().encode(self)), for: .mergeSnapshot) } catch {
            throw .unavailable(Unavailable(.store, cause: "the snapshot of a merge cannot be encoded: \(error)"))
        }
    }

    init(sealed: [UInt8], by secrets: Secrets) throws(ActionError) {
        do { self = try JSONDecoder().decode(Self.self, from: Data(try secrets.open(sealed, for: .mergeSnapshot))) } catch {
            throw .unavailable(Unavailable(.store, cause: "the snapshot of the merge cannot be read: \(error)"))
        }
    }

    /// Seals a stored snapshot again, with the keys of imported passwords in it.
    public static func reseal(_ sealed: [UInt8], by secrets: Secrets) -> Resealing<[UInt8]> {
        guard sealed.first != secrets.number else { return .unneeded }
        guard var snapshot = try? MergeSnapshot(sealed: sealed, by: secrets) else { return .impossible }
        snapshot.into.resealPasswordHash(by: secrets)
        snapshot.from.resealPasswordHash(by: secrets)
        return (try? snapshot.sealed(by: secrets)).map { .resealed($0) } ?? .impossible
    }
}

extension Account {
    fileprivate mutating func resealPasswordHash(by secrets: Secrets) {
        guard let hash = passwordHash, case .resealed(let resealed) = secrets.reseal(passwordHash: hash) else { return }
        passwordHash = resealed
    }
}
