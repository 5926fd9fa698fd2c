import Base

/// The apps of a project. Links may open only these, and association files name only these (R14).
public struct RegisteredApps: Sendable, Hashable {
    public let apple: [AppleApp]
    public let android: [AndroidApp]
    /// The form of the links that Onward builds, for apps that do not set their own.
    private let usualForm: AppLink.LinkForm
    /// Whether every app counts as registered, in development.
    private let admitsAny: Bool

    public static let none = RegisteredApps(admitsAny: false)
    /// Accepts every app with an id that an app may have, for `onward dev`.
    public static let any = RegisteredApps(admitsAny: true)

    private init(admitsAny: Bool) {
        apple = []
        android = []
        usualForm = .hosting
        self.admitsAny = admitsAny
    }

    /// The most apps of each kind. Apple's devices read no file of more than 128 KB.
    public static let maxCount = 100
    /// The most Android apps whose versions Chrome tells to one site. Source: Chromium,
    /// `InstalledAppProviderImpl`.
    public static let maxVersionedCount = 3

    /// Throws for an app that is listed twice, and for too many.
    public init(
        apple: [AppleApp] = [], android: [AndroidApp] = [], linkForm: AppLink.LinkForm = .hosting
    ) throws(InvalidApp) {
        for ids in [apple.map(\.bundleID), android.map(\.packageName)] {
            if let twice = Dictionary(grouping: ids, by: \.self).first(where: { $0.value.count > 1 })?.key { throw .duplicate(twice) }
        }
        guard max(apple.count, android.count) <= Self.maxCount else { throw .tooMany }
        guard android.count(where: { !$0.versionCodes.isEmpty }) <= Self.maxVersionedCount else { throw .tooManyVersioned }
        self.apple = apple
        self.android = android
        usualForm = linkForm
        admitsAny = false
    }

    /// The form of a link that names these apps. An app's own form is used unless the other app has
    /// a different one.
    public func linkForm(android packageName: String? = nil, apple bundleID: String? = nil) -> AppLink.LinkForm {
        let ofAndroid = packageName.flatMap { name in android.first { $0.packageName == name }?.linkForm }
        let ofApple = bundleID.flatMap { id in apple.first { $0.bundleID == id }?.linkForm }
        return ofAndroid == nil || ofApple == nil || ofAndroid == ofApple ? ofAndroid ?? ofApple ?? usualForm : usualForm
    }

    public var isEmpty: Bool { apple.isEmpty && android.isEmpty }
    public func knows(appleBundle id: String) -> Bool {
        admitsAny ? Self.isAdmitted(id) : apple.contains { $0.bundleID == id }
    }
    public func knows(appStoreID id: String, of bundleID: String) -> Bool {
        admitsAny ? AppleApp.isStoreID(id) : apple.contains { $0.bundleID == bundleID && $0.appStoreID == id }
    }
    func knows(appStoreID id: String) -> Bool { admitsAny ? AppleApp.isStoreID(id) : apple.contains { $0.appStoreID == id } }
    public func knows(customScheme scheme: String, of bundleID: String) -> Bool {
        admitsAny ? WebURL.isAppScheme(scheme) : apple.contains { $0.bundleID == bundleID && $0.customSchemes.contains(scheme) }
    }
    public func knows(androidPackage name: String) -> Bool {
        admitsAny ? Self.isAdmitted(name) : android.contains { $0.packageName == name }
    }

