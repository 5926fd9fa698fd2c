import AppLinks
import Foundation
import Testing

@Suite struct `The association files` {
    static let fingerprint = Array(repeating: "ab", count: 32).joined(separator: ":")

    @Test func `list Apple apps in a stable order and exclude the action page`() throws {
        let apps = [
            try AppleApp(bundleID: "com.example.b", teamID: "ABCDE12345"), try AppleApp(bundleID: "com.example.a", teamID: "ABCDE12345"),
        ]
        let file = AssociationFiles.appleAppSiteAssociation(for: try RegisteredApps(apple: apps))
        #expect(file == AssociationFiles.appleAppSiteAssociation(for: try RegisteredApps(apple: apps.reversed())))
        #expect(
            file == #"{"applinks":{"apps":[],"details":["#
                + ["a", "b"].map { name in
                    #"{"appID":"ABCDE12345.com.example.\#(name)","appIDs":["ABCDE12345.com.example.\#(name)"],"#
                        + #""components":[{"/":"*","?":{"d":"1"},"exclude":true},{"/":"/__/auth/action*","exclude":true},{"/":"/__/auth/links","?":{"link":"?*"}},{"/":"/","?":{"link":"?*"}}],"#
                        + #""paths":["NOT /__/auth/action*","/__/auth/links","/"]}"#
                }.joined(separator: ",") + #"]},"webcredentials":{"apps":["ABCDE12345.com.example.a","ABCDE12345.com.example.b"]}}"#)
    }

    @Test func `list Android apps with their certificates`() throws {
        let apps = try RegisteredApps(android: [AndroidApp(packageName: "com.example.app_1", sha256Fingerprints: [Self.fingerprint])])
        #expect(
            AssociationFiles.assetLinks(for: apps)
                == #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","package_name":"com.example.app_1","sha256_cert_fingerprints":["\#(Self.fingerprint.uppercased())"]}}]"#
        )
    }

    /// A statement without a fingerprint is invalid and would make the file useless.
    @Test func `leave out Android apps without a fingerprint`() throws {
        let bare = try AndroidApp(packageName: "com.example.bare", sha256Fingerprints: [])
        let app = try AndroidApp(
            packageName: "com.example.app", sha256Fingerprints: [Self.fingerprint, Self.fingerprint.replacing("ab", with: "cd")])
        for use in AssociationFiles.Use.allCases {
            let file = AssociationFiles.assetLinks(for: try RegisteredApps(android: [bare, app]), use: use)
            #expect(file == AssociationFiles.assetLinks(for: try RegisteredApps(android: [app]), use: use))
            #expect(file.contains(Self.fingerprint.uppercased()) && file.contains("CD:CD"))
        }
    }

    @Test func `let apps share passwords on other hosts, and open no links there`() throws {
        let apps = try RegisteredApps(
            apple: [AppleApp(bundleID: "com.example.a", teamID: "ABCDE12345")],
            android: [AndroidApp(packageName: "com.example.app", sha256Fingerprints: [Self.fingerprint])])
        #expect(
            AssociationFiles.appleAppSiteAssociation(for: apps, use: .passwords)
                == #"{"webcredentials":{"apps":["ABCDE12345.com.example.a"]}}"#)
        let links = AssociationFiles.assetLinks(for: apps, use: .passwords)
        #expect(links.contains("delegate_permission/common.get_login_creds") && !links.contains("handle_all_urls"))
    }

    /// Apple's devices read at most 128 KB.
    @Test func `fit Apple's limit with as many apps as there may be`() throws {
        let name = String(repeating: "long-part.", count: 15)
        let apps = try (0..<RegisteredApps.maxCount).map { try AppleApp(bundleID: name + "n\($0)", teamID: "ABCDE12345") }
        #expect(AssociationFiles.appleAppSiteAssociation(for: try RegisteredApps(apple: apps)).utf8.count <= 128 << 10)
        let tooMany = apps + [try AppleApp(bundleID: "com.example.app", teamID: "ABCDE12345")]
        #expect(throws: InvalidApp.tooMany) { try RegisteredApps(apple: tooMany) }
    }

    @Test func `name to Chrome the apps whose versions are known`() throws {
        let apps = try RegisteredApps(android: [
            AndroidApp(packageName: "com.example.b", sha256Fingerprints: [], versionCodes: ["1.0": 1]),
            AndroidApp(packageName: "com.example.bare", sha256Fingerprints: []),
            AndroidApp(packageName: "com.example.a", sha256Fingerprints: [], versionCodes: ["1.0": 1]),
        ])
        #expect(
            AssociationFiles.manifest(for: apps)
                == #"{"related_applications":[{"platform":"play","id":"com.example.a"},{"platform":"play","id":"com.example.b"}]}"#)
        #expect(AssociationFiles.manifest(for: .none) == #"{"related_applications":[]}"#)
    }

    @Test func `are valid JSON without apps`() throws {
        let none = try RegisteredApps()
        #expect(AssociationFiles.assetLinks(for: none) == "[]")
        #expect(
            AssociationFiles.appleAppSiteAssociation(for: none) == #"{"applinks":{"apps":[],"details":[]},"webcredentials":{"apps":[]}}"#)
    }
}

