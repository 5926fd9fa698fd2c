internal import Accounts
internal import Base
internal import HTTPTypes

/// The caller of a method, and the project that the call is for.
struct Caller: Sendable {
    let project: Project
    /// Nil for callers that are not admins.
    let admin: Admin?
    /// The project's API key that came with the call, for the links that it makes.
    let apiKey: String?

    var isAdmin: Bool { admin != nil }
}

/// The credential of a call, found valid at the end of its head (V4).
enum Credential: Sendable {
    /// A key of a project.
    case client(Project, apiKey: String)
    /// - Parameter apiKey: a key that came as well, perhaps of no project.
    case admin(Admin, apiKey: String?)

    /// Nil for callers that are not admins.
    var admin: Admin? { if case .admin(let admin, _) = self { admin } else { nil } }
}

extension IdentityToolkit {
    /// The credential of a request, found valid and sufficient for the method and the length of the
    /// body. A bearer token counts before a key, and one that is not an admin's refuses the call.
    /// Other kinds of `Authorization` are ignored.
    ///
    /// - Parameter named: the project that the path names, which only admins may do.
    func credential(of request: Request, for method: APIMethod, naming named: ProjectID?) async throws(RequestError) -> Credential {
        let credential = try await validCredential(of: request)
        switch credential {
        case .client:
            guard named == nil else { throw .mayNotNameProject }
            guard !method.requiresAdmin else { throw .insufficient("Only an admin may do this") }
        case .admin(let admin, _): try admin.require(method.permissions, in: named)
        }
        guard request.bodyLength <= method.maxBodyBytes(for: credential) else { throw .bodyTooLarge }
        return credential
    }

    private func validCredential(of request: Request) async throws(RequestError) -> Credential {
        let key = [request["key"], request.head.headerFields[.googleAPIKey]].compactMap(\.self).first { !$0.isEmpty }
        if let bearer = request.bearer {
            guard let admin = try await admins.admin(bearer, through: request.listener) else { throw .notAdminKey }
            return .admin(admin, apiKey: key)
        }
        guard let key else { throw .missingCredential }
        guard let project = projects.value.project(apiKey: key) else { throw .unknownAPIKey }
        return .client(project, apiKey: key)
    }

    /// - Parameters:
    ///   - method: the method that is called.
    ///   - named: the project that the path or the body names, which only admins may do.
    func caller(_ credential: Credential, of method: APIMethod, named: ProjectID?) throws(RequestError) -> Caller {
        let caller: Caller
        switch credential {
        case .client(let project, let key):
            guard named == nil else { throw .mayNotNameProject }
            caller = Caller(project: project, admin: nil, apiKey: key)
        case .admin(let admin, let key):
            let first = method.isOfAnyProject ? projects.value.all.first { admin.scope.includes($0.id) } : nil
            let project = if let first { first } else { try project(of: admin, named: named, key: key) }
            try admin.require(in: project.id)
            // Links with the key of another project could not be opened.
            let isOwn = key.flatMap { projects.value.project(apiKey: $0) }?.id == project.id
            caller = Caller(project: project, admin: admin, apiKey: isOwn ? key : nil)
        }
        if method.needsAccounts, let upstream = caller.project.upstream { throw .upstreamProject(base: upstream.base.origin) }
        return caller
    }

    private func project(of admin: Admin, named: ProjectID?, key: String?) throws(RequestError) -> Project {
        let projects = projects.value
        let unknown = RequestError.failed(.refused(.projectNotFound, detail: "Name one of the configured projects in the path"))
        if let named {
            guard let project = projects[named] else { throw unknown }
            return project
        }
        if let key {
            guard let project = projects.project(apiKey: key) else { throw .unknownAPIKey }
            return project
        }
        if let own = admin.scope.project.flatMap({ projects[$0] }) { return own }
        guard projects.all.count == 1, let only = projects.all.first else { throw unknown }
        return only
    }
}

extension RequestError {
    fileprivate static let mayNotNameProject = insufficient("Only an admin may name a project (target_project_id)")

    static func insufficient(_ detail: String) -> Self { .failed(.refused(.insufficientPermission, detail: detail)) }
}

extension Admin {
    /// Refuses `INSUFFICIENT_PERMISSION` if the scope of the key does not include an operation.
    /// - Parameter project: nil if it is not known yet.
    func require(_ permissions: Set<AdminScope.Permission> = [], in project: ProjectID?) throws(RequestError) {
        guard permissions.isSubset(of: scope.permissions) else {
            throw .insufficient("This admin key lacks the permission \(permissions.subtracting(scope.permissions).names)")
        }
        if let project, !scope.includes(project) { throw .insufficient("This admin key works in another project only") }
    }
}

extension APIMethod {
    /// The largest body that a caller may send.
    func maxBodyBytes(for credential: Credential) -> Int {
        credential.admin == nil ? min(maxBodyBytes, Route.usualBodyBytes) : maxBodyBytes
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
