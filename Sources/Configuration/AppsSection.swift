import AppLinks

/// The registered apps of a project.
struct AppsSection: Section {
    var linkForm = AppLink.LinkForm.hosting
    var apple: [AppleApp] = []
    var android: [AndroidApp] = []

    static var keys: [ConfigurationKey<Self>] {
        "The form of the links that Onward builds: hosting (https://<link domain>/__/auth/links?link=…) or dynamicLinks (https://<link"
        "domain>/?link=…), whichever your released apps parse. An app may have its own linkForm."
        ConfigurationKey("linkForm", \.linkForm, .choice)
        ConfigurationKey("apple", \.apple, .list(.section(AppleAppSection.self)))
        ConfigurationKey("android", \.android, .list(.section(AndroidAppSection.self)))
    }

    func value(in setting: Setting) throws -> RegisteredApps? {
        try RegisteredApps(apple: apple, android: android, linkForm: linkForm)
    }
}

private struct AppleAppSection: Section {
    var bundleID, teamID, appStoreID: String?
    var customSchemes: [String] = []
    var linkForm: AppLink.LinkForm?

    static var keys: [ConfigurationKey<Self>] {
        "Bundle id, team id (ten capital letters and digits), the digits of the app's address in the App Store, and custom URL schemes in"
        "lower case. The last two are optional."
        ConfigurationKey("bundleID", \.bundleID, .text).required("the app's bundle id").shown("com.example.app")
        ConfigurationKey("teamID", \.teamID, .text).required("the team id of Apple's developer account").shown("ABCDE12345")
        ConfigurationKey("appStoreID", \.appStoreID, .text).shown("123456789")
        ConfigurationKey("customSchemes", \.customSchemes, .list(.text)).shown("[com.example.app]")
        ConfigurationKey("linkForm", \.linkForm, .choice)
    }

    func value(in setting: Setting) throws -> AppleApp? {
        guard let bundleID, let teamID else { return nil }
        return try AppleApp(
            bundleID: bundleID, teamID: teamID, appStoreID: appStoreID, customSchemes: customSchemes, linkForm: linkForm)
    }
}

private struct AndroidAppSection: Section {
    var packageName: String?
    var sha256Fingerprints: [String] = []
    var versionCodes: [String: Int] = [:]
    var linkForm: AppLink.LinkForm?

    static var keys: [ConfigurationKey<Self>] {
        "Package name, and SHA-256 fingerprints of the signing certificates: Play's, and yours for the builds that you sign. Without one,"
        "Android does not open links in the app by itself."
        ConfigurationKey("packageName", \.packageName, .text).required("the app's package name").shown("com.example.app")
        ConfigurationKey("sha256Fingerprints", \.sha256Fingerprints, .list(.text))
            .shown(#"["00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF"]"#)
        "The codes of released versions by their names, for links with a minimum version (amv): Chrome tells the name of the installed"
        "one (Docs/AppLinks.md). At most three apps may have them."
        ConfigurationKey("versionCodes", \.versionCodes, .entries(.count(1...2_100_000_000))).example(#"{"1.0": 100, "1.1": 110}"#)
        ConfigurationKey("linkForm", \.linkForm, .choice)
    }

    func value(in setting: Setting) throws -> AndroidApp? {
        guard let packageName else { return nil }
        return try AndroidApp(
            packageName: packageName, sha256Fingerprints: sha256Fingerprints, versionCodes: versionCodes, linkForm: linkForm)
    }
}
