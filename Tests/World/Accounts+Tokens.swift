package import Accounts

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
