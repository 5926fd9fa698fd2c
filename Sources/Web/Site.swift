package import Accounts
internal import AppLinks
package import EmailActions
package import Logging
package import Views
package import WebURL

/// Everything that Onward serves, behind one door: request in, response out. Knows no socket.
package struct Site: Sendable {
    /// What differs between `onward serve` and `onward dev`.
    package enum Mode: Sendable {
        case production(Production)
        case development(Development)

        var isDevelopment: Bool {
            switch self {
            case .development: true
            case .production: false
            }
        }
    }

    /// Whom `serve` takes for an admin, from where, and where it is written what they did.
    package struct Production: Sendable {
        package let audit: Audit
        /// The hosts, without ports, that the admin door answers to; none where there is no such door.
        package let adminHosts: Set<String>
        /// The admin whose key a bearer token is, or nil.
        package let admin: @Sendable (_ bearer: String) async throws(ActionError) -> Admin?

        package init(
            audit: Audit, adminHosts: Set<String> = [], admin: @escaping @Sendable (_ bearer: String) async throws(ActionError) -> Admin?
        ) {
            self.audit = audit
            self.adminHosts = adminHosts
            self.admin = admin
        }
    }

    /// What only `dev` has: `Bearer owner` is admin and leaves no record, any API key is taken, mails can be read.
    package struct Development: Sendable {
        package let inbox: any Inbox
        package let sampleAccounts: [SampleAccount]
        package let project: ProjectID
        /// The key that the start page's examples use; any other would do.
        package let apiKey: String

        package init(inbox: any Inbox, sampleAccounts: [SampleAccount], project: ProjectID, apiKey: String) {
            self.inbox = inbox
            self.sampleAccounts = sampleAccounts
            self.project = project
            self.apiKey = apiKey
        }
    }

    /// An account to try things with; its password is no secret.
    package struct SampleAccount: Sendable {
        package let email: EmailAddress
        package let password: String?

        package init(email: EmailAddress, password: String?) {
            self.email = email
            self.password = password
        }
    }

    package let mode: Mode
    /// Where Onward's own pages live, from configuration only (L1).
    package let origin: WebURL
    let currentProjects: CurrentProjects
    package let accounts: Accounts
    package let actions: EmailActions
    package let views: Views
    package let brands: Brands
    package let secrets: Secrets
    let readiness: Readiness
    let troubles: @Sendable () -> [String]
    package let logger: Logger
    let meters: Meters
    /// What anyone may try how often; nil: as often as they like.
    let limits: Limits?
    let hosts: Hosts
    /// Apps and link domains are not for admins to change, so these stay as they are.
    let associationFiles: [LinkDomain: [String: PublicFile]]

    /// - Parameters:
    ///   - ready: throws when the store cannot be written: what `/readyz` says.
    ///   - troubles: a line for each thing that is down and of which only some projects take notice.
    package init(
        mode: Mode, origin: WebURL, projects: CurrentProjects, accounts: Accounts, actions: EmailActions, views: Views, brands: Brands,
        secrets: Secrets, limits: Limits? = nil, meters: Meters = .none,
        ready: @escaping @Sendable () async throws(ActionError) -> Void, troubles: @escaping @Sendable () -> [String] = { [] },
        logger: Logger
    ) {
        self.mode = mode
        self.origin = origin
        currentProjects = projects
        self.accounts = accounts
        self.actions = actions
        self.views = views
        self.brands = brands
        self.secrets = secrets
        readiness = Readiness(now: accounts.now, ping: ready)
        self.troubles = troubles
        self.logger = logger
        self.limits = limits
        self.meters = meters
        hosts = Hosts(origin: origin, projects: projects.value, answersToLoopback: mode.isDevelopment)
        associationFiles = projects.value.associationFiles
    }

    /// As they are at this moment: admins change them.
    package var projects: Projects { currentProjects.value }
}
