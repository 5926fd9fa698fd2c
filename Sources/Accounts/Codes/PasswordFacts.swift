/// The effects of a new password on its account, for the page on which it is chosen.
public struct PasswordFacts: Sendable, Hashable {
    /// The password that the account had before.
    public enum Former: String, Sendable, Hashable, CaseIterable {
        /// The new one replaces it.
        case inForce
        /// It ended, such as by an undo.
        case removed
        /// The user never had one.
        case never
    }

    public let former: Former
    /// Whether an admin invited the user, who has not come before.
    public let acceptsInvitation: Bool
    /// Whether it confirms the address.
    public let confirmsAddress: Bool
    /// The names of the account's providers that its project offers.
    let providers: [String]
    /// The names of those that no longer let the user in. One that has verified the address does:
    /// its user joins the account again.
    public let endedProviders: [String]

    public init(former: Former, acceptsInvitation: Bool = false, confirmsAddress: Bool = false, endedProviders: [String] = []) {
        self.init(
            former: former, acceptsInvitation: acceptsInvitation, confirmsAddress: confirmsAddress, providers: endedProviders,
            endedProviders: endedProviders)
    }

    fileprivate init(former: Former, acceptsInvitation: Bool, confirmsAddress: Bool, providers: [String], endedProviders: [String]) {
        (self.former, self.acceptsInvitation) = (former, acceptsInvitation)
        (self.confirmsAddress, self.providers, self.endedProviders) = (confirmsAddress, providers, endedProviders)
    }

    /// Whether a reset gives no password to the account: its user signs in by providers, and has
    /// proved the address.
    func isRefused(in project: Project) -> Bool {
        !project.passwordByReset && former != .inForce && !confirmsAddress && !providers.isEmpty
    }

    /// These facts with other names of providers.
    public func ending(_ providers: [String]) -> PasswordFacts {
        PasswordFacts(former: former, acceptsInvitation: acceptsInvitation, confirmsAddress: confirmsAddress, endedProviders: providers)
    }
}

extension Account {
    /// The state of the password that a new one would follow.
    var formerPassword: PasswordFacts.Former {
        passwordHash != nil ? .inForce : passwordUpdatedAt != nil ? .removed : .never
    }
}

extension Records {
    func passwordFacts(of account: Account, in project: Project) throws(ActionError) -> PasswordFacts {
        let invitation = try invitation(of: account)
        guard Arrival(by: .reset, at: .init(account, proved: try provedAddresses(of: account), invitation)) != .passedOn else {
            return PasswordFacts(former: .never, acceptsInvitation: true, confirmsAddress: true)
        }
        let providers = try linkedProviders(of: account.id, in: account.project).filter {
            project.providers[$0.provider]?.isEnabled == true
        }
        let ended = providers.filter { link in !(account.email.map(link.hasVerified) ?? false) }
        return PasswordFacts(
            former: account.formerPassword,
            acceptsInvitation: invitation != nil && invitation?.newcomer == nil, confirmsAddress: !account.emailVerified,
            providers: providers.map { project.name(ofProvider: $0.provider) },
            endedProviders: ended.map { project.name(ofProvider: $0.provider) })
    }
}
