internal import Accounts
internal import Base
internal import Views

extension Call {
    /// Sends a code to a phone number and returns the `sessionInfo` that the client sends to name
    /// the code.
    /// - Parameter account: the account of the user, if it is known.
    func sendVerificationCode(
        to number: PhoneNumber, for purpose: VerificationCode.Purpose, account: Account? = nil
    ) async throws(ActionError) -> JSON {
        let issued = try await accounts.sendVerificationCode(to: number, for: purpose, from: client, in: project) {
            (issued, settings) throws(ActionError) in
            let language = toolkit.views.language(liking: [language, account?.language, project.language].compactMap(\.self))
            let message = TextMessage(
                issued, id: Base64URL.encode(accounts.random(15)),
                text: toolkit.views.textMessage(code: issued.code, of: project.displayName, in: language), language: language.code,
                in: project.id, at: accounts.now())
            try await toolkit.textMessages.send(message, by: settings)
        }
        return .string(issued.sessionInfo)
    }
}

extension JSONFields {
    /// A phone number that has to be there. Refuses `INVALID_PHONE_NUMBER`, as production does
    /// without a number.
    func requiredPhoneNumber() throws(ActionError) -> PhoneNumber {
        guard let number = try phoneNumber("phoneNumber") else { throw .refused(.invalidPhoneNumber) }
        return number
    }
}
