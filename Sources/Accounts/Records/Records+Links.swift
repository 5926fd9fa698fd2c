public import Base

extension Records {
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

    /// An account that was read in this transaction, with what belongs to it.
    public func profile(of account: Account) throws(ActionError) -> Accounts.Profile {
        Accounts.Profile(
            account: account, linkedProviders: try linkedProviders(of: account.id, in: account.project),
            secondFactors: try secondFactors(of: account.id, in: account.project),
            invitation: account.lastLoginAt == nil ? try invitation(of: account) : nil)
    }
}
