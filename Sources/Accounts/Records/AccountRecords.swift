/// The store's records as the rules of accounts use them, inside one read or one transaction. The
/// functions are synchronous, so that nothing waits while a lock is held. A throw rolls the whole
/// transaction back.
public protocol AccountRecords {
    func account(_ id: AccountID, in project: ProjectID) throws(ActionError) -> Account?
    func account(withEmail email: EmailAddress, in project: ProjectID) throws(ActionError) -> Account?
    func account(withPhoneNumber number: PhoneNumber, in project: ProjectID) throws(ActionError) -> Account?
    func account(linkedTo provider: String, rawID: String, in project: ProjectID) throws(ActionError) -> Account?
    /// The account that is linked to the user whom Firebase's API calls `wireID`. Users of two
    /// directories of Microsoft may be called alike; then one of their accounts.
    func account(linkedTo provider: String, wireID: String, in project: ProjectID) throws(ActionError) -> Account?
    /// The links of an account in the order of the providers' ids.
    func linkedProviders(of account: AccountID, in project: ProjectID) throws(ActionError) -> [LinkedProvider]
    /// The providers at which a linked user has a verified address now, whichever account that has.
    func providers(verifying address: EmailAddress, in project: ProjectID) throws(ActionError) -> [String]
    /// The second factors of an account in the order in which they were given.
    func secondFactors(of account: AccountID, in project: ProjectID) throws(ActionError) -> [SecondFactor]
    func accounts(_ page: Accounts.PageRequest, in project: ProjectID) throws(ActionError) -> [Account]
    func countAccounts(in project: ProjectID) throws(ActionError) -> Int
    func session(_ token: Digest) throws(ActionError) -> Session?
    /// The newest token of a session of an account; nil if the session has ended.
    func session(family: Digest, of account: Account) throws(ActionError) -> Session?
    /// The newest token of a session that began in a second; nil if there is none.
    /// - Parameter provider: as `SignInProvider` spells it.
    func session(of account: Account, by provider: String, since second: Timestamp) throws(ActionError) -> Session?

