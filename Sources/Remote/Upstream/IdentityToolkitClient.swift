public import Accounts
public import Base
public import Logging
public import Network

/// A client of another Identity Toolkit, such as Firebase Authentication, that sends requests like
/// an SDK in a browser. Source: Identity Toolkit API v1.
public struct IdentityToolkitClient: Sendable {
    /// The public configuration of a project.
    public struct ProjectConfig: Sendable, Hashable {
        /// The hosts listed under *Authorized domains* in the Firebase console.
        public let authorizedDomains: [String]
    }

    /// The base URL, such as `https://identitytoolkit.googleapis.com`.
    public let base: WebURL
    /// The base URL with a slash at its end.
    private let root: String
    private let client: HTTPClient
    /// The client for each API key, so that requests of one project that are not answered take
    /// no connection from those of another (Y4).
    private let clients = Locked<[String: HTTPClient]>([:])
    private let health: KeyHealth
    private let logger: Logger

    public init(
        base: WebURL, limits: TransferLimits = TransferLimits(), uptime: @escaping @Sendable () -> Uptime = { .now }, logger: Logger
    ) {
        self.base = base
        root = "\(base.origin)\(base.path.last == "/" ? base.path.dropLast() : base.path[...])/"
        var logger = logger
        logger[metadataKey: "upstream"] = "\(base.origin)"
        client = HTTPClient(limits, scope: .connections, uptime: uptime) { [logger] isUp in
            if isUp { logger.notice("upstream recovered") } else { logger.error("upstream cannot be reached, requests are paused") }
        }
        health = KeyHealth(uptime: uptime, logger: logger)
        self.logger = logger
    }

    /// Whether the last request with this key was refused because of the key.
    public func refuses(_ key: String) -> Bool { health.refuses(key) }

    private func client(for key: String) -> HTTPClient {
        clients.update { clients in
            if let known = clients[key] { return known }
            let new = client.withOwnTurns()
            clients[key] = new
            return new
        }
    }

    /// The state of a project's upstream in a few words; nil if it is fine or was not asked yet.
    func trouble(of project: Project) -> String? {
        health.trouble(of: project.apiKeys, isReachable: client.downSince == nil)
    }

    /// Requests the configuration of the project that an API key belongs to. Throws `Unavailable`
    /// if the key is refused.
    public func projectConfig(for caller: UpstreamCaller) async throws(ActionError) -> ProjectConfig {
        let config: ProjectReply = try await call("v1/projects", nil, for: caller)
        return ProjectConfig(authorizedDomains: config.authorizedDomains)
    }

    /// Requests the rules for passwords of the project that an API key belongs to; none if the
    /// server does not tell them, as the emulator. A failure says nothing about other requests.
    public func passwordPolicy(for caller: UpstreamCaller) async throws(ActionError) -> PasswordRequirements {
        guard health.allowsRequest(caller.apiKey) else { throw notAsked }
        let response: TransferResponse
        do throws(TransferError) {
            response = try await client(for: caller.apiKey).send(request("v2/passwordPolicy", nil, for: caller, isSentOnce: false))
        } catch { throw unavailable(error.cause) }
        if [404, 405, 501].contains(response.status) { return PasswordRequirements() }
        let policy: PasswordPolicyReply
        do throws(BadResponse) { policy = try Self.reply(in: response) } catch { throw error.known ?? unavailable(error.cause) }
        health.record(.answer, for: caller.apiKey)
        return policy.requirements
    }

    private var notAsked: ActionError { unavailable("not asked, because it failed for this project a moment ago") }

