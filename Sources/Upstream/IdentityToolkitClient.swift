package import Accounts
package import EmailActions
internal import JSON
package import Logging
package import WebURL

/// An Identity Toolkit elsewhere, asked as SDKs in browsers ask it. Source: Identity Toolkit API v1.
package struct IdentityToolkitClient: Sendable {
    /// What clients may know of a project.
    package struct ProjectConfig: Sendable, Hashable {
        /// Hosts, as Firebase's console lists them.
        package let authorizedDomains: [String]
    }

    /// Where its paths begin, such as `https://identitytoolkit.googleapis.com`.
    package let base: WebURL
    private let transport: UpstreamTransport

    package init(base: WebURL, bounds: Bounds = Bounds(), now: @escaping Now, logger: Logger) {
        self.base = base
        var logger = logger
        logger[metadataKey: "upstream"] = "\(base.origin)"
        transport = UpstreamTransport(bounds, now: now, logger: logger)
    }

    /// Since when nothing has come back from it; nil while it is up.
    package var downSince: Timestamp? { transport.brokenSince }

    /// The configuration of the project that a key belongs to; throws `Unavailable` where the key is refused.
    package func projectConfig(for caller: UpstreamCaller) async throws(ActionError) -> ProjectConfig {
        let config: ProjectReply = try await ask("projects", nil as CodeCall?, for: caller)
        return ProjectConfig(authorizedDomains: config.authorizedDomains)
    }

    private func ask<Answer: UpstreamReply>(
        _ method: String, _ body: CodeCall?, for caller: UpstreamCaller, spends: Bool = false
    ) async throws(ActionError) -> Answer {
        let reply: Reply
        do throws(Lost) { reply = try await transport.send(query(method, body, for: caller)) } catch {
            throw unavailable(error.cause, spends ? error.deed : .undone)
        }
        guard reply.status == 200 else {
            guard let no = WireError(reply) else {
                throw unavailable("it answered \(reply.status)", spends && reply.status >= 500 ? .uncertain : .undone)
            }
            throw no.meaning ?? unavailable("it said \(no.loggable)")
        }
        guard let answer = Answer(json: reply.body) else { throw unavailable("its answer cannot be read", spends ? .uncertain : .undone) }
        return answer
    }

    private func query(_ method: String, _ body: CodeCall?, for caller: UpstreamCaller) -> Query {
        let path = base.path.last == "/" ? base.path.dropLast() : base.path[...]
        // Keys are letters, digits, `_` and `-`: the configuration refuses others, and whoever calls has looked them up in it.
        var fields = ["Accept: application/json", "Referer: \(caller.page.origin)/"]
        if let language = caller.language, LanguageTag.isWellFormed(language) { fields.append("X-Firebase-Locale: \(language)") }
        if body != nil { fields.append("Content-Type: application/json") }
        return Query(url: "\(base.origin)\(path)/v1/\(method)?key=\(caller.apiKey)", fields: fields, body: body?.json.bytes)
    }

    private func unavailable(_ cause: String, _ deed: Unavailable.Deed = .undone) -> ActionError {
        .unavailable(Unavailable(.upstream, cause: "\(base.origin): \(cause)", deed: deed))
    }
}

extension IdentityToolkitClient: UpstreamToolkit {
    /// Source: Identity Toolkit `accounts:resetPassword` without a password.
    package func look(at code: OobCode, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamCode {
        let answer: CodeReply = try await ask("accounts:resetPassword", CodeCall(oobCode: code.text), for: caller)
        guard let found = answer.code else { throw unavailable("its answer lacks what it must say of a code") }
        return found
    }

    /// Source: Identity Toolkit `accounts:update` with a code, `accounts:resetPassword` with a password.
    package func apply(_ code: OobCode, newPassword: String?, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamEffect {
        let body = CodeCall(oobCode: code.text, newPassword: newPassword)
        let answer: EffectReply = try await ask(
            newPassword == nil ? "accounts:update" : "accounts:resetPassword", body, for: caller, spends: true)
        return UpstreamEffect(account: answer.localId.map { AccountID(rawValue: $0) }, email: answer.email.flatMap(Shown.init)?.text)
    }
}
