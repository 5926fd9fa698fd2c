package import Accounts
package import Curl
package import EmailActions
internal import JSON
package import Logging
package import WebURL

/// A client of another Identity Toolkit, such as Firebase Authentication, that sends requests like
/// an SDK in a browser. Source: Identity Toolkit API v1.
package struct IdentityToolkitClient: Sendable {
    /// The public configuration of a project.
    package struct ProjectConfig: Sendable, Hashable {
        /// The hosts listed under *Authorized domains* in the Firebase console.
        package let authorizedDomains: [String]
    }

    /// The base URL, such as `https://identitytoolkit.googleapis.com`.
    package let base: WebURL
    private let client: HTTPClient

    package init(base: WebURL, limits: TransferLimits = TransferLimits(), now: @escaping Now, logger: Logger) {
        self.base = base
        var logger = logger
        logger[metadataKey: "upstream"] = "\(base.origin)"
        client = HTTPClient(label: "onward.upstream", limits, now: { .milliseconds(now().milliseconds) }) { [logger] isUp in
            if isUp { logger.notice("upstream recovered") } else { logger.error("upstream failed repeatedly, requests are paused") }
        }
    }

    /// When the upstream went down, nil while it is up.
    package var downSince: Timestamp? { client.downSince.map { Timestamp(milliseconds: $0.milliseconds) } }

    /// Requests the configuration of the project to which an API key belongs. Throws `Unavailable`
    /// if the key is refused.
    package func projectConfig(for caller: UpstreamCaller) async throws(ActionError) -> ProjectConfig {
        let config: ProjectReply = try await call("projects", nil, for: caller)
        return ProjectConfig(authorizedDomains: config.authorizedDomains)
    }

    /// - Parameter spends: whether the request applies a code, so that its effect is uncertain if
    ///   the response is lost.
    private func call<Reply: UpstreamReply>(
        _ method: String, _ body: CodeCall?, for caller: UpstreamCaller, spends: Bool = false
    ) async throws(ActionError) -> Reply {
        let response: TransferResponse
        do throws(TransferError) { response = try await client.send(request(method, body, for: caller)) } catch {
            throw unavailable(error.cause, spends ? error.commitState : .notCommitted)
        }
        guard response.status == 200 else {
            guard let error = ToolkitError(response) else {
                throw unavailable("the response has status \(response.status)", spends && response.status >= 500 ? .unknown : .notCommitted)
            }
            throw error.actionError ?? unavailable("the response is an error: \(error.logText)")
        }
        guard let reply = Reply(json: response.body) else {
            throw unavailable("the response is not the expected JSON", spends ? .unknown : .notCommitted)
        }
        return reply
    }

    private func request(_ method: String, _ body: CodeCall?, for caller: UpstreamCaller) -> TransferRequest {
        let path = base.path.last == "/" ? base.path.dropLast() : base.path[...]
        // The key is one of the configuration, which accepts only letters, digits, `_` and `-`. The
        // language of a link may be chosen by an attacker.
        var fields = ["Accept: application/json", "Referer: \(caller.page.origin)/"]
        if let language = caller.language, LanguageTag.isWellFormed(language) { fields.append("X-Firebase-Locale: \(language)") }
        if body != nil { fields.append("Content-Type: application/json") }
        return TransferRequest(url: "\(base.origin)\(path)/v1/\(method)?key=\(caller.apiKey)", fields: fields, body: body?.json.bytes)
    }

    private func unavailable(_ cause: String, _ commitState: Unavailable.CommitState = .notCommitted) -> ActionError {
        .unavailable(Unavailable(.upstream, cause: "\(base.origin): \(cause)", commitState: commitState))
    }
}

extension IdentityToolkitClient: UpstreamToolkit {
    /// Inspects a code with `accounts:resetPassword` without a password.
    package func look(at code: OobCode, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamCode {
        let reply: CodeReply = try await call("accounts:resetPassword", CodeCall(oobCode: code.text), for: caller)
        guard let found = reply.code else { throw unavailable("the response lacks a required member") }
        return found
    }

    /// Applies a code with `accounts:update`, or with `accounts:resetPassword` if there is a
    /// password.
    package func apply(_ code: OobCode, newPassword: String?, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamEffect {
        let body = CodeCall(oobCode: code.text, newPassword: newPassword)
        let reply: EffectReply = try await call(
            newPassword == nil ? "accounts:update" : "accounts:resetPassword", body, for: caller, spends: true)
        return UpstreamEffect(account: reply.localId.map { AccountID(rawValue: $0) }, email: reply.email.flatMap(DisplayText.init)?.text)
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
