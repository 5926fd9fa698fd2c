internal import Accounts
internal import EmailActions
internal import HTTPTypes
internal import JSON
internal import Logging

extension Site {
    /// Firebase's Authentication API, as SDKs and admin tools speak it; nil for a path that is not one of its.
    ///
    /// Source: Identity Toolkit API v1, Secure Token API v1; in development the Auth emulator's own calls.
    func identityToolkit(_ request: Request) async -> Response? {
        guard Endpoint.claims(request.path, inDevelopment: mode.isDevelopment) else { return nil }
        var answer = request.head.method == .options ? Response(.noContent) : await answerCall(request)
        answer.share(withOriginOf: request)
        return answer
    }

    func answerCall(_ request: Request) async -> Response {
        do throws(APIError) {
            guard let endpoint = Endpoint(path: request.path) else { throw .noSuchPath }
            switch endpoint[request.head.method] {
            case nil: throw .noSuchVerb(allowed: endpoint.allowed)
            case .published(let publication): return try await answer(with: publication, of: endpoint.project)
            case .notOffered(let reason): throw .notOffered(reason)
            case .emulator(let method): return .json(.ok, try await result(of: method, for: endpoint.project, request))
            case .call(let method): return .json(.ok, try await result(of: method, for: endpoint.project, request))
            }
        } catch {
            if case .failed(.unavailable(let down)) = error {
                logger.error(
                    "A call found a part of Onward down",
                    metadata: ["part": "\(down.part.rawValue)", "cause": "\(down.cause)", "request": "\(request.id)"])
            }
            return ErrorResponses.json(error)
        }
    }

    private func result(of method: Call.Method, for project: ProjectID?, _ request: Request) async throws(APIError) -> JSON {
        let credential = try await credential(of: request)
        guard let admin = credential.admin, case .production(let production) = mode else {
            return try await result(of: method, by: call(of: method, for: project, by: credential, request), request)
        }
        // Whatever an admin wanted is on record, even where the rest of the request cannot be read.
        let call: Result<Call, APIError>
        do { call = .success(try await self.call(of: method, for: project, by: credential, request)) } catch { call = .failure(error) }
        let known = try? call.get()
        var record = AuditRecord(at: accounts.now(), actor: "\(admin)", method: "\(method)")
        record.project = known?.project.id ?? project
        record.subjects = await known?.subjects() ?? []
        record.peer = request.peer
        record.request = request.id
        let entry: Audit.Entry
        do { entry = try await production.audit.begin(record) } catch { throw .failed(error) }
        return try await entry.run(code: \.code, subjects: { result in await known?.subjects(of: result) ?? [] }) {
            () async throws(APIError) in
            try await self.result(of: method, by: call.get(), request)
        }
    }

    /// What a request asks for, and by whom; changes nothing.
    private func call(
        of method: Call.Method, for project: ProjectID?, by credential: Credential, _ request: Request
    ) async throws(APIError) -> Call {
        let body =
            switch method.source {
            case .json: try request.fields()
            case .jsonOrForm: try request.fields(orForm: true)
            case .query: try request.queryFields()
            }
        let named = try await APIError.around { () throws(ActionError) in try body.projectID() }
        return Call(
            site: self, caller: try caller(credential, named: project ?? named), body: body, mask: FieldMask(request.query),
            language: request.language, peer: request.peer)
    }

    private func result(of method: Call.Method, by call: Call, _ request: Request) async throws(APIError) -> JSON {
        do throws(ActionError) {
            let result = try await call.result(of: method)
            log(method, by: call.caller, refusal: nil, about: result["localId"], request)
            return result
        } catch {
            if let refusal = error.refusal { log(method, by: call.caller, refusal: refusal, about: nil, request) }
            throw .failed(error)
        }
    }

    /// Who did what, from where, and how it went (O3); neither an address nor a code (O1).
    private func log(_ method: Call.Method, by caller: Caller, refusal: Refusal?, about account: JSON?, _ request: Request) {
        var metadata: Logger.Metadata = [
            "method": "\(method)", "project": "\(caller.project.id)", "peer": "\(request.peer)", "request": "\(request.id)",
        ]
        metadata["admin"] = caller.admin.map { "\($0)" }
        metadata["refusal"] = refusal.map { "\($0.rawValue)" }
        if case .string(let id)? = account { metadata["account"] = "\(AccountID(rawValue: id).loggable)" }
        logger.notice("a call was answered", metadata: metadata)
    }
}

extension JSONFields {
    /// The project that a body names. There are no tenants inside of projects.
    fileprivate func projectID() throws(ActionError) -> ProjectID? {
        guard try text("tenantId") == nil else { throw .refused(.tenantsNotOffered, detail: NotOffered.tenants.rawValue) }
        return try text("targetProjectId").map { ProjectID(rawValue: $0) }
    }
}

extension Request {
    /// The fields of the query, but for the key, which `Credential` reads.
    func queryFields() throws(APIError) -> JSONFields {
        guard query.count <= Self.maxParameters else { throw .failed(.refused(.invalidArgument, detail: "/ has too many parameters")) }
        let members = query.filter { $0.name != "key" }.map { JSON.Member(name: $0.name, value: .string($0.value)) }
        do { return try JSONFields(members) } catch { throw .failed(error) }
    }

    /// The fields of a JSON object, or of a form where that is taken as well.
    func fields(orForm takesForm: Bool = false) throws(APIError) -> JSONFields {
        let members: [JSON.Member]
        if takesForm, let form {
            members = form.map { JSON.Member(name: $0.name, value: .string($0.value)) }
        } else {
            guard contentType == "application/json" else { throw .notJSON }
            let json: JSON
            do { json = try JSON(body) } catch { throw .malformed(error) }
            guard case .object(let read) = json else { throw .failed(.refused(.invalidArgument, detail: "/ must be object")) }
            members = read
        }
        do { return try JSONFields(members) } catch { throw .failed(error) }
    }

    /// The language of the client, if it sent a well-formed tag.
    fileprivate var language: String? {
        head.headerFields[.firebaseLocale].flatMap { LanguageTag.isWellFormed($0) ? $0 : nil }
    }
}
