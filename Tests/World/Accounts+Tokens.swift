package import Accounts
import Base

extension Accounts {
    /// The account of an ID token. Refuses what `user(behind:)` refuses.
    package func account(behind idToken: String, in project: ProjectID) async throws(ActionError) -> Account {
        try await user(behind: idToken, in: project).account
    }

    /// A session cookie of the user of an ID token.
    package func sessionCookie(for idToken: String, in project: ProjectID) async throws(ActionError) -> String {
        try await sessionCookie(for: user(behind: idToken, in: project))
    }
}

/// Sessions of a project without settings.
extension Accounts {
    package func openSession(
        for proven: Account, by provider: SignInProvider, after factor: ProvenSecondFactor? = nil, claims: String? = nil,
        from peer: String? = nil
    ) async throws(ActionError) -> IssuedTokens {
        try await openSession(
            for: proven, by: provider, after: factor, claims: claims, from: peer.map { .peer($0) } ?? .admin, in: .plain(proven.project))
    }

    package func openSession(for proven: Account, by provider: SignInProvider, replacing user: SignedInUser) async throws(ActionError)
        -> IssuedTokens
    {
        try await openSession(for: proven, by: provider, replacing: user, in: .plain(proven.project))
    }

    package func signIn(_ proven: Account, by provider: SignInProvider) async throws(ActionError) -> FirstFactorResult {
        try await signIn(proven, by: provider, from: .admin, in: .plain(proven.project))
    }
}

extension Project {
    /// A project without settings.
    fileprivate static func plain(_ id: ProjectID) -> Project {
        guard let domains = try? AuthorizedDomains([]), let page = try? WebURL("https://auth.example/__/auth/action") else {
            preconditionFailure("the settings are valid")
        }
        return Project(id: id, displayName: "Shop", authorizedDomains: domains, actionURL: page)
    }
}
