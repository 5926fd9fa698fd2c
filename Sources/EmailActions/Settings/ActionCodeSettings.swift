/// What an app asks for beside the action itself, exactly as asked; `ApprovedSettings` is what the project allows of it.
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
    /// True: the mailed link opens the app first; false: the web page first, the app on *Continue*.
    package var handleCodeInApp = false
    /// Which of the project's link domains; nil: the first.
    package var linkDomain: String?
    /// The same by its old name; it has an error of its own.
    package var dynamicLinkDomain: String?

    package init() {}

    /// Whether an app is named at all.
    package var namesAnApp: Bool { iOSBundleID != nil || androidPackageName != nil }
}
