public import Base

/// A code that was sent to a phone number by text message, until it is used or expires.
public struct VerificationCode: Sendable, Hashable {
    /// The use that a code was sent for. It works for no other.
    public enum Purpose: Sendable, Hashable {
        /// To sign in, or to link the number to an account.
        case signIn
        /// To enrol the number as a second factor of an account.
        case enrollment(AccountID)
        /// As a second factor of an account, once the first was proved.
        case secondFactor(AccountID, id: String)
    }

    /// The keyed hash of the `sessionInfo` that the client has.
    public let session: Digest
    public let project: ProjectID
    public let purpose: Purpose
    public let number: PhoneNumber
    /// The keyed hash of the code and its session.
    public let code: Digest
    public let expiresAt: Timestamp
    public let wrongTries: Int

    public init(
        session: Digest, project: ProjectID, purpose: Purpose, number: PhoneNumber, code: Digest, expiresAt: Timestamp, wrongTries: Int = 0
    ) {
        self.session = session
        self.project = project
        self.purpose = purpose
        self.number = number
        self.code = code
        self.expiresAt = expiresAt
        self.wrongTries = wrongTries
    }

    public static let digits = 6
    public static let lifetime = Duration.seconds(600)
    public static let maxWrongTries = 5
}

/// A code as the user typed it, with the `sessionInfo` that the client got when it was sent.
public struct TypedVerificationCode: Sendable, Hashable {
    let code: String
    let sessionInfo: String

    public init(_ code: String, sessionInfo: String) { (self.code, self.sessionInfo) = (code, sessionInfo) }
}

extension Secrets {
    /// The keyed hash under which the session of a code is stored.
    func digest(ofSession sessionInfo: String) -> Digest { digest(Array(sessionInfo.utf8), for: .verificationCode) }

    /// The keyed hash of a code, which differs in each session.
    func digest(of code: String, inSession sessionInfo: String) -> Digest {
        digest(Self.message(code, inSession: sessionInfo), for: .verificationCode)
    }

    /// Whether a digest is that of a code in its session. Compares in constant time.
    func recognizes(_ digest: Digest, of code: String, inSession sessionInfo: String) -> Bool {
        recognizes(digest.bytes, of: Self.message(code, inSession: sessionInfo), for: .verificationCode)
    }

    private static func message(_ code: String, inSession sessionInfo: String) -> [UInt8] { Array("\(sessionInfo) \(code)".utf8) }
}

extension Records {
    /// Spends a code if it is right; a wrong one takes one of its five tries. The caller counts the
    /// wrong codes of the number or of the account, too, so that a new code buys no more guesses.
    ///
    /// Refuses `INVALID_SESSION_INFO` for a session of another kind, and `SESSION_EXPIRED`.
    /// - Parameter sent: the code of the session, as it was read in this transaction.
    /// - Returns: whether the code is right. Of two callers at once, only one is told so.
    func spend(
        _ typed: TypedVerificationCode, of sent: VerificationCode, by secrets: Secrets, at moment: Timestamp
    ) throws(ActionError) -> Bool {
        guard moment < sent.expiresAt else { throw .refused(.sessionExpired) }
        guard sent.wrongTries < VerificationCode.maxWrongTries else {
            throw .refused(.sessionExpired, detail: "There were too many wrong codes. Ask for a new one")
        }
        let code = typed.code.typedDigits(VerificationCode.digits) ?? ""
        guard secrets.recognizes(sent.code, of: code, inSession: typed.sessionInfo) else {
            try countWrongTry(of: sent.session)
            return false
        }
        guard try deleteVerificationCode(sent.session) else { throw .refused(.sessionExpired) }
        return true
    }
}