    /// - Parameter spends: whether the request applies a code or sends a mail, so that its effect
    ///   is uncertain if the response is lost.
    private func call<Reply: UpstreamReply>(
        _ method: String, _ body: JSON?, for caller: UpstreamCaller, spends: Bool = false
    ) async throws(ActionError) -> Reply {
        guard health.allowsRequest(caller.apiKey) else { throw notAsked }
        let response: TransferResponse
        do throws(TransferError) {
            let request = request(method, body, for: caller, isSentOnce: spends)
            response = try await client(for: caller.apiKey).send(request, for: caller.network)
        } catch {
            health.record(error.requestState == .notSent ? .unreachable(error.cause) : .failure(error.cause), for: caller.apiKey)
            if spends { log(error.cause, of: method, for: caller) }
            throw unavailable(error.cause, spends ? error.commitState : .notCommitted)
        }
        do throws(BadResponse) {
            let reply: Reply = try Self.reply(in: response)
            health.record(.answer, for: caller.apiKey)
            return reply
        } catch {
            health.record(error.meaning, for: caller.apiKey)
            if spends, error.known == nil { log(error.cause, of: method, for: caller) }
            throw error.known ?? unavailable(error.cause, spends ? error.commitState : .notCommitted)
        }
    }

    /// Logs why the outcome of a press, or of a reset mail, is not what the upstream said: a page
    /// may find it out by another request, whose result is then what the log has of the press.
    private func log(_ cause: String, of method: String, for caller: UpstreamCaller) {
        logger.warning(
            "upstream did not confirm", metadata: ["method": "\(method)", "key": "\(caller.apiKey.shownAPIKey)", "cause": "\(cause)"])
    }

    private static func reply<Reply: UpstreamReply>(in response: TransferResponse) throws(BadResponse) -> Reply {
        guard response.status == 200 else { throw BadResponse(response) }
        guard let reply = Reply(json: response.body) else { throw BadResponse.notExpected }
        return reply
    }

    private func request(_ method: String, _ body: JSON?, for caller: UpstreamCaller, isSentOnce: Bool) -> TransferRequest {
        // The key is one of the configuration, which accepts only letters, digits, `_` and `-`. The
        // language of a link may be chosen by an attacker.
        var fields = ["Accept: application/json", "Referer: \(caller.page.origin)/"]
        if let language = caller.language.flatMap(LanguageTag.tag) { fields.append("X-Firebase-Locale: \(language)") }
        if body != nil { fields.append("Content-Type: application/json") }
        return TransferRequest(
            url: "\(root)\(method)?key=\(caller.apiKey)", fields: fields, body: body?.bytes, isSentOnce: isSentOnce)
    }

    private func unavailable(_ cause: String, _ commitState: Unavailable.CommitState = .notCommitted) -> ActionError {
        .unavailable(Unavailable(.upstream, cause: "\(base.origin): \(cause)", commitState: commitState))
    }
}

extension IdentityToolkitClient: UpstreamToolkit {
    /// Inspects a code with `accounts:resetPassword` without a password.
    public func look(at code: OobCode, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamCode {
        let reply: CodeReply = try await call(
            "v1/accounts:resetPassword", CodeCall(oobCode: code.text, tenantId: caller.tenant).json, for: caller)
        guard let found = reply.code else { throw unavailable("the response lacks a required member") }
        return found
    }

    /// Applies a code with `accounts:update`, or with `accounts:resetPassword` if there is a
    /// password.
    public func apply(_ code: OobCode, newPassword: String?, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamEffect {
        let body = CodeCall(oobCode: code.text, newPassword: newPassword, tenantId: caller.tenant)
        let reply: EffectReply = try await call(
            newPassword == nil ? "v1/accounts:update" : "v1/accounts:resetPassword", body.json, for: caller, spends: true)
        return UpstreamEffect(account: reply.localId.map { AccountID(rawValue: $0) }, email: reply.email.flatMap(DisplayText.init)?.text)
    }
}

extension IdentityToolkitClient {
    /// Has a reset mailed with `accounts:sendOobCode`.
    public func sendPasswordReset(to email: EmailAddress, for caller: UpstreamCaller) async throws(ActionError) {
        let body = MailCall(requestType: Action.resetPassword.requestType, email: email.value, tenantId: caller.tenant)
        let _: EffectReply = try await call("v1/accounts:sendOobCode", body.json, for: caller, spends: true)
    }
}

extension TransferError {
    /// Whether a request that changes something may have taken effect.
    fileprivate var commitState: Unavailable.CommitState {
        switch requestState {
        case .notSent: .notCommitted
        case .unknown: .unknown
        case .pending: .pending
        }
    }
}
