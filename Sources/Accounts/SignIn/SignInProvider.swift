/// The way a user signed in.
public enum SignInProvider: RawRepresentable, Sendable, Hashable {
    case password, phone, anonymous, custom
    /// An identity provider, by Firebase's id.
    case provider(String)

    /// Whether a sign-in this way needs no address, so that the account has an owner without one.
    var needsNoAddress: Bool { self == .phone || self == .custom }

    /// Nil for an id of no provider.
    public init?(rawValue: String) {
        switch rawValue {
        case "password": self = .password
        case "phone": self = .phone
        case "anonymous": self = .anonymous
        case "custom": self = .custom
        default:
            guard (1...128).contains(rawValue.unicodeScalars.count) else { return nil }
            self = .provider(rawValue)
        }
    }

    /// The way as ID tokens and the store spell it.
    public var rawValue: String {
        switch self {
        case .password: "password"
        case .phone: "phone"
        case .anonymous: "anonymous"
        case .custom: "custom"
        case .provider(let id): id
        }
    }
}
