public import Base

/// The settings that an app requests in addition to the action, exactly as requested.
/// `ApprovedSettings` contains those that the project allows.
///
/// Source: Firebase `ActionCodeSettings`, Identity Toolkit `GetOobCodeRequest`.
public struct ActionCodeSettings: Sendable, Hashable {
    /// The continue URL.
    public var url: String?
    public var iOSBundleID: String?
    public var iOSAppStoreID: String?
    public var androidPackageName: String?
    public var androidInstallIfNotAvailable = false
    /// Android's `versionCode`.
    public var androidMinimumVersion: String?
    /// If true, the mailed link opens the app first; if false, it opens the web page first, and
    /// *Continue* opens the app.
    public var handleCodeInApp = false
    /// The link domain, one of the project's; nil: the first.
    public var linkDomain: String?
    /// The link domain by its deprecated name, which has its own error code.
    public var dynamicLinkDomain: String?

    public init() {}

    /// Whether the settings name an app.
    public var namesAnApp: Bool { iOSBundleID != nil || androidPackageName != nil }
}

extension ActionCodeSettings {
    /// The settings as the row of a code stores them: an object of those that are set.
    public var json: JSON {
        .object([
            "url": .string(ifAny: url), "iOSBundleID": .string(ifAny: iOSBundleID), "iOSAppStoreID": .string(ifAny: iOSAppStoreID),
            "androidPackageName": .string(ifAny: androidPackageName),
            "androidInstallIfNotAvailable": androidInstallIfNotAvailable ? .bool(true) : nil,
            "androidMinimumVersion": .string(ifAny: androidMinimumVersion), "handleCodeInApp": handleCodeInApp ? .bool(true) : nil,
            "linkDomain": .string(ifAny: linkDomain), "dynamicLinkDomain": .string(ifAny: dynamicLinkDomain),
        ])
    }

    /// Reads what `json` wrote; nil for anything else.
    public init?(_ json: JSON) {
        guard case .object(let members) = json else { return nil }
        for member in members {
            switch (member.name, member.value) {
            case ("url", .string(let text)): url = text
            case ("iOSBundleID", .string(let text)): iOSBundleID = text
            case ("iOSAppStoreID", .string(let text)): iOSAppStoreID = text
            case ("androidPackageName", .string(let text)): androidPackageName = text
            case ("androidInstallIfNotAvailable", .bool(let value)): androidInstallIfNotAvailable = value
            case ("androidMinimumVersion", .string(let text)): androidMinimumVersion = text
            case ("handleCodeInApp", .bool(let value)): handleCodeInApp = value
            case ("linkDomain", .string(let text)): linkDomain = text
            case ("dynamicLinkDomain", .string(let text)): dynamicLinkDomain = text
            // Undo links had these until schema version 3.
            case ("restoresUnverifiedAddress", .bool), ("phoneNumberBefore", .string): break
            default: return nil
            }
        }
    }
}
