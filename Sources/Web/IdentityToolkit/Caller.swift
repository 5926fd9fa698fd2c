internal import Accounts
internal import EmailActions
internal import HTTPTypes
internal import WebURL

/// Who calls, and for which project.
struct Caller: Sendable {
    let project: Project
    /// Nil for everyone who is no admin.
    let admin: Admin?
    /// The key that the call came with, for the links it makes.
    let apiKey: String?

    var isAdmin: Bool { admin != nil }
}

/// What a call shows of itself before its body is read.
struct Credential: Sendable {
    let apiKey: String?
    /// As in `Caller`.
    let admin: Admin?
}

extension Site {
    /// A bearer token counts before a key; one that is no admin's refuses the call. Other kinds of `Authorization` say nothing.
    func credential(of request: Request) async throws(APIError) -> Credential {
        let key = [request["key"], request.head.headerFields[.googleAPIKey]].compactMap(\.self).first { !$0.isEmpty }
        if let bearer = request.bearer {
            guard let admin = try await admin(bearer, through: request.listener) else { throw .notAnAdmin }
            return Credential(apiKey: key, admin: admin)
        }
        guard let key else { throw .noCredential }
        return Credential(apiKey: key, admin: nil)
    }

    func admin(_ bearer: String, through listener: ListenerRole) async throws(APIError) -> Admin? {
        switch (mode, listener) {
        case (.development, _), (.production, .admin):
            // The words of SDKs that talk to an emulator; the second is how Google's own access tokens begin.
            if bearer.lowercased() == "owner" || bearer.hasPrefix("ya29.") { return .owner }
        case (.production, .front): break
        }
        switch mode {
        case .development: return nil
        case .production(let production):
            return try await APIError.around { () throws(ActionError) in try await production.admin(bearer) }
        }
    }

    /// - Parameter named: the project that path or body name, which only admins may do.
    func caller(_ credential: Credential, named: ProjectID?) throws(APIError) -> Caller {
        let project = try project(for: credential, named: named)
        if let upstream = project.upstream { throw .elsewhere(base: upstream.base.origin) }
        // A key of another project would make links that nobody can open.
        let key = credential.apiKey.flatMap { projects.project(apiKey: $0)?.id == project.id ? $0 : nil }
        return Caller(project: project, admin: credential.admin, apiKey: key)
    }

    private func project(for credential: Credential, named: ProjectID?) throws(APIError) -> Project {
        let unknown = APIError.failed(.refused(.projectNotFound, detail: "Name one of the configured projects in the path"))
        if let named {
            guard credential.admin != nil else {
                throw .failed(.refused(.insufficientPermission, detail: "Only an admin may name a project (target_project_id)"))
            }
            guard let project = projects[named] else { throw unknown }
            return project
        }
        if let key = credential.apiKey {
            guard let project = projects.project(apiKey: key) else { throw .unknownKey }
            return project
        }
        guard projects.all.count == 1, let only = projects.all.first else { throw unknown }
        return only
    }
}

extension Request {
    /// The token of an `Authorization: Bearer` header.
    var bearer: String? {
        let words = (head.headerFields[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        guard words.first?.lowercased() == "bearer" else { return nil }
        return words.count == 2 ? words[1].trimmed : ""
    }
}
