internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `accounts:signInWithPassword`.
    func signInWithPassword() async throws(ActionError) -> JSON {
        guard project.signIn.password else { throw .refused(.passwordLoginDisabled) }
        // Either asks to link as well; signing in without would be another account than the client thinks.
        guard !body.has("idToken"), !body.has("pendingIdToken") else {
            throw .refused(.operationNotAllowed, detail: "Signing in links nothing; accounts:signUp with an idToken adds a password")
        }
        guard let email = try body.email() else { throw .refused(.missingEmail) }
        guard let password = try body.text("password") else { throw .refused(.missingPassword) }
        let attempt = try admit(.password(email))
        let account = try await site.accounts.signIn(
            email: email, password: password, in: project.id, hidesAccounts: project.hidesAccounts)
        attempt.giveBack()
        try project.passwordPolicy.checkAtSignIn(password)
        let tokens = try await openSession(for: account, by: .password)
        return .object([
            "kind": "identitytoolkit#VerifyPasswordResponse",
            "registered": .bool(true),
            "localId": .string(account.id.rawValue),
            "email": .string(email.value),
            "displayName": .string(ifAny: account.displayName),
            "idToken": .string(tokens.idToken),
            "refreshToken": .string(tokens.refreshToken),
            "expiresIn": IssuedTokens.expiresIn,
        ])
    }
}
