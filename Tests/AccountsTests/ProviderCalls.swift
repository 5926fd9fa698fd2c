import World

@testable import Accounts

/// Calls of providers' users from a client that says nothing about its device.
extension Accounts {
    func signIn(
        _ identity: VerifiedIdentity, upTo reach: ProviderSignIn.Reach = .new, in project: Project
    ) async throws(ActionError) -> ProviderSignIn {
        try await signIn(identity, upTo: reach, language: nil, from: .someone, in: project)
    }

    func link(_ identity: VerifiedIdentity, to seen: Account, in project: Project) async throws(ActionError) -> Account {
        try await link(identity, to: seen, tellingOf: .someone, in: project)
    }
}
