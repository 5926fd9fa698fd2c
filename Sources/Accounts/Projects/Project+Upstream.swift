public import Base

/// The Identity Toolkit that keeps the accounts and codes of a project in place of Onward's store.
public struct UpstreamProject: Sendable, Hashable {
    /// The source of the authorised domains.
    public enum Domains: Sendable {
        case file
        /// The upstream, which has not answered yet.
        case awaited
        /// The upstream, with its latest answer.
        case read
    }

    /// The base URL of its Identity Toolkit, such as `https://identitytoolkit.googleapis.com`.
    public let base: WebURL
    public internal(set) var domains: Domains
    /// The origin of the pages for Firebase's SDK in browsers, if Onward passes them on.
    public let helpers: WebURL?
    /// Its rules for passwords; nil until it has answered.
    public internal(set) var passwords: PasswordRequirements?
    /// The rules that its refusals named since it was last asked for them, by the tenant of the
    /// link. Rules change, and a tenant has its own.
    var learntPasswords: [String?: PasswordRequirements] = [:]

    public init(base: WebURL, domains: Domains, helpers: WebURL? = nil) {
        (self.base, self.domains, self.helpers) = (base, domains, helpers)
    }
}

extension Project {
    /// Whether the form of a code is that of this project's codes (C15).
    public func mayHaveIssued(_ code: OobCode) -> Bool { self.upstream != nil || code.mayBeOwn }

    /// The rules for new passwords: those of the configuration and, as Onward cannot allow what its
    /// upstream refuses, those of the upstream.
    func passwordPolicyInForce(forTenant tenant: String?) -> PasswordPolicy {
        guard let upstream = self.upstream else { return self.passwordPolicy }
        // The rules that the upstream tells are those of accounts without a tenant.
        var rules = tenant == nil ? upstream.passwords ?? PasswordRequirements() : PasswordRequirements()
        if let learnt = upstream.learntPasswords[tenant] { rules.add(learnt) }
        return self.passwordPolicy.adding(rules)
    }

    /// The project with the domains that its upstream authorises. The file's app schemes and plain
    /// http entries are kept.
    /// - Returns: the project, and the hosts that are not bare hosts and are left out.
    public func authorizing(_ hosts: [String]) -> (project: Project, refused: [String]) {
        // An Onward lists its own host, where Apple's SDK looks for it.
        let own = self.upstream?.base.host.flatMap { $0.isLoopback ? nil : $0.serialized }
        let hosts = hosts.filter { $0 != own }
        let bare = hosts.filter { !$0.contains { "=:*[".contains($0) } }
        let (domains, refused) = self.authorizedDomains.replacingEntries(by: bare)
        var project = self
        project.authorizedDomains = domains
        project.upstream?.domains = .read
        return (project, refused.map(\.entry) + hosts.filter { !bare.contains($0) })
    }
}
