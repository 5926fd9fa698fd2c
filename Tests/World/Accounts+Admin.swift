package import Accounts

/// Calls that no limit counts.
extension Accounts {
    package func inspect(_ code: OobCode, in project: Project) async throws(ActionError) -> Inspection {
        try await inspect(code, in: project, from: .admin)
    }

    package func preview(_ link: ActionLink, in project: Project) async throws(ActionError) -> Inspection {
        try await preview(link, in: project, from: .admin)
    }

    package func press(
        _ link: ActionLink, _ press: Press, typing password: String = "", in project: Project
    ) async throws(ActionError) -> PressResult {
        try await self.press(link, press, typing: password, from: .admin, in: project)
    }

    package func refresh(_ token: String, in project: Project) async throws(ActionError) -> IssuedTokens {
        try await refresh(token, from: .admin, in: project)
    }

    package func finishSignIn(
        _ credential: String, with code: SecondFactorCode, in project: Project
    ) async throws(ActionError) -> IssuedTokens {
        try await finishSignIn(credential, with: code, from: .admin, in: project)
    }

    package func redeem(_ pending: PendingAction, with input: RedeemInput = .call()) async throws(ActionError) -> Outcome {
        try await redeem(pending, with: input, from: .admin)
    }

    package func signIn(
        _ pending: PendingAction, as email: EmailAddress?, linking linked: Account? = nil
    ) async throws(ActionError) -> LinkSignIn {
        var user: SignedInUser?
        if let linked { user = try await self.user(behind: openSession(for: linked, by: .password).idToken, in: linked.project) }
        return try await signIn(by: pending, as: email, for: user, from: .admin).0
    }

    package func sendAgain(_ ended: EndedAction) async throws(ActionError) { try await sendAgain(ended, from: .admin) }

    /// Enrols a factor without a proof of it.
    @discardableResult
    package func enroll(_ factor: SecondFactor, for seen: Account, in project: Project) async throws(ActionError) -> Account {
        try await enroll(factor, by: nil, for: seen, from: .someone, in: project)
    }

    package func update(
        _ before: Account, with change: AccountChange, mayRemoveLastSignIn: Bool = true, byAdmin: Bool = false, in project: Project
    ) async throws(ActionError) -> Profile {
        try await update(
            before, with: change, mayRemoveLastSignIn: mayRemoveLastSignIn, byAdmin: byAdmin, from: byAdmin ? .admin : .someone,
            in: project)
    }

    package func delete(_ seen: Account, in project: Project) async throws(ActionError) {
        try await delete(seen, from: .someone, in: project)
    }

    package func link(
        _ proof: PhoneProof, to seen: Account, replacing replaces: Bool, in project: Project
    ) async throws(ActionError) -> PhoneSignIn {
        try await link(proof, to: seen, replacing: replaces, from: .admin, in: project)
    }

    package func remove(remaining secondFactor: String?, after ended: EndedAction) async throws(ActionError) {
        try await remove(remaining: secondFactor, after: ended, from: .someone)
    }
}

extension Client {
    /// A client that says nothing about its device.
    package static let someone = Client.peer("192.0.2.1")
}
