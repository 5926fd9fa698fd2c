internal import Accounts
internal import EmailActions

extension Call {
    /// `GET projects`: what a client has to know of the project before anyone signs in.
    func getProjectConfig() -> JSON {
        .object([
            "projectId": .string(project.id.rawValue),
            "authorizedDomains": .array(project.authorizedDomains.hosts.map { .string($0) }),
        ])
    }
}
