internal import Accounts
internal import Base

/// A call of a method: its caller is known and its body is read. The methods are extensions.
struct Call: Sendable {
    let toolkit: IdentityToolkit
    let caller: Caller
    let actor: Actor
    let body: JSONFields
    /// The fields that the call changes; nil if it does not say.
    let mask: FieldMask?
    /// The resource that the path or the query names; nil for calls without one.
    let resource: String?
    /// The language of the mails that the call sends; nil for the account's own.
    let language: String?
    /// The numeric address of the client, for limits and the log.
    let peer: String
    let userAgent: String
    /// The origin of the page that calls.
    let origin: String?

    var project: Project { caller.project }
    /// The project's id in responses.
    var projectName: String { toolkit.projects.value.name(of: project.id).rawValue }
    var accounts: Accounts { toolkit.accounts }
    /// The caller as limits count it.
    var client: Client { caller.isAdmin ? .admin : .peer(peer, userAgent: userAgent) }

    /// Runs work that is counted as these attempts of the caller. Throws `tooSoon`.
    func counted<T>(
        by attempts: [LimitedAttempt], as ending: (T) -> AttemptEnd = { _ in .done }, _ work: () async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await accounts.counted(by: attempts, from: client, in: project, as: ending, work)
    }

    /// An account with its linked providers and second factors. Refuses `USER_NOT_FOUND`.
    func profile(of id: AccountID) async throws(ActionError) -> Accounts.Profile {
        guard let profile = try await accounts.profiles([.id(id)], in: project.id).first else { throw .refused(.userNotFound) }
        return profile
    }

    /// The check of the older names of admin methods. Refuses `INSUFFICIENT_PERMISSION`.
    func requireNamedProject() throws(ActionError) {
        guard try body.text("targetProjectId") != nil else {
            throw .refused(.insufficientPermission, detail: "Name the project in targetProjectId")
        }
    }

    /// The action that a live code allows.
    func pending(_ code: String) async throws(ActionError) -> PendingAction {
        guard let code = OobCode(code) else { throw .refused(.invalidOobCode) }
        return try await accounts.pending(code, in: project, from: client)
    }

    /// Signs a user in who has proved a first factor, or asks for a second one.
    func signIn(_ account: Account, by provider: SignInProvider) async throws(ActionError) -> FirstFactorResult {
        try await accounts.signIn(account, by: provider, from: client, in: project)
    }
}

extension IssuedTokens {
    /// The lifetime of ID tokens in seconds, as the API has it.
    static var expiresIn: JSON { .string(String(IDToken.lifetime.components.seconds)) }

    var members: KeyValuePairs<String, JSON?> {
        ["idToken": .string(idToken), "refreshToken": .string(refreshToken), "expiresIn": Self.expiresIn]
    }
}

extension JSON {
    /// An object with more members.
    func adding(_ more: KeyValuePairs<String, JSON?>) -> JSON {
        guard case .object(let own) = self, case .object(let others) = JSON.object(more) else { return self }
        return .object(own + others)
    }
}
