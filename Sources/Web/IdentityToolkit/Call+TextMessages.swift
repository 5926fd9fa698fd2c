internal import Accounts
internal import Base
internal import Views

extension Call {
    /// Sends a code to a phone number and returns the `sessionInfo` that the client sends to name
    /// the code.
    ///
    /// Refuses `OPERATION_NOT_ALLOWED` if the project sends no text messages, or none to this
    /// number, `tooSoon`, and what the sender refuses. For a sign-in that could not succeed no
    /// message is paid: it is `UNSUPPORTED_FIRST_FACTOR`, or where accounts are hidden a
    /// `sessionInfo` that no code fits.
    /// - Parameter account: the account of the user, if it is known.
    func sendVerificationCode(
        to number: PhoneNumber, for purpose: VerificationCode.Purpose, account: Account? = nil
    ) async throws(ActionError) -> JSON {
        guard let settings = project.textMessages else {
            throw .refused(.operationNotAllowed, detail: "Text messages are off; see textMessages in the configuration")
        }
        let testCode = settings.testCodes[number]
        guard testCode != nil || settings.reaches(number) else {
            throw .refused(.operationNotAllowed, detail: "SMS unable to be sent until this region enabled by the app developer.")
        }
        // Bounds the work, also where no message is sent.
        return try await counted(by: [.refresh]) { () throws(ActionError) in
            let messages: [LimitedAttempt] =
                testCode == nil ? [.textMessage(number, try await reason(to: number, for: purpose))] : []
            return try await counted(by: messages) { () throws(ActionError) in
                try await sendVerificationCode(to: number, for: purpose, fixed: testCode, by: settings, account: account)
            }
        }
    }

    private func reason(
        to number: PhoneNumber, for purpose: VerificationCode.Purpose
    ) async throws(ActionError) -> LimitedAttempt.TextMessageReason {
        let isKnown = try await accounts.knows(client.network, of: number, for: purpose, in: project.id)
        if case .secondFactor = purpose { return .secondFactor(inKnownNetwork: isKnown) }
        return isKnown ? .knownNetwork : .stranger
    }

    private func sendVerificationCode(
        to number: PhoneNumber, for purpose: VerificationCode.Purpose, fixed testCode: String?, by settings: TextMessageSettings,
        account: Account?
    ) async throws(ActionError) -> JSON {
        let isOfUse = try await accounts.letsIn(number, for: purpose, in: project.id)
        guard isOfUse || project.hidesAccounts else { throw .refused(.unsupportedFirstFactor, detail: Accounts.phoneIsSecondFactor) }
        let issued = try await accounts.issueVerificationCode(
            to: number, for: purpose, fixed: isOfUse ? testCode : nil, from: client.network, in: project.id)
        if testCode == nil, isOfUse {
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
