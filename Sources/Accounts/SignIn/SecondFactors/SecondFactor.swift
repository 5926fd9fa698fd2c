public import Base

/// A second factor that an account has enrolled.
public struct SecondFactor: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Codable { case phone, totp }
    public let id: String
    public let kind: Kind
    public var displayName: String?
    /// In E.164; only for `.phone`.
    public var phoneNumber: String?
    /// The key that the authenticator app has, sealed for `Secrets.KeyPurpose.secondFactor`; only
    /// for `.totp`.
    public let sealedKey: [UInt8]?
    public let enrolledAt: Timestamp

    public init(
        id: String, kind: Kind, displayName: String? = nil, phoneNumber: String? = nil, sealedKey: [UInt8]? = nil, enrolledAt: Timestamp
    ) {
        self.id = id
        self.kind = kind
        self.displayName = displayName
        self.phoneNumber = phoneNumber
        self.sealedKey = sealedKey
        self.enrolledAt = enrolledAt
    }

    /// The most second factors of an account. Source: Firebase.
    public static let maxPerAccount = 5

    /// Whether it proves more than the first factor did: the phone number that the user signed in
    /// with does not.
    func isOther(than first: SignInProvider, of account: Account) -> Bool {
        first != .phone || kind != .phone || phoneNumber != account.phoneNumber?.value
    }

    /// The name of the second factor on pages and in mails: its own name, or else its phone number.
    public var shownName: String? { displayName ?? phoneNumber }
}

/// The second factor that the user of a session proved, which every ID token of it names.
public struct ProvenSecondFactor: Sendable, Hashable {
    /// The raw value is `sign_in_second_factor` of ID tokens.
    public enum Method: String, Sendable {
        case phone, totp
        case recoveryCode = "recovery_code"
    }

    public let method: Method
    /// The id of the factor.
    public let id: String

    public init(_ method: Method, id: String) {
        self.method = method
        self.id = id
    }
}

/// The code that a user enters when a second factor is asked for. A recovery code may take the
/// place of either.
public enum SecondFactorCode: Sendable, Hashable {
    /// A code of an authenticator app.
    case app(String, factor: String)
    /// A code of a text message, whose session names the factor.
    case textMessage(TypedVerificationCode)

    var text: String {
        switch self {
        case .app(let text, _): text
        case .textMessage(let typed): typed.code
        }
    }

    var method: ProvenSecondFactor.Method {
        switch self {
        case .app: .totp
        case .textMessage: .phone
        }
    }
}
