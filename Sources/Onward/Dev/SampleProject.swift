import AppLinks
import Accounts
import EmailActions
import WebURL

extension Project {
    /// The project of `onward dev`, which authorises all loopback hosts.
    /// - Parameters:
    ///   - domains: additional authorised domains. Throws if one is invalid.
    ///   - confirmBy: how presses are known to be a person's.
    static func sample(id: String, origin: WebURL, domains: [String], confirmBy: ConfirmBy = .press) throws -> Project {
        let loopback = ["localhost", "127.0.0.1", "[::1]"]
        var project = Project(
            id: ProjectID(rawValue: id), displayName: "Demo App",
            authorizedDomains: try AuthorizedDomains(loopback + domains, plainHTTP: domains), actionURL: origin.standardActionURL ?? origin)
        project.apiKeys = ["demo-api-key"]
        project.linkDomains = [try LinkDomain("127.0.0.1" + (origin.port.map { ":\($0)" } ?? ""))]
        project.apps = .any
        project.hidesAccounts = false
        project.confirmBy = confirmBy
        project.passwordPolicy = PasswordPolicy(minimumLength: 6)
        project.secondFactors.totp = true
        project.secondFactors.recoveryCodes = true
        project.secondFactors.phone = true
        project.signIn.phone = true
        project.textMessages = .development
        return project
    }
}
