/// A text message with a verification code.
package struct TextMessage: Sendable, Hashable {
    /// Names the message to its receiver, which may get it twice.
    package let id: String
    package let project: ProjectID
    package let number: PhoneNumber
    /// The sentence to send, in the user's language.
    package let text: String
    /// The BCP 47 tag of the text.
    package let language: String
    package let code: String
    /// The secret of the client that asked for the message, for the emulator's list of codes only.
    package let sessionInfo: String
    package let sentAt, expiresAt: Timestamp

    package init(_ issued: IssuedVerificationCode, id: String, text: String, language: String, in project: ProjectID, at moment: Timestamp)
    {
        self.id = id
        self.project = project
        self.text = text
        self.language = language
        (number, code, sessionInfo, expiresAt) = (issued.number, issued.code, issued.sessionInfo, issued.expiresAt)
        sentAt = moment
    }
}

/// Sends text messages.
package protocol TextMessageSender: Sendable {
    /// Hands a message over. Refuses `INVALID_PHONE_NUMBER` if the number cannot get messages.
    func send(_ message: TextMessage, by settings: TextMessageSettings) async throws(ActionError)
}

extension AccountRecords {
    /// Whether the code of a message can still be used, for the emulator's list of codes.
    package func isLive(_ message: TextMessage, by secrets: Secrets, at moment: Timestamp) throws(ActionError) -> Bool {
        guard let sent = try verificationCode(secrets.digest(ofSession: message.sessionInfo)) else { return false }
        return moment < sent.expiresAt && sent.wrongTries < VerificationCode.maxWrongTries
    }
}
