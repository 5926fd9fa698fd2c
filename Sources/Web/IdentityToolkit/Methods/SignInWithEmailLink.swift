internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `accounts:signInWithEmailLink`: with an ID token, the link's address becomes that account's.
    func signInWithEmailLink() async throws(ActionError) -> JSON {
        guard project.signIn.emailLink else { throw .refused(.operationNotAllowed) }
        let linked: Account? = if let idToken = try body.string("idToken") { try await account(behind: idToken) } else { nil }
        guard let text = try body.text("email") else { throw .refused(.missingEmail) }
        guard let code = try body.text("oobCode") else { throw .refused(.missingOobCode) }
        let pending = try await pending(code)
        if let idToken = try body.string("idToken"), let linked, pending.takesAddress(from: linked) {
            try await requireRecentSignIn(idToken)
        }
        let signedIn = try await site.meters.codes.counting(.signIn) { () throws(ActionError) in
            // Whoever only found the link has to guess whose it is.
            let attempt = try admit(.code)
            let signedIn = try await site.actions.signIn(pending, as: EmailAddress(text), linking: linked)
            attempt.giveBack()
            return signedIn
        }
        let tokens = try await site.accounts.openSession(for: signedIn.account, by: .password)
        return .object([
            "kind": "identitytoolkit#EmailLinkSigninResponse",
            "localId": .string(signedIn.account.id.rawValue),
            "email": .string(ifAny: signedIn.account.email?.value),
            "isNewUser": .bool(signedIn.isNew),
            "idToken": .string(tokens.idToken),
            "refreshToken": .string(tokens.refreshToken),
            "expiresIn": IssuedTokens.expiresIn,
        ])
    }
}
