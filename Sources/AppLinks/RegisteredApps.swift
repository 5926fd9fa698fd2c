import WebURL

/// The project's apps: the only ones that links may open and association files name (R14).
package struct RegisteredApps: Sendable, Hashable {
    package let apple: [AppleApp]
    package let android: [AndroidApp]
    /// In development: every app counts as registered.
    private let admitsAny: Bool

    package static let none = RegisteredApps(admitsAny: false)
    /// For `onward dev`, where the app under test is whichever one connects.
    package static let any = RegisteredApps(admitsAny: true)

    private init(admitsAny: Bool) {
        apple = []
        android = []
        self.admitsAny = admitsAny
    }

    /// Throws for an app that is named twice.
    package init(apple: [AppleApp] = [], android: [AndroidApp] = []) throws(BadApp) {
        for ids in [apple.map(\.bundleID), android.map(\.packageName)] {
            if let twice = Dictionary(grouping: ids, by: \.self).first(where: { $0.value.count > 1 })?.key { throw .repeated(twice) }
        }
        self.apple = apple
        self.android = android
        admitsAny = false
    }

    package var isEmpty: Bool { apple.isEmpty && android.isEmpty }
    package func knows(appleBundle id: String) -> Bool { admitsAny || apple.contains { $0.bundleID == id } }
    package func knows(appStoreID id: String, of bundleID: String) -> Bool {
        admitsAny || apple.contains { $0.bundleID == bundleID && $0.appStoreID == id }
    }
    package func knows(androidPackage name: String) -> Bool { admitsAny || android.contains { $0.packageName == name } }

    /// What `AuthorizedDomains` has to admit so that a continue URL may open an app.
    package var customSchemes: [String] { apple.flatMap(\.customSchemes) }
}

package struct AppleApp: Sendable, Hashable {
    package let bundleID: String
    /// Ten capital letters and digits, from Apple's developer account.
    package let teamID: String
    /// Digits, as in the app's address in the App Store; nil: not in the store.
    package let appStoreID: String?
    package let customSchemes: [String]

    /// How association files name the app.
    package var appID: String { teamID + "." + bundleID }

    package init(bundleID: String, teamID: String, appStoreID: String? = nil, customSchemes: [String] = []) throws(BadApp) {
        guard bundleID.isPlain(#/[A-Za-z0-9\-]+(\.[A-Za-z0-9\-]+)+/#) else { throw .bundleID(bundleID) }
        guard teamID.isPlain(#/[A-Z0-9]{10}/#) else { throw .teamID(teamID) }
        if let appStoreID, !appStoreID.isPlain(#/[0-9]{1,20}/#) { throw .appStoreID(appStoreID) }
        if let scheme = customSchemes.first(where: { !WebURL.isAppScheme($0) }) { throw .customScheme(scheme) }
        self.bundleID = bundleID
        self.teamID = teamID
        self.appStoreID = appStoreID
        self.customSchemes = customSchemes
    }
}

package struct AndroidApp: Sendable, Hashable {
    package let packageName: String
    /// Of the signing certificates, upload's and Play's: 32 bytes each, `AB:CD:…` in capitals.
    package let sha256Fingerprints: [String]

    package init(packageName: String, sha256Fingerprints: [String]) throws(BadApp) {
        guard packageName.isPlain(#/[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+/#) else {
            throw .packageName(packageName)
        }
        for text in sha256Fingerprints where !text.isPlain(#/[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}/#) {
            throw .fingerprint(text)
        }
        self.packageName = packageName
        self.sha256Fingerprints = sha256Fingerprints.map { $0.uppercased() }
    }
}

/// A registered app that cannot be one: with the text at fault.
package enum BadApp: Error, Sendable, Hashable {
    case bundleID(String), teamID(String), appStoreID(String), customScheme(String), packageName(String), fingerprint(String), repeated(
        String)

    package var explanation: String {
        switch self {
        case .bundleID(let text): "\"\(text)\" is not a bundle id such as com.example.app."
        case .teamID(let text): "\"\(text)\" is not a team id: ten capital letters and digits."
        case .appStoreID(let text): "\"\(text)\" is not an App Store id: digits only."
        case .customScheme(let text): "\"\(text)\" is not a custom scheme such as com.example.app, in lower case and without ://."
        case .packageName(let text): "\"\(text)\" is not an Android package name such as com.example.app."
        case .fingerprint(let text): "\"\(text)\" is not a SHA-256 fingerprint: 32 bytes in hexadecimal with colons."
        case .repeated(let text): "The app \"\(text)\" is registered twice."
        }
    }
}

extension String {
    /// A whole match that Unicode cannot stretch: to a regex, the Kelvin sign equals a K.
    fileprivate func isPlain(_ pattern: Regex<some Any>) -> Bool { utf8.allSatisfy { $0 < 0x80 } && wholeMatch(of: pattern) != nil }
}
