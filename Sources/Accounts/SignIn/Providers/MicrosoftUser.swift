/// A user of Microsoft: the object in a directory, which is the same in every app. `sub` is another
/// for each registration of an app. Source: Microsoft `ID token claims reference`, `oid` and `tid`.
public struct MicrosoftUser: Sendable, Hashable {
    public static let provider = "microsoft.com"
    /// The directory of personal accounts.
    public static let personalAccounts = "9188040d-6c67-4c5b-b112-36a304b66dad"
    /// The GUID of a personal account begins so, and Firebase leaves that out.
    private static let personalPrefix = "00000000-0000-0000-"

    private let object: String
    /// Nil for a user of whom Firebase told, which knows users of organisations by the object only.
    private let directory: String?

    /// Nil if one of the two is not a GUID.
    /// - Parameters:
    ///   - object: the claim `oid`.
    ///   - directory: the claim `tid`.
    public init?(object: String, directory: String) {
        guard let object = Self.guid(object), let directory = Self.guid(directory) else { return nil }
        (self.object, self.directory) = (object, directory)
    }

    /// The user that an API of Firebase names by `rawId`. Nil for any other text, such as a `sub`.
    public init?(wireID: String) {
        if let object = Self.guid(wireID) {
            (self.object, directory) = (object, nil)
        } else {
            let digits = wireID.lowercased()
            guard let object = Self.guid("\(Self.personalPrefix)\(digits.prefix(4))-\(digits.dropFirst(4))") else { return nil }
            (self.object, directory) = (object, Self.personalAccounts)
        }
    }

    /// The user of a stored link. Nil for a link by `sub`.
    public init?(rawID: String) {
        let parts = rawID.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        switch parts.count {
        case 1: self.init(wireID: rawID)
        case 2: self.init(object: parts[0], directory: parts[1])
        default: return nil
        }
    }

    /// The id of a stored link: `oid@tid`, or `oid` until the user has signed in.
    public var rawID: String { directory.map { "\(object)@\($0)" } ?? object }

    /// Firebase's `rawId`: the object's id in Microsoft Graph. It is a GUID, or the sixteen
    /// hexadecimal digits of a personal account.
    public var wireID: String {
        guard directory == Self.personalAccounts, object.hasPrefix(Self.personalPrefix) else { return object }
        return String(object.dropFirst(Self.personalPrefix.count)).replacing("-", with: "")
    }

    /// The GUID in lower case; nil for any other text.
    private static func guid(_ text: String) -> String? {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], groups.joined().utf8.allSatisfy(isHexadecimal) else { return nil }
        return text.lowercased()
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}

extension LinkedProvider {
    /// The provider's id of the user as Firebase's API has it.
    public var wireID: String {
        guard provider == MicrosoftUser.provider else { return rawID }
        return MicrosoftUser(rawID: rawID)?.wireID ?? rawID
    }

    /// The stored id of the user whom Firebase's API calls `wireID`.
    public static func rawID(ofWireID wireID: String, at provider: String) -> String {
        guard provider == MicrosoftUser.provider else { return wireID }
        return MicrosoftUser(wireID: wireID)?.rawID ?? wireID
    }
}
