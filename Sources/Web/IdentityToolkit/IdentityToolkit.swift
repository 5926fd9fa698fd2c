internal import Accounts
internal import Base
internal import HTTPTypes
internal import Logging
internal import Network
internal import Views

/// Firebase's Authentication API, as SDKs and admin tools call it.
///
/// Source: Identity Toolkit API v1 and v2, Secure Token API v1; in development also the calls of
/// the Auth emulator.
struct IdentityToolkit: Sendable {
    let isDevelopment: Bool
    let origin: WebURL
    let projects: CurrentProjects
    let accounts: Accounts
    let credentials: any CredentialVerifier
    let departure: ProviderDeparture
    let textMessages: any TextMessageSender
    /// Writes the text messages.
    let views: Views
    let admins: AdminAuthentication
    /// The audit log of admin calls; nil in development.
    let audit: Audit?
    /// The mails and codes of the emulator's calls; nil in production.
    let inbox: (any Inbox)?
    let crossOrigin: CrossOrigin
    let watch: AccountWatch
    let serverState: ServerState.Read
    let logger: Logger
    /// The thread on which the large bodies of admins are read (V4). The budget for buffers bounds
    /// how many wait.
    let largeBodies: WorkerPool

    /// Whether the API responds to a path.
    func owns(_ path: String, _ match: RouteTable.Match?) -> Bool {
        let isKnown = match.map { $0.isAPI && isServed($0) } ?? false
        return isKnown || APIPath.isReserved(path, inDevelopment: isDevelopment)
    }

    /// Judges the head of a call, whose body has to come with a valid credential (V3, V4). Pages of
    /// other origins can read the responses of the public listener.
    func accept(_ request: Request, _ match: RouteTable.Match?) async throws(RefusedHead) -> AcceptedRequest {
        guard request.listener == .front else { return try await acceptCall(request, match) }
        let isForeign = crossOrigin.isForeign(request, for: match?.project)
        if isForeign, needsTrust(request, match) { throw RefusedHead(response: ErrorReport(.foreignOrigin, at: accounts.now()).json) }
        guard request.head.method != .options else {
            return AcceptedRequest { $0.identityToolkit.shared(Response(.noContent), with: $1, isForeign: isForeign) }
        }
        do throws(RefusedHead) {
            let call = try await acceptCall(request, match)
            return AcceptedRequest(maxBodyBytes: call.maxBodyBytes) {
                $0.identityToolkit.shared(await call.respond($0, $1), with: $1, isForeign: isForeign)
            }
        } catch { throw RefusedHead(response: shared(error.response, with: request, isForeign: isForeign)) }
    }

    private func shared(_ response: Response, with request: Request, isForeign: Bool) -> Response {
        var response = response
        crossOrigin.share(&response, with: request, isForeign: isForeign)
        return response
    }

    /// Whether a foreign page must not send the request (V8).
    private func needsTrust(_ request: Request, _ match: RouteTable.Match?) -> Bool {
        request.bearer != nil || match?.routes.contains(where: \.isEmulator) == true
    }

    private func acceptCall(_ request: Request, _ match: RouteTable.Match?) async throws(RefusedHead) -> AcceptedRequest {
        let project = match?.project
        var method: APIMethod?
        do throws(RequestError) {
            switch try handler(of: request, match) {
            case .page: throw .notFound
            case .notOffered(let reason): throw .notOffered(reason)
            case .published(let publication):
                return Self.accepted { toolkit, _ throws(RequestError) in try await toolkit.response(with: publication, of: project) }
            case .emulator(let method):
                return Self.accepted { toolkit, request throws(RequestError) in
                    .json(.ok, try await toolkit.result(of: method, for: project, request))
                }
            case .call(let called):
                method = called
                let credential = try await credential(of: request, for: called, naming: project)
                return Self.accepted(called, atMost: called.maxBodyBytes(for: credential)) { toolkit, request throws(RequestError) in
                    try await toolkit.response(of: called, for: project, by: credential, request)
                }
            }
        } catch { throw RefusedHead(response: response(to: error, of: method, request)) }
    }

    private static func accepted(
        _ method: APIMethod? = nil, atMost maxBodyBytes: Int = Route.usualBodyBytes,
        _ respond: @escaping @Sendable (IdentityToolkit, Request) async throws(RequestError) -> Response
    ) -> AcceptedRequest {
        AcceptedRequest(maxBodyBytes: maxBodyBytes) { site, request in
            do throws(RequestError) { return try await respond(site.identityToolkit, request) } catch {
                return site.identityToolkit.response(to: error, of: method, request)
            }
        }
    }

