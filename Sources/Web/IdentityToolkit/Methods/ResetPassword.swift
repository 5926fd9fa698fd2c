internal import Accounts
internal import Base

extension APIMethod {
    static let resetPassword = APIMethod(
        "resetPassword",
        documentation: MethodDocumentation(
            summary: "Tells what a code is for without applying it; with `newPassword`, sets the password by the code of a reset.",
            fields: [Property("oobCode", .text), Property("newPassword", .text)],
            response: .kind("ResetPasswordResponse") + [
                .always("requestType", .text), .always("email", .text, "Empty for a sign-in, whose user must know it."),
                Property("newEmail", .text), Property("mfaInfo", .shared(.secondFactor)),
            ],
            refusals: [
                .missingOobCode, .invalidOobCode, .expiredOobCode, .weakPassword, .passwordDoesNotMeetRequirements, .passwordLoginDisabled,
                .userDisabled,
            ]),
        run: { (call) throws(ActionError) in try await call.resetPassword() })
}

extension Call {
    /// `accounts:resetPassword`: tells what a code is for without applying it, or sets the password
    /// by it.
    func resetPassword() async throws(ActionError) -> JSON {
        guard let code = try body.text("oobCode") else { throw .refused(.missingOobCode) }
        let newPassword = try body.text("newPassword")
        guard newPassword == nil || project.signIn.password else { throw .refused(.passwordLoginDisabled) }
        let pending = try await pending(code)
        if let newPassword {
            guard pending.action.setsPassword else { throw .refused(.invalidOobCode) }
            // An admin's hashing has its turn, too, and ends the count of wrong passwords.
            _ = try await accounts.redeem(pending, with: .newPassword(newPassword), from: .peer(peer))
        }
        return .object([
            "kind": "identitytoolkit#ResetPasswordResponse",
            "requestType": .string(pending.action.requestType),
            // The holder of a sign-in link must prove to know its address, and an account that gets
            // its first address has none. Apple's SDK crashes if the key is missing.
            "email": .string(pending.email ?? ""),
            "newEmail": .string(ifAny: pending.newEmail),
            // An object in this response, a list in all others.
            "mfaInfo": pending.secondFactor.map(\.json),
        ])
    }
}
