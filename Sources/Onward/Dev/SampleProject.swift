import AppLinks
import Accounts
import EmailActions
import WebURL

extension Project {
    /// The project of `onward dev`, which authorises all loopback hosts.
    /// - Parameter domains: additional authorised domains. Throws if one is invalid.
    static func sample(id: String, origin: WebURL, domains: [String]) throws -> Project {
        let loopback = ["localhost", "127.0.0.1", "[::1]"]
        var project = Project(
            id: ProjectID(rawValue: id), displayName: "Demo App",
            authorizedDomains: try AuthorizedDomains(loopback + domains, plainHTTP: domains), actionURL: origin.standardActionURL ?? origin)
        project.apiKeys = ["demo-api-key"]
        project.linkDomains = [try LinkDomain("127.0.0.1" + (origin.port.map { ":\($0)" } ?? ""))]
        project.apps = .any
        project.hidesAccounts = false
        project.passwordPolicy = PasswordPolicy(minimumLength: 6)
        return project
    }
}