    private func response(to error: RequestError, of method: APIMethod?, _ request: Request) -> Response {
        error.log(to: logger, request)
        let styled: RequestError =
            switch (error, method?.errorStyle) {
            case (.failed(let failure), .canonical): .canonicallyFailed(failure)
            case (.missingCredential, .ours): .missingAdminKey
            case (.failed(.refused(.insufficientPermission, let detail)), .ours): .keyMayNot(detail ?? "")
            default: error
            }
        return ErrorReport(styled, at: accounts.now()).json
    }

    private func handler(of request: Request, _ match: RouteTable.Match?) throws(RequestError) -> Route.Handler {
        guard let match, match.isAPI, isServed(match) else { throw .notFound }
        guard let route = match.route(for: request.method) else { throw .methodNotAllowed(allowed: match.allowedMethods) }
        guard request.query.count <= Request.maxParameters else {
            throw .failed(.refused(.invalidArgument, detail: "/ has too many parameters"))
        }
        guard request.bodyLength <= route.maxBodyBytes else { throw .bodyTooLarge }
        return route.handler
    }

    private func isServed(_ match: RouteTable.Match) -> Bool { isDevelopment || !match.routes.contains(where: \.isDevelopmentOnly) }

    private func response(
        of method: APIMethod, for project: ProjectID?, by credential: Credential, _ request: Request
    ) async throws(RequestError) -> Response {
        if let admin = credential.admin, let audit {
            return .json(.ok, try await result(of: method, for: project, by: credential, admin, recordedIn: audit, request))
        }
        let call = try await call(of: method, for: project, by: credential, request)
        if let held = try await heldResponse(of: method, by: call) { return held }
        return .json(.ok, try await result(of: method, by: call, request))
    }

    private func heldResponse(of method: APIMethod, by call: Call) async throws(RequestError) -> Response? {
        do throws(ActionError) { return try await method.hold?(call).map { Response($0) } } catch { throw .failed(error) }
    }

    private func result(
        of method: APIMethod, for project: ProjectID?, by credential: Credential, _ admin: Admin, recordedIn audit: Audit,
        _ request: Request
    ) async throws(RequestError) -> JSON {
        // The call is recorded even if the rest of the request cannot be read.
        let call: Result<Call, RequestError>
        do { call = .success(try await self.call(of: method, for: project, by: credential, request)) } catch { call = .failure(error) }
        let known = try? call.get()
        var record = AuditRecord(at: accounts.now(), actor: "\(admin)", method: method.name)
        record.project = known?.project.id ?? project
        record.subjects = await known?.auditSubjects() ?? []
        record.peer = request.peer
        record.request = request.id
        let entry: Audit.Entry
        do { entry = try await audit.begin(record) } catch { throw .failed(error) }
        let now = accounts.now
        return try await entry.run(
            code: { ErrorReport($0, at: now()).code }, subjects: { result in await known?.auditSubjects(ofResult: result) ?? [] }
        ) { () async throws(RequestError) in try await self.result(of: method, by: call.get(), request) }
    }

    /// Reads what a request asks for, and by whom. Changes nothing.
    private func call(
        of method: APIMethod, for project: ProjectID?, by credential: Credential, _ request: Request
    ) async throws(RequestError) -> Call {
        let body =
            switch method.source {
            case .json: try await fields(of: request, by: credential)
            case .jsonOrForm: if let form = try request.formFields() { form } else { try await fields(of: request, by: credential) }
            case .query: try request.queryFields()
            case .shortLinkAndQuery:
                try request.queryFields(with: [JSON.Member(name: "shortLink", value: .string(request.shortLinkInPath ?? ""))])
            case .addressAndQuery:
                try request.queryFields(with: [JSON.Member(name: "to", value: .string(WebURL.percentDecoded(request.resource ?? "")))])
            }
        let named = try await RequestError.wrapping { () throws(ActionError) in try body.projectID() }
        if isDevelopment { try noteProject(of: body, project ?? named, by: credential, request) }
        let caller = try caller(credential, of: method, named: project ?? named)
        let actor = try await RequestError.wrapping { () throws(ActionError) in try await Actor(body, of: caller, in: accounts) }
        return Call(
            toolkit: self, caller: caller, actor: actor, body: body, mask: FieldMask(request.query),
            resource: request.resource, language: request.language, peer: request.peer, userAgent: request.userAgent,
            origin: request.head.headerFields[.origin])
    }

    /// The fields of a JSON object. A body that only an admin may send is read on another thread,
    /// since it would hold up the event loop.
    private func fields(of request: Request, by credential: Credential) async throws(RequestError) -> JSONFields {
        let limits = credential.admin == nil ? JSON.ReadingLimits.client : .admin
        guard request.body.count > Route.usualBodyBytes else { return try request.fields(within: limits) }
        return try await RequestError.wrapping { () throws(ActionError) in
            try await onLargeBodyWorker { Result { () throws(RequestError) in try request.fields(within: limits) } }
        }.get()
    }

