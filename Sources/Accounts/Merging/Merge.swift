internal import Base

/// Two accounts of one person that become one.
public struct Merge: Sendable, Hashable {
    /// The account that stays, with its id.
    public let into: AccountID
    /// The account that is merged into it, and deleted.
    public let from: AccountID

    public init(into: AccountID, from: AccountID) { (self.into, self.from) = (into, from) }

    /// How long a merge can be undone.
    public static let reversible = Duration.days(30)
}

/// The result of a merge for both accounts, by the rules of decision 39.
public struct MergePlan: Sendable, Hashable {
    /// The account as it becomes.
    public let account: Account
    public let movedProviders: [LinkedProvider]
    /// Providers that the account has already, with another user there.
    public let droppedProviders: [LinkedProvider]
    public let movedFactors: [SecondFactor]
    /// Phone numbers that the account has already as second factors.
    public let droppedFactors: [SecondFactor]
    /// The ids of all factors of the merged account, in their order.
    let mergedFactors: [String]
    /// The address that belongs to no account any more.
    public let droppedAddress: EmailAddress?
    public let droppedPhoneNumber: PhoneNumber?
    public let dropsPassword: Bool
    public let dropsClaims: Bool
    /// Whether the account takes the address of the merged one.
    let takesAddress: Bool

    /// Refuses `INVALID_ARGUMENT` for one account, `USER_DISABLED`, `SECOND_FACTOR_LIMIT_EXCEEDED`,
    /// and `DUPLICATE_MFA_ENROLLMENT_ID` for factors of one id.
    init(merging from: Accounts.Profile, into: Accounts.Profile) throws(ActionError) {
        guard from.account.id != into.account.id else { throw .refused(.invalidArgument, detail: "into and from are the same account") }
        for account in [into.account, from.account] where account.disabled {
            throw .refused(
                .userDisabled, detail: "the account \(account.id) is disabled, which a merge would undo; enable or delete it first")
        }
        let linked = Set(into.linkedProviders.map(\.provider))
        movedProviders = from.linkedProviders.filter { !linked.contains($0.provider) }
        droppedProviders = from.linkedProviders.filter { linked.contains($0.provider) }
        let numbers = Set(into.secondFactors.compactMap(\.phoneNumber))
        movedFactors = from.secondFactors.filter { $0.phoneNumber.map { !numbers.contains($0) } ?? true }
        droppedFactors = from.secondFactors.filter { $0.phoneNumber.map(numbers.contains) ?? false }
        mergedFactors = from.secondFactors.map(\.id)
        guard into.secondFactors.count + movedFactors.count <= SecondFactor.maxPerAccount else {
            throw .refused(
                .secondFactorLimitExceeded, detail: "the accounts have more than \(SecondFactor.maxPerAccount) second factors together")
        }
        guard Set(into.secondFactors.map(\.id)).isDisjoint(with: movedFactors.map(\.id)) else {
            throw .refused(.duplicateMFAEnrollmentID, detail: "both accounts have a second factor of the same id; remove one of them")
        }
        var account = into.account
        takesAddress = from.account.hasBetterAddress(than: into.account)
        if takesAddress { account.takeAddress(of: from.account) }
        let (kept, left) = takesAddress ? (from.account, into.account) : (into.account, from.account)
        droppedAddress = left.email == kept.email ? nil : left.email
        dropsPassword = left.passwordHash != nil
        let phone = into.account.phoneNumber == nil ? from.account : into.account
        (account.phoneNumber, account.phoneLinkedAt) = (phone.phoneNumber, phone.phoneLinkedAt)
        droppedPhoneNumber = into.account.phoneNumber == nil ? nil : from.account.phoneNumber
        account.displayName = into.account.displayName ?? from.account.displayName
        account.photoURL = into.account.photoURL ?? from.account.photoURL
        account.language = into.account.language ?? from.account.language
        account.createdAt = min(into.account.createdAt, from.account.createdAt)
        account.lastLoginAt = [into.account.lastLoginAt, from.account.lastLoginAt].compactMap(\.self).max()
        dropsClaims = from.account.customAttributes != nil
        self.account = account
    }
}

extension Account {
    /// Whether a merged account has this account's address: a verified one wins, and else that of
    /// the account that stays.
    fileprivate func hasBetterAddress(than other: Account) -> Bool {
        email != nil && (other.email == nil || emailVerified && !other.emailVerified)
    }

    /// A password belongs to its address: who has the one chose the other.
    fileprivate mutating func takeAddress(of other: Account) {
        initialEmail = initialEmail ?? email
        email = other.email
        emailVerified = other.emailVerified
        emailSince = other.emailSince
        emailLinkSignIn = other.emailLinkSignIn
        passwordHash = other.passwordHash
        passwordUpdatedAt = other.passwordUpdatedAt
    }
}