    /// The ids of tests may have no full stop.
    private static func isAdmitted(_ id: String) -> Bool {
        id.utf8.count <= 100 && id.isASCII(matching: #/[A-Za-z0-9_\-]+(\.[A-Za-z0-9_\-]+)*/#)
    }

    /// Whether a text could be the bundle id or the package name of some published app, and so be
    /// repeated on a page and in the log.
    public static func isPossibleID(_ text: String) -> Bool {
        text.utf8.count <= 100 && text.isASCII(matching: #/[A-Za-z0-9_\-]+(\.[A-Za-z0-9_\-]+)+/#)
    }

    /// The schemes that `AuthorizedDomains` allows so that a continue URL may open an app.
    public var customSchemes: [String] { apple.flatMap(\.customSchemes) }
}

public struct AppleApp: Sendable, Hashable {
    public let bundleID: String
    /// The team id of Apple's developer account: ten capital letters and digits.
    public let teamID: String
    /// The number in the app's App Store URL; nil: the app is not in the store.
    public let appStoreID: String?
    public let customSchemes: [String]
    /// The form of the app's links; nil: the project's.
    public let linkForm: AppLink.LinkForm?

    /// The app id in association files.
    public var appID: String { teamID + "." + bundleID }

    public init(
        bundleID: String, teamID: String, appStoreID: String? = nil, customSchemes: [String] = [], linkForm: AppLink.LinkForm? = nil
    ) throws(InvalidApp) {
        guard bundleID.isASCII(matching: #/[A-Za-z0-9\-]+(\.[A-Za-z0-9\-]+)+/#) else { throw .bundleID(bundleID) }
        guard teamID.isASCII(matching: #/[A-Z0-9]{10}/#) else { throw .teamID(teamID) }
        if let appStoreID, !Self.isStoreID(appStoreID) { throw .appStoreID(appStoreID) }
        if let scheme = customSchemes.first(where: { !WebURL.isAppScheme($0) }) { throw .customScheme(scheme) }
        self.bundleID = bundleID
        self.teamID = teamID
        self.appStoreID = appStoreID
        self.customSchemes = customSchemes
        self.linkForm = linkForm
    }

    static func isStoreID(_ text: String) -> Bool { text.isASCII(matching: #/[0-9]{1,20}/#) }
}

public struct AndroidApp: Sendable, Hashable {
    public let packageName: String
    /// The SHA-256 fingerprints of the upload and Play signing certificates, 32 bytes each in
    /// capital hexadecimal digits: `AB:CD:…`.
    public let sha256Fingerprints: [String]
    /// The `versionCode` of released versions by their `versionName`. Links have the codes, Chrome
    /// tells the names.
    public let versionCodes: [String: Int]
    /// The form of the app's links; nil: the project's.
    public let linkForm: AppLink.LinkForm?

    /// The most versions of an app. The page of a link names those that are too old for it.
    public static let maxVersionCount = 200

    public init(
        packageName: String, sha256Fingerprints: [String], versionCodes: [String: Int] = [:], linkForm: AppLink.LinkForm? = nil
    ) throws(InvalidApp) {
        guard packageName.isASCII(matching: #/[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+/#) else {
            throw .packageName(packageName)
        }
        for text in sha256Fingerprints where !text.isASCII(matching: #/[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}/#) {
            throw .fingerprint(text)
        }
        for name in versionCodes.keys where !name.isASCII(matching: #/[ -~]{1,50}/#) { throw .versionName(name) }
        guard versionCodes.count <= Self.maxVersionCount else { throw .tooManyVersions(packageName) }
        self.packageName = packageName
        self.sha256Fingerprints = sha256Fingerprints.map { $0.uppercased() }
        self.versionCodes = versionCodes
        self.linkForm = linkForm
    }
}

/// The reason why an app cannot be registered, with the text that is invalid.
public enum InvalidApp: Error, Sendable, Hashable {
    case bundleID(String), teamID(String), appStoreID(String), customScheme(String)
    case packageName(String), fingerprint(String), duplicate(String), tooMany
    case versionName(String), tooManyVersions(String), tooManyVersioned

    public var explanation: String {
        switch self {
        case .bundleID(let text): "\"\(text)\" is not a bundle id such as com.example.app."
        case .teamID(let text): "\"\(text)\" is not a team id: ten capital letters and digits."
        case .appStoreID(let text): "\"\(text)\" is not an App Store id: digits only."
        case .customScheme(let text): "\"\(text)\" is not a custom scheme such as com.example.app, in lower case and without ://."
        case .packageName(let text): "\"\(text)\" is not an Android package name such as com.example.app."
        case .fingerprint(let text): "\"\(text)\" is not a SHA-256 fingerprint: 32 bytes in hexadecimal with colons."
        case .duplicate(let text): "The app \"\(text)\" is registered twice."
        case .versionName(let text): "\"\(text)\" is not a version name: 1 to 50 ASCII characters."
        case .tooManyVersions(let name):
            "\(name) has more than \(AndroidApp.maxVersionCount) version codes; leave out versions that no link refuses."
        case .tooManyVersioned:
            "More than \(RegisteredApps.maxVersionedCount) Android apps have version codes; Chrome looks no more up for one site."
        case .tooMany: "More than \(RegisteredApps.maxCount) apps of one kind are registered; give some of them a project of their own."
        }
    }
}

extension String {
    /// Whether the text is ASCII and matches entirely. Without the first check, a regex would
    /// accept Unicode equivalents such as the Kelvin sign for a K.
    fileprivate func isASCII(matching pattern: Regex<some Any>) -> Bool { utf8.allSatisfy { $0 < 0x80 } && wholeMatch(of: pattern) != nil }
}