    /// Refuses `EMAIL_EXISTS`, `PHONE_NUMBER_EXISTS` and `DUPLICATE_LOCAL_ID`, as the schema's
    /// constraints say.
    func insert(_ account: Account) throws(ActionError)
    /// Writes every column of an account that was read in this transaction. Refuses `EMAIL_EXISTS`
    /// and `PHONE_NUMBER_EXISTS`.
    func update(_ account: Account) throws(ActionError)
    /// Marks the address of an account as verified, if the account is not disabled and still has
    /// it. The address becomes one that the account has proved.
    /// - Returns: whether there is such an account.
    func verify(_ email: EmailAddress, of account: AccountID, in project: ProjectID, at now: Timestamp) throws(ActionError) -> Bool
    /// The addresses that an account has proved, in the order in which it first did.
    func provedAddresses(of account: AccountID, in project: ProjectID) throws(ActionError) -> [ProvedAddress]
    /// Adds a verified address to those that an account has proved; an address that is among them
    /// keeps its place. If the address comes back, the undo links of addresses that were proved
    /// after it end, and those addresses are forgotten, but for the present one.
    func prove(_ email: EmailAddress, of account: AccountID, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Notes since when a proved address is not verified any more.
    func unverify(_ email: EmailAddress, of account: AccountID, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Replaces the list of the addresses that an account has proved.
    func set(_ proved: [ProvedAddress], of account: AccountID, in project: ProjectID) throws(ActionError)
    /// Takes an address from those that an account has proved.
    func forgetProvedAddress(_ email: EmailAddress, of account: AccountID, in project: ProjectID) throws(ActionError)
    /// Deletes the list of the addresses that an account has proved.
    func forgetProvedAddresses(of account: AccountID, in project: ProjectID) throws(ActionError)
    /// Deletes an account with its sessions, codes, mails, factors and links to providers. Only
    /// `Erasure` calls this, because it deletes the rest.
    func delete(_ account: AccountID, in project: ProjectID) throws(ActionError)
    /// Stores a link, and replaces the account's earlier link to the same provider. A link to the
    /// same user keeps the time at which it was made. Refuses `FEDERATED_USER_ID_ALREADY_LINKED` if
    /// the provider's user is linked to another account.
    func insert(_ link: LinkedProvider, of account: AccountID, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Replaces the id of a provider's user with one conditional UPDATE, so that exactly one caller
    /// ever may.
    /// - Returns: whether there was a link by the former id.
    func rename(_ rawID: String, at provider: String, to newID: String, in project: ProjectID) throws(ActionError) -> Bool
    /// - Returns: whether there was such a link.
    @discardableResult
    func deleteLinkedProvider(_ provider: String, of account: AccountID, in project: ProjectID) throws(ActionError) -> Bool
    /// Deletes the links of an account that were made at `since` or later.
    func deleteLinkedProviders(of account: AccountID, in project: ProjectID, since: Timestamp) throws(ActionError)
    /// Appends a factor to those of an account.
    func insert(_ factor: SecondFactor, of account: AccountID, in project: ProjectID, byAdmin: Bool) throws(ActionError)
    /// Puts the factors of an account into the order of their ids.
    func orderSecondFactors(_ ids: [String], of account: AccountID, in project: ProjectID) throws(ActionError)
    /// - Returns: whether there was such a factor.
    func deleteSecondFactor(_ id: String, of account: AccountID, in project: ProjectID) throws(ActionError) -> Bool
    /// Deletes the factors of an account that were enrolled at `since` or later.
    /// - Parameter sparingAdmins: whether those that an admin gave stay.
    func deleteSecondFactors(
        of account: AccountID, in project: ProjectID, since: Timestamp, sparingAdmins: Bool
    ) throws(ActionError)
    /// Marks the password of a time step as used with one conditional UPDATE, so that exactly one
    /// caller ever may use it.
    /// - Returns: false if this password or a later one was used before.
    func use(_ step: Int64, of factor: SecondFactor, of account: Account) throws(ActionError) -> Bool
    /// Stores the keyed hashes of the recovery codes that end with a factor.
    func insert(recoveryCodes: [Digest], of factor: SecondFactor, of account: Account) throws(ActionError)
    /// - Returns: whether there was such a code. It works once.
    func spend(recoveryCode: Digest, of account: Account) throws(ActionError) -> Bool
    /// The wrong codes since the last right one; nil for none.
    func wrongCodes(_ counter: WrongCodes.Counter) throws(ActionError) -> WrongCodes?
    func set(_ wrongCodes: WrongCodes?, for counter: WrongCodes.Counter) throws(ActionError)
    func insert(_ code: VerificationCode) throws(ActionError)
    func verificationCode(_ session: Digest) throws(ActionError) -> VerificationCode?
    func countWrongTry(of session: Digest) throws(ActionError)
    /// - Returns: whether there was such a code. It works once.
    func deleteVerificationCode(_ session: Digest) throws(ActionError) -> Bool
    func insert(_ session: Session) throws(ActionError)
    /// Marks that a token made from this one was used. The first mark stays.
    func retireSession(_ token: Digest, at moment: Timestamp) throws(ActionError)
    /// Deletes all tokens of one sign-in.
    func deleteSessions(of family: Digest) throws(ActionError)
    /// Deletes the oldest unused tokens of a sign-in, except for the newest `count` and for
    /// `token`.
    func deleteUnusedSessions(of family: Digest, exceptNewest count: Int, and token: Digest) throws(ActionError)
    /// Reduces an account's tokens to nine tenths of `limit` if it has `limit` or more: superseded
    /// ones go first, then the oldest.
    func trimSessions(of account: AccountID, in project: ProjectID, to limit: Int) throws(ActionError)
    /// Whether a network of an account is on record.
    func knows(_ network: Digest, since oldest: Timestamp) throws(ActionError) -> Bool
    /// Records a network from which an account's user signed in.
    func remember(_ network: Digest, of account: Account, at now: Timestamp) throws(ActionError)
    /// Deletes the networks from which an account's user signed in.
    func forgetNetworks(of account: AccountID, in project: ProjectID) throws(ActionError)
    /// Deletes all sessions of an account.
    func deleteSessions(of account: AccountID, in project: ProjectID) throws(ActionError)
}

extension AccountRecords {
    /// The addresses that an account has proved, in the order in which it first did. A verified one
    /// counts, even if a process of schema version 2 verified it and left it out of the list.
    public func provedAddresses(of account: Account) throws(ActionError) -> [ProvedAddress] {
        let proved = try provedAddresses(of: account.id, in: account.project)
        guard account.emailVerified, let email = account.email, proved[email] == nil else { return proved }
        let last = proved.last.map { $0.provedAt + .milliseconds(1) } ?? account.createdAt
        return proved + [ProvedAddress(email: email, provedAt: last, unverifiedSince: nil)]
    }

    /// The account that is linked to a provider's user. A link that knows the user by a former id
    /// gets the present one, and from then on belongs to that user only.
    public func account(of identity: VerifiedIdentity, in project: ProjectID) throws(ActionError) -> Account? {
        if let known = try account(linkedTo: identity.provider, rawID: identity.rawID, in: project) { return known }
        for id in identity.formerIDs where try rename(id, at: identity.provider, to: identity.rawID, in: project) {
            return try account(linkedTo: identity.provider, rawID: identity.rawID, in: project)
        }
        return nil
    }

    /// Stores a link that an admin or an import states. Replaces the account's earlier link to the
    /// same provider, but not the directory in which Microsoft found the same user. Refuses
    /// `FEDERATED_USER_ID_ALREADY_LINKED`.
    /// - Parameter former: the links that the account has, or had.
    public func insert(
        stated link: LinkedProvider, of account: Account, after former: [LinkedProvider], at now: Timestamp
    ) throws(ActionError) {
        var link = link
        let own = former.first { $0.provider == link.provider && $0.wireID == link.wireID }
        if let own {
            link.rawID = own.rawID
        } else if let owner = try self.account(linkedTo: link.provider, wireID: link.wireID, in: account.project), owner.id != account.id {
            throw .refused(.federatedUserIDAlreadyLinked)
        }
        // Firebase takes both at their word, so where it says that the address is verified it is by
        // them, or by the user's own press.
        let isAuthority = link.provider == "google.com" || link.provider == "apple.com"
        if isAuthority, account.emailVerified, let email = account.email, link.email.flatMap({ EmailAddress($0) }) == email {
            (link.email, link.isEmailVerified) = (email.value, true)
        }
        // Apps read and write back the address that the user has at the provider now.
        // What was only inferred before is inferred again.
        if let own, !isAuthority || own.audience != nil {
            link.audience = own.audience
            link = link.replacing(own, at: account.email)
        }
        try insert(link, of: account.id, in: account.project, at: now)
    }

    /// An account that was read in this transaction, with its linked providers and second factors.
    public func profile(of account: Account) throws(ActionError) -> Accounts.Profile {
        Accounts.Profile(
            account: account, linkedProviders: try linkedProviders(of: account.id, in: account.project),
            secondFactors: try secondFactors(of: account.id, in: account.project))
    }
}

/// The way a user signed in.
public enum SignInProvider: RawRepresentable, Sendable, Hashable {
    case password, phone, anonymous, custom
    /// An identity provider, by Firebase's id.
    case provider(String)

    /// Whether a sign-in this way needs no address, so that the account has an owner without one.
    var needsNoAddress: Bool { self == .phone || self == .custom }

    /// Nil for an id of no provider.
    public init?(rawValue: String) {
        switch rawValue {
        case "password": self = .password
        case "phone": self = .phone
        case "anonymous": self = .anonymous
        case "custom": self = .custom
        default:
            guard (1...128).contains(rawValue.unicodeScalars.count) else { return nil }
            self = .provider(rawValue)
        }
    }

    /// The way as ID tokens and the store spell it.
    public var rawValue: String {
        switch self {
        case .password: "password"
        case .phone: "phone"
        case .anonymous: "anonymous"
        case .custom: "custom"
        case .provider(let id): id
        }
    }
}

/// The store of accounts and sessions.
public protocol AccountStore: Sendable {
    /// Reads one consistent state. Writing is an error.
    func read<T: Sendable>(_ body: @escaping @Sendable (any AccountRecords) throws(ActionError) -> T) async throws(ActionError) -> T
    /// Durable when it returns; rolled back completely if `body` throws.
    func transaction<T: Sendable>(_ body: @escaping @Sendable (any AccountRecords) throws(ActionError) -> T) async throws(ActionError) -> T
}
