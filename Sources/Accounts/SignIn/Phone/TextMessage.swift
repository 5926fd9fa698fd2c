public import Base

/// A text message with a verification code.
public struct TextMessage: Sendable, Hashable {
    /// Names the message to its receiver, which may get it twice.
    public let id: String
    public let project: ProjectID
    public let number: PhoneNumber
    /// The sentence to send, in the user's language.
    public let text: String
    /// The BCP 47 tag of the text.
    public let language: String
    public let code: String
    /// The secret of the client that asked for the message, for the emulator's list of codes only.
    public let sessionInfo: String
    public let sentAt, expiresAt: Timestamp

    public init(_ issued: IssuedVerificationCode, id: String, text: String, language: String, in project: ProjectID, at moment: Timestamp) {
        self.id = id
        self.project = project
        self.text = text
        self.language = language
        (number, code, sessionInfo, expiresAt) = (issued.number, issued.code, issued.sessionInfo, issued.expiresAt)
        sentAt = moment
    }
}

/// Sends text messages.
public protocol TextMessageSender: Sendable {
    /// Hands a message over. Refuses `INVALID_PHONE_NUMBER` if the number cannot get messages.
    func send(_ message: TextMessage, by settings: TextMessageSettings) async throws(ActionError)
}

extension Records {
    /// Whether the code of a message can still be used, for the emulator's list of codes.
    public func isLive(_ message: TextMessage, by secrets: Secrets, at moment: Timestamp) throws(ActionError) -> Bool {
        guard let sent = try verificationCode(secrets.digest(ofSession: message.sessionInfo)) else { return false }
        return moment < sent.expiresAt && sent.wrongTries < VerificationCode.maxWrongTries
    }
}