    /// Runs work that large bodies of admins cause, and that would hold up the event loop.
    func onLargeBodyWorker<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(ActionError) -> Value {
        do { return try await largeBodies.run(work) } catch { throw .unavailable(Unavailable(.largeBodies, cause: "\(error)")) }
    }

    private func result(of method: APIMethod, by call: Call, _ request: Request) async throws(RequestError) -> JSON {
        do throws(ActionError) {
            let result = try await method.run(call)
            log(method, by: call.caller, refusal: nil, about: result["localId"], request)
            return result
        } catch {
            if let refusal = error.refusal { log(method, by: call.caller, refusal: refusal, about: nil, request) }
            throw .failed(error)
        }
    }

    /// Logs a call with its caller, its source and its result (O3), without an address or a code
    /// (O1).
    private func log(_ method: APIMethod, by caller: Caller, refusal: Refusal?, about account: JSON?, _ request: Request) {
        var metadata: Logger.Metadata = [
            "method": "\(method.name)", "project": "\(caller.project.id)", "peer": "\(request.peer)", "request": "\(request.id)",
        ]
        metadata["admin"] = caller.admin.map { "\($0)" }
        metadata["refusal"] = refusal.map { "\($0.rawValue)" }
        if case .string(let id)? = account { metadata["account"] = "\(AccountID(rawValue: id).loggable)" }
        logger.notice("call answered", metadata: metadata)
    }
}

extension RouteTable.Match {
    /// For the `Allow` header.
    fileprivate var allowedMethods: String {
        routes.compactMap { route -> String? in
            switch route.methods {
            case .read: "GET"
            case .only(let method): method.rawValue
            case .any: nil
            }
        }.sorted().joined(separator: ", ")
    }
}

extension JSON.ReadingLimits {
    /// No call of a client has as many members or values.
    static let client = JSON.ReadingLimits(maxMembers: 64, maxValues: 1_024)
    /// The most is an import of a thousand accounts, each with other providers and second factors.
    static let admin = JSON.ReadingLimits(maxMembers: 64, maxValues: 200_000)
}

extension JSONFields {
    /// The project that a body names. Projects have no tenants.
    fileprivate func projectID() throws(ActionError) -> ProjectID? {
        guard try text("tenantId") == nil else { throw .refused(.tenantsNotOffered, detail: NotOffered.tenants.rawValue) }
        return try text("targetProjectId").map { ProjectID(rawValue: $0) }
    }
}

extension Request {
    /// The fields of the query, without the API key.
    fileprivate func queryFields(with others: [JSON.Member] = []) throws(RequestError) -> JSONFields {
        let members = query.filter { $0.name != "key" }.map { JSON.Member(name: $0.name, value: .string($0.value)) }
        do { return try JSONFields(others + members) } catch { throw .failed(error) }
    }

    /// The fields of a form; nil if the body is none.
    fileprivate func formFields() throws(RequestError) -> JSONFields? {
        guard let form else { return nil }
        do { return try JSONFields(form.map { JSON.Member(name: $0.name, value: .string($0.value)) }) } catch { throw .failed(error) }
    }

    /// The fields of a JSON object.
    func fields(within limits: JSON.ReadingLimits) throws(RequestError) -> JSONFields {
        guard contentType == "application/json" else { throw .notJSON }
        let json: JSON
        do { json = try JSON(body, within: limits) } catch { throw .malformedJSON(error) }
        guard case .object(let members) = json else { throw .failed(.refused(.invalidArgument, detail: "/ must be object")) }
        do { return try JSONFields(members) } catch { throw .failed(error) }
    }

    /// The method that is meant: some HTTP libraries of Java do not send PATCH.
    var method: HTTPRequest.Method {
        head.method == .post && head.headerFields[.methodOverride] == "PATCH" ? .patch : head.method
    }

    /// The identity provider that the path names, or the query of a call that adds one.
    fileprivate var resource: String? {
        APIPath(path)?.resource ?? ProviderCollection.allCases.lazy.compactMap { self[$0.idParameter] }.first
    }

    /// The language of the client: the first well-formed tag. Some clients send a list, as in
    /// `Accept-Language`.
    fileprivate var language: String? {
        head.headerFields[.firebaseLocale].flatMap { WeightedItems($0).best(16).lazy.compactMap(LanguageTag.tag).first }
    }
}

extension HTTPField.Name {
    fileprivate static let methodOverride = Self("X-HTTP-Method-Override")!
}
