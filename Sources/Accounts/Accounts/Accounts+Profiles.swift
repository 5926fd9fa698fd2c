extension Accounts {
    /// An identifier that an admin uses to name an account.
    public enum Identifier: Sendable, Hashable {
        case id(AccountID)
        case email(EmailAddress)
        case phoneNumber(PhoneNumber)
        /// A provider's id and the user's id there, as Firebase's API has it.
        case linked(provider: String, wireID: String)
    }

    /// An account with its linked providers and second factors, as the account itself and admins
    /// may see it.
    public struct Profile: Sendable {
        public let account: Account
        public let linkedProviders: [LinkedProvider]
        public let secondFactors: [SecondFactor]
        /// Nil for none, and once someone has entered the account.
        public let invitation: Invitation?

        public init(
            account: Account, linkedProviders: [LinkedProvider] = [], secondFactors: [SecondFactor] = [], invitation: Invitation? = nil
        ) {
            (self.account, self.linkedProviders, self.secondFactors) = (account, linkedProviders, secondFactors)
            self.invitation = invitation
        }

        /// The ways to sign in to the account, as the API names them, and whether the project
        /// offers each. A link is a way of each account with an address, and a custom token of
        /// each account, if the project offers them.
        public func waysIn(in project: Project) -> [(method: String, isOffered: Bool)] {
            let methods = project.signIn
            var ways: [(String, Bool)] = []
            if account.passwordHash != nil { ways.append(("password", methods.password)) }
            if account.email != nil, methods.emailLink || account.emailLinkSignIn { ways.append(("emailLink", methods.emailLink)) }
            if account.phoneNumber != nil { ways.append(("phone", methods.phone)) }
            ways += linkedProviders.map { ($0.provider, project.providers[$0.provider]?.isEnabled == true) }
            return project.serviceAccounts.isEmpty ? ways : ways + [("custom", true)]
        }

        /// Whether this is an anonymous account: it has no means to sign in again.
        public var isAnonymous: Bool {
            account.email == nil && account.passwordHash == nil && account.phoneNumber == nil && linkedProviders.isEmpty
        }
    }

    /// A part of a project's accounts, in the order of their ids.
    public struct PageRequest: Sendable {
        /// The account after which the page begins; nil: with the first.
        public var after: AccountID?
        public var isDescending = false
        /// Whether only those count whose invitation waits.
        public var isOfInvited = false
        /// The number of accounts to skip.
        public var offset = 0
        public var limit: Int

        public init(limit: Int) { self.limit = limit }
    }

    /// The accounts that exist among those named, each once, in the order named.
    public func profiles(_ identifiers: [Identifier], in project: ProjectID) async throws(ActionError) -> [Profile] {
        try await store.read { (records) throws(ActionError) in
            var seen: Set<AccountID> = []
            var profiles: [Profile] = []
            for identifier in identifiers {
                let account =
                    switch identifier {
                    case .id(let id): try records.account(id, in: project)
                    case .email(let email): try records.account(withEmail: email, in: project)
                    case .phoneNumber(let number): try records.account(withPhoneNumber: number, in: project)
                    case .linked(let provider, let wireID): try records.account(linkedTo: provider, wireID: wireID, in: project)
                    }
                guard let account, seen.insert(account.id).inserted else { continue }
                profiles.append(try records.profile(of: account))
            }
            return profiles
        }
    }

    /// The providers at which a linked user has a verified address now, whichever account that has.
    public func providers(verifying address: EmailAddress, in project: ProjectID) async throws(ActionError) -> [String] {
        try await store.read { (records) throws(ActionError) in try records.providers(verifying: address, in: project) }
    }
}

extension Storage {
    /// One page of accounts, each with its linked providers and second factors.
    public func profiles(_ page: Accounts.PageRequest, in project: ProjectID) async throws(ActionError) -> [Accounts.Profile] {
        try await read { (records) throws(ActionError) in
            try records.accounts(page, in: project).map { (account) throws(ActionError) in
                let profile = try records.profile(of: account)
                guard page.isOfInvited, profile.invitation == nil else { return profile }
                // The account of another user, whose address is that of an invited person.
                return Accounts.Profile(
                    account: account, linkedProviders: profile.linkedProviders, secondFactors: profile.secondFactors,
                    invitation: try records.invitation(of: account))
            }
        }
    }
}
