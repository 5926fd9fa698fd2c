internal import Base

/// The meaning of a user who comes to an account from outside, without a session of it, and proves
/// to own its address.
enum Arrival: Sendable, Hashable, CaseIterable {
    /// The user of the provider is linked to the account.
    case sameUser
    /// The account has proved this address, which is verified.
    case joins
    /// The account has proved this address, which is not verified now.
    case comesBack
    /// The account was another user's before it got this address. The arriving user gets a new
    /// account with the address, and the former one keeps all else.
    case passedOn
    /// The account was another user's, who has proved another address. A reset changes the password
    /// of the account that there is, as with Firebase.
    case resets
    /// The account was made in advance, and its address was never proved.
    case ownerArrives

    /// The way in which a user comes.
    enum Way: Sendable, Hashable, CaseIterable { case reset, link, provider }

    /// The facts about an account that decide what an arrival is.
    struct Facts: Sendable, Hashable {
        /// Whether the arriving user of a provider is linked to the account.
        var isLinked = false
        /// Whether the provider knew the address as another user's, who is linked to the account.
        var isRecycled = false
        /// Whether the account has proved the address, and whether that is verified now.
        var hasProved = false
        var isVerified = false
        /// Whether the account has proved another address.
        var hasProvedAnother = false
        /// Whether its user signed in by phone or custom token before the account got the address.
        var wasEntered = false
        /// Whether an admin has invited the owner of the address to another account.
        var isInvited = false

        /// Whether the account was another user's before it got the address, and has not proved it.
        var wasAnothers: Bool { !hasProved && (hasProvedAnother || wasEntered) }
    }

    init(by way: Way, at facts: Facts) {
        self =
            switch way {
            case _ where facts.isLinked: .sameUser
            case _ where facts.isRecycled: .passedOn
            case _ where facts.hasProved: facts.isVerified ? .joins : .comesBack
            case .link where facts.wasAnothers, .provider where facts.wasAnothers: .passedOn
            case .reset where facts.wasAnothers && facts.isInvited: .passedOn
            case .reset where facts.hasProvedAnother: .resets
            case .reset, .link, .provider: .ownerArrives
            }
    }
}

extension Arrival.Facts {
    /// The facts about an account and its own address.
    /// - Parameter invitation: the invitation that waits; needed for a reset only.
    init(_ account: Account, proved: [ProvedAddress], _ invitation: Invitation? = nil) {
        hasProved = proved[account.email] != nil
        isVerified = account.emailVerified
        hasProvedAnother = proved.contains { $0.email != account.email }
        wasEntered = account.enteredAt.map { entered in account.emailSince.map { entered <= $0 } ?? true } ?? false
        isInvited = invitation?.newcomer != nil
    }
}

extension Records {
    /// Ends what an arrival ends of an account that has the address, and verifies the address. The
    /// caller writes the account.
    /// - Parameter way: the way in which the user came.
    func settle(
        _ arrival: Arrival, by way: Arrival.Way, at account: Account, proved: [ProvedAddress], now: Timestamp
    ) throws(ActionError) -> Account {
        var account = account
        switch arrival {
        case .sameUser, .joins, .resets, .passedOn: break
        case .comesBack:
            let since = proved[account.email]?.unverifiedSince ?? Timestamp(milliseconds: 0)
            account = try end(.ownerReturned, of: account, since: since, at: now)
        case .ownerArrives: account = try end(way == .reset ? .ownerArrivedByReset : .ownerArrived, of: account, at: now)
        }
        if !account.emailVerified { try move(&account, to: account.email, proved: true, at: now) }
        return account
    }

    /// Takes the address away from an account that was another user's, who goes back to the address
    /// that they proved last, if no other account has it.
    func passOn(_ account: Account, proved: [ProvedAddress], now: Timestamp) throws(ActionError) {
        var (account, former) = (account, proved.last { $0.email != account.email }?.email)
        if let address = former, try self.account(withEmail: address, in: account.project) != nil { former = nil }
        // Links that were mailed to the address.
        try withdrawCodes(of: account.id, in: account.project, for: [.resetPassword, .verifyEmail], at: now)
        try move(&account, to: former, proved: former != nil, at: now)
        try update(account)
    }
}
