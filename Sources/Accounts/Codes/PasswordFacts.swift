/// The effects of a new password on its account, for the page on which it is chosen.
public struct PasswordFacts: Sendable, Hashable {
    /// The password that the account had before.
    public enum Former: Sendable, Hashable, CaseIterable {
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
    /// The names of the providers that no longer let the user in.
    public let endedProviders: [String]

    public init(former: Former, acceptsInvitation: Bool = false, confirmsAddress: Bool = false, endedProviders: [String] = []) {
        (self.former, self.acceptsInvitation) = (former, acceptsInvitation)
        (self.confirmsAddress, self.endedProviders) = (confirmsAddress, endedProviders)
    }

    /// These facts with other names of providers.
    public func ending(_ providers: [String]) -> PasswordFacts {
        PasswordFacts(former: former, acceptsInvitation: acceptsInvitation, confirmsAddress: confirmsAddress, endedProviders: providers)
    }
}

extension Records {
    func passwordFacts(of account: Account, in project: Project) throws(ActionError) -> PasswordFacts {
        let profile = try profile(of: account)
        return PasswordFacts(
            former: account.passwordHash != nil ? .inForce : account.hasHadPassword ? .removed : .never,
            acceptsInvitation: profile.invitation != nil, confirmsAddress: !account.emailVerified,
            endedProviders: profile.linkedProviders.map { project.name(ofProvider: $0.provider) })
    }
}