@Suite struct `A registered app` {
    @Test(arguments: ["", "app", "com..app", "com.ex ample", "com.example\"", ".com.a", "com.äpp", "com.example.\u{212A}"])
    func `of Apple is refused with an invalid bundle id`(text: String) {
        #expect(throws: InvalidApp.bundleID(text)) { try AppleApp(bundleID: text, teamID: "ABCDE12345") }
    }

    @Test(arguments: ["", "abcde12345", "ABCDE1234", "ABCDE123456", "ABCDE1234\"", "\u{212A}BCDE12345"])
    func `of Apple is refused with an invalid team id`(text: String) {
        #expect(throws: InvalidApp.teamID(text)) { try AppleApp(bundleID: "com.example.app", teamID: text) }
    }

    @Test func `of Apple is refused with an invalid store id or scheme`() {
        #expect(throws: InvalidApp.appStoreID("id1")) { try AppleApp(bundleID: "a.b", teamID: "ABCDE12345", appStoreID: "id1") }
        for scheme in ["a://", "https", "javascript", "Com.example", ""] {
            #expect(throws: InvalidApp.customScheme(scheme)) {
                try AppleApp(bundleID: "a.b", teamID: "ABCDE12345", customSchemes: ["ok", scheme])
            }
        }
    }

    @Test(arguments: ["", "app", "1com.app", "com.1app", "com.example-app", "com.example."])
    func `of Android is refused with an invalid package name`(text: String) {
        #expect(throws: InvalidApp.packageName(text)) { try AndroidApp(packageName: text, sha256Fingerprints: []) }
    }

    @Test(arguments: ["", "ab", String(repeating: "ab", count: 32), Array(repeating: "ag", count: 32).joined(separator: ":")])
    func `of Android is refused with an invalid fingerprint`(text: String) {
        #expect(throws: InvalidApp.fingerprint(text)) { try AndroidApp(packageName: "a.b", sha256Fingerprints: [text]) }
    }

    @Test(arguments: ["", "1.0\n", "1.\u{660}", String(repeating: "1", count: 51)])
    func `of Android is refused with an invalid version name`(text: String) {
        #expect(throws: InvalidApp.versionName(text)) {
            try AndroidApp(packageName: "a.b", sha256Fingerprints: [], versionCodes: ["1.0 beta (3)": 1, text: 2])
        }
    }

    @Test func `of Android is refused with more versions than a page can name, or Chrome looks up`() throws {
        let codes = Dictionary(uniqueKeysWithValues: (0...AndroidApp.maxVersionCount).map { ("\($0)", $0) })
        #expect(throws: InvalidApp.tooManyVersions("a.b")) {
            try AndroidApp(packageName: "a.b", sha256Fingerprints: [], versionCodes: codes)
        }
        let apps = try (0...RegisteredApps.maxVersionedCount).map {
            try AndroidApp(packageName: "a.b\($0)", sha256Fingerprints: [], versionCodes: ["1": 1])
        }
        #expect(throws: InvalidApp.tooManyVersioned) { try RegisteredApps(android: apps) }
        #expect(try RegisteredApps(android: apps.dropLast()).android.count == RegisteredApps.maxVersionedCount)
    }

    @Test func `is refused if it is listed twice`() throws {
        let (apple, android) = (
            try AppleApp(bundleID: "a.b", teamID: "ABCDE12345", customSchemes: ["a.b"]),
            try AndroidApp(packageName: "a.b", sha256Fingerprints: [])
        )
        #expect(throws: InvalidApp.duplicate("a.b")) { try RegisteredApps(apple: [apple, apple]) }
        #expect(throws: InvalidApp.duplicate("a.b")) { try RegisteredApps(android: [android, android]) }
        #expect(try RegisteredApps(apple: [apple], android: [android]).customSchemes == ["a.b"])
    }
}
