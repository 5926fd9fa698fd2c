internal import Accounts
internal import AppLinks
internal import HTTPTypes
internal import Logging

/// The project ids that admins and tokens name on a development server. Clients name none, so that
/// accounts of one app would be in two projects if the ids differed.
extension IdentityToolkit {
    /// Notes the project that a call of an admin names, or else the token of a client.
    func noteProject(of body: JSONFields, _ named: ProjectID?, by credential: Credential, _ request: Request) throws(RequestError) {
        if credential.admin != nil, let named { return noteProjectID(named, request) }
        let token: String?
        do { token = try body.text("idToken") } catch { throw .failed(error) }
        if let id = token.flatMap(IDTokens.project) { noteProjectID(id, request) }
    }

    /// Notes a project id, and logs what it has become. Other websites cannot choose one.
    func noteProjectID(_ id: ProjectID, _ request: Request) {
        guard ProjectID(segment: id.rawValue) != nil, !mayComeFromWebsite(request), !crossOrigin.isForeign(request) else { return }
        switch projects.noteProjectID(id) {
        case .known: break
        case .adopted:
            logger.notice("project id adopted, clients and admins are in one project", metadata: noted(["project": id.rawValue]))
        case .separate:
            let own = projects.value.all.first.map { projects.value.name(of: $0.id).rawValue }
            logger.warning(
                "project has no clients, start with --project to have them in it",
                metadata: noted(["project": id.rawValue, "clientsAreIn": own]))
        }
    }

    /// Whether another website may have made a browser send a request. To a plain http address of
    /// the network, browsers do not say which site it is from; but none can add an authorization.
    private func mayComeFromWebsite(_ request: Request) -> Bool {
        let fields = request.head.headerFields
        guard let site = fields[.secFetchSite] else {
            return fields[.authorization] == nil && fields[.userAgent]?.hasPrefix("Mozilla/") == true
        }
        return site == "cross-site"
    }

    private func noted(_ texts: [String: String?]) -> Logger.Metadata { ([:] as Logger.Metadata).with(client: texts) }
}
