public import Base

/// The changes of one account in a transaction that an event tells of.
public struct AccountDiff: Sendable {
    private var kinds: Set<AccountEvent.Kind> = []
    private var email, formerEmail: EmailAddress?
    private var linked, unlinked, enrolled, removed: Set<String>
    private var mergedAccount: AccountID?

    public init() { (linked, unlinked, enrolled, removed) = ([], [], [], []) }

    /// Notes a change that the values of the account do not show, or what a change was for.
    public mutating func note(_ kind: AccountEvent.Kind) { kinds.insert(kind) }

    public mutating func note(_ kind: AccountEvent.Kind, of account: Account) {
        kinds.insert(kind)
        email = account.email
    }

    /// Notes that an address was verified, perhaps once more.
    public mutating func noteVerified(_ email: EmailAddress) {
        kinds.insert(.emailVerified)
        self.email = email
    }

    public mutating func note(_ kind: AccountEvent.Kind, with other: AccountID) {
        kinds.insert(kind)
        mergedAccount = other
    }

    public mutating func noteCreation(of account: Account) {
        kinds.insert(.created)
        if account.emailVerified { note(.emailVerified, of: account) }
        if account.phoneNumber != nil { kinds.insert(.phoneSet) }
        if account.disabled { kinds.insert(.disabled) }
    }

    public mutating func noteLinked(_ provider: String) { linked.insert(provider) }

    public mutating func noteUnlinked(_ providers: [String]) { unlinked.formUnion(providers) }

    /// Notes a factor that is new, or that takes the place of one with its id.
    public mutating func noteEnrolled(_ factor: String) {
        if removed.remove(factor) == nil { enrolled.insert(factor) }
    }

    public mutating func noteRemoved(_ factors: [String]) { removed.formUnion(factors) }

    /// Notes how two states of the account differ.
    public mutating func note(from before: Account, to after: Account) {
        email = after.email
        if before.disabled != after.disabled { kinds.insert(after.disabled ? .disabled : .enabled) }
        if before.email != after.email {
            kinds.insert(.emailChanged)
            formerEmail = formerEmail ?? before.email
        }
        if after.emailVerified, !before.emailVerified || before.email != after.email { kinds.insert(.emailVerified) }
        // A hash that is replaced at a sign-in is that of the same password.
        if before.passwordUpdatedAt != after.passwordUpdatedAt || (before.passwordHash == nil) != (after.passwordHash == nil) {
            kinds.insert(.passwordChanged)
        }
        if before.phoneNumber != after.phoneNumber { kinds.insert(after.phoneNumber == nil ? .phoneRemoved : .phoneSet) }
        if before.validSince < after.validSince { kinds.insert(.sessionsEnded) }
    }

    /// The event of the change; nil if it is none that is told.
    public func event(id: String, of account: AccountID, in project: ProjectID, at now: Timestamp) -> AccountEvent? {
        var kinds = kinds
        let changes: [(Set<String>, AccountEvent.Kind)] = [
            (linked, .providerLinked), (unlinked, .providerUnlinked), (enrolled, .secondFactorEnrolled), (removed, .secondFactorRemoved),
        ]
        for (names, kind) in changes where !names.isEmpty { kinds.insert(kind) }
        let names = AccountEvent.Kind.allCases.filter(kinds.contains)
        guard let kind = names.first else { return nil }
        // Nothing else is left of an account that was deleted.
        guard kind != .deleted else { return AccountEvent(id: id, kind: kind, project: project, account: account, at: now) }
        return AccountEvent(
            id: id, kind: kind, alsoKinds: Array(names.dropFirst()), project: project, account: account, at: now,
            email: kind.isAboutAddress ? email : nil, formerEmail: kind.isAboutAddress ? formerEmail : nil, details: details)
    }

    private var details: JSON {
        func list(_ values: Set<String>) -> JSON? { values.isEmpty ? nil : .array(values.sorted().map { .string($0) }) }
        return .object([
            "fromLocalId": .string(ifAny: mergedAccount?.rawValue), "linkedProviders": list(linked), "unlinkedProviders": list(unlinked),
            "enrolledSecondFactors": list(enrolled), "removedSecondFactors": list(removed),
        ])
    }
}
