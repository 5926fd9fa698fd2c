import Accounts
import AppLinks
import Base
import Configuration
import Server

/// The projects by their link domains, with the settings in force, for commands that check many
/// links.
actor ShortLinkProjects {
    private let projects: Projects
    private let changes: StoredAdminSettings
    private var known: [String: Project] = [:]

    init(_ configuration: Configuration, _ changes: StoredAdminSettings) {
        projects = Projects(configuration.projects)
        self.changes = changes
    }

    /// The project on whose link domain a link is. Throws `Failure` if there is none.
    func project(of text: String) async throws -> Project {
        if let origin = (try? WebURL(text))?.origin, let project = known[origin] { return project }
        let configured = try ExplainLink.project(of: text, among: projects)
        let project = try await changes.applied(to: configured).authorizedByUpstream()
        for domain in project.linkDomains { known[domain.origin] = project }
        return project
    }
}
