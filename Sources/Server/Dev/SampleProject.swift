public import Accounts
public import AppLinks
public import Base
import Configuration

extension Project {
    /// The project of `onward dev`, which authorises this machine, private networks, the host of
    /// the origin and the custom schemes of all apps.
    /// - Parameters:
    ///   - domains: additional authorised domains. Throws if one is invalid.
    ///   - linkDomains: further link domains; the first is the default.
    ///   - confirmBy: how presses are known to be a person's.
    ///   - passwordRules: the rules for new passwords.
    public static func sample(
        id: String, origin: WebURL, domains: [String], linkDomains: [LinkDomain] = [], confirmBy: ConfirmBy = .press,
        passwordRules: DevPasswordRules = .firebase
    ) throws -> Project {
        let host = origin.host.flatMap { $0.isLoopback ? nil : $0.serialized }
        let own = ["localhost", "127.0.0.1", "[::1]"] + [host.map { "=\($0):*" }].compactMap(\.self)
        let port = origin.port.map { ":\($0)" } ?? ""
        var project = Project(
            id: ProjectID(rawValue: id), displayName: "Demo App",
            authorizedDomains: try AuthorizedDomains(own + domains, plainHTTP: own + domains), actionURL: origin.standardActionURL ?? origin
        )
        project.apiKeys = ["demo-api-key"]
        // Another host than the origin's where there is one, so that links show what they would be.
        project.linkDomains = linkDomains + [try LinkDomain((host ?? "127.0.0.1") + port, isPlain: origin.scheme == "http")]
        project.isOfDevelopment = true
        project.apps = .any
        project.authorizedDomains.acceptsEveryAppScheme = true
        project.authorizedDomains.acceptsPrivateHosts = true
        project.hidesAccounts = false
        project.confirmBy = confirmBy
        if passwordRules == .firebase {
            project.passwordPolicy = PasswordPolicy(minimumLength: 6)
            project.passwordPolicy.refusesGuessable = false
        }
        project.secondFactors.totp = true
        project.secondFactors.recoveryCodes = true
        project.secondFactors.phone = true
        project.signIn.phone = true
        project.textMessages = .development
        return project
    }

    /// The project with the name, looks, language, lifetimes and password policy of another.
    public func looking(like other: Project) -> Project {
        var project = self
        (project.displayName, project.appearance, project.homeURL) = (other.displayName, other.appearance, other.homeURL)
        (project.language, project.timeZone) = (other.language, other.timeZone)
        (project.passwordPolicy, project.lifetimes) = (other.passwordPolicy, other.lifetimes)
        return project
    }
}
