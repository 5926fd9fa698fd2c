/// The settings that an app requests in addition to the action, exactly as requested.
/// `ApprovedSettings` contains those that the project allows.
///
/// Source: Firebase `ActionCodeSettings`, Identity Toolkit `GetOobCodeRequest`.
package struct ActionCodeSettings: Sendable, Hashable, Codable {
    /// The continue URL.
    package var url: String?
    package var iOSBundleID: String?
    package var iOSAppStoreID: String?
    package var androidPackageName: String?
    package var androidInstallIfNotAvailable = false
    /// Android's `versionCode`.
    package var androidMinimumVersion: String?
    /// If true, the mailed link opens the app first; if false, it opens the web page first, and
    /// *Continue* opens the app.
    package var handleCodeInApp = false
    /// The link domain, one of the project's; nil: the first.
    package var linkDomain: String?
    /// The link domain by its deprecated name, which has its own error code.
    package var dynamicLinkDomain: String?

    package init() {}

    /// Whether the settings name an app.
    package var namesAnApp: Bool { iOSBundleID != nil || androidPackageName != nil }
}
