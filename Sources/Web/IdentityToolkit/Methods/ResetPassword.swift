internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `accounts:resetPassword`: tells what a code is for and leaves it alone, or, with `newPassword`, sets the password by it.
    func resetPassword() async throws(ActionError) -> JSON {
        guard let code = try body.text("oobCode") else { throw .refused(.missingOobCode) }
        let newPassword = try body.text("newPassword")
        guard newPassword == nil || project.signIn.password else { throw .refused(.passwordLoginDisabled) }
        let pending = try await pending(code)
        if let newPassword {
            guard pending.action == .resetPassword else { throw .refused(.invalidOobCode) }
            _ = try await site.redeem(pending, with: .newPassword(newPassword))
            site.forgetGuesses(at: pending.email, from: peer, in: project)
        }
        return .object([
            "kind": "identitytoolkit#ResetPasswordResponse",
            "requestType": .string(pending.action.requestType),
            // Who holds a sign-in link must prove that they know its address; Apple's SDK crashes where the key is missing.
            "email": .string(pending.email ?? ""),
            "newEmail": .string(ifAny: pending.newEmail),
            // One object here, a list everywhere else.
            "mfaInfo": pending.secondFactor.map(\.json),
        ])
    }
}
