import AppLinks
import Foundation
import Testing

@Suite struct `The association files` {
    static let fingerprint = Array(repeating: "ab", count: 32).joined(separator: ":")

    @Test func `name Apple's apps in a stable order and leave out the action page`() throws {
        let apps = [
            try AppleApp(bundleID: "com.example.b", teamID: "ABCDE12345"), try AppleApp(bundleID: "com.example.a", teamID: "ABCDE12345"),
        ]
        let file = AssociationFiles.appleAppSiteAssociation(for: try RegisteredApps(apple: apps))
        #expect(file == AssociationFiles.appleAppSiteAssociation(for: try RegisteredApps(apple: apps.reversed())))
        #expect(
            file == #"{"applinks":{"apps":[],"details":["#
                + ["a", "b"].map { name in
                    #"{"appID":"ABCDE12345.com.example.\#(name)","appIDs":["ABCDE12345.com.example.\#(name)"],"#
                        + #""components":[{"/":"/__/auth/action*","exclude":true},{"/":"/__/auth/links","?":{"link":"?*"}},{"/":"/","?":{"link":"?*"}}],"#
                        + #""paths":["NOT /__/auth/action*","/__/auth/links","/"]}"#
                }.joined(separator: ",") + #"]},"webcredentials":{"apps":["ABCDE12345.com.example.a","ABCDE12345.com.example.b"]}}"#)
    }

    @Test func `name Android's apps with their certificates`() throws {
        let apps = try RegisteredApps(android: [AndroidApp(packageName: "com.example.app_1", sha256Fingerprints: [Self.fingerprint])])
        #expect(
            AssociationFiles.assetLinks(for: apps)
                == #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","package_name":"com.example.app_1","sha256_cert_fingerprints":["\#(Self.fingerprint.uppercased())"]}}]"#
        )
    }

    @Test func `are JSON with no apps, too`() throws {
        let none = try RegisteredApps()
        #expect(AssociationFiles.assetLinks(for: none) == "[]")
        #expect(
            AssociationFiles.appleAppSiteAssociation(for: none) == #"{"applinks":{"apps":[],"details":[]},"webcredentials":{"apps":[]}}"#)
    }
}

@Suite struct `A registered app` {
    @Test(arguments: ["", "app", "com..app", "com.ex ample", "com.example\"", ".com.a", "com.äpp", "com.example.\u{212A}"])
    func `of Apple has a bundle id`(text: String) {
        #expect(throws: BadApp.bundleID(text)) { try AppleApp(bundleID: text, teamID: "ABCDE12345") }
    }

    @Test(arguments: ["", "abcde12345", "ABCDE1234", "ABCDE123456", "ABCDE1234\"", "\u{212A}BCDE12345"])
    func `of Apple has a team id`(text: String) {
        #expect(throws: BadApp.teamID(text)) { try AppleApp(bundleID: "com.example.app", teamID: text) }
    }

    @Test func `of Apple has a store id of digits and schemes without slashes`() {
        #expect(throws: BadApp.appStoreID("id1")) { try AppleApp(bundleID: "a.b", teamID: "ABCDE12345", appStoreID: "id1") }
        for scheme in ["a://", "https", "javascript", "Com.example", ""] {
            #expect(throws: BadApp.customScheme(scheme)) {
                try AppleApp(bundleID: "a.b", teamID: "ABCDE12345", customSchemes: ["ok", scheme])
            }
        }
    }

    @Test(arguments: ["", "app", "1com.app", "com.1app", "com.example-app", "com.example."])
    func `of Android has a package name`(text: String) {
        #expect(throws: BadApp.packageName(text)) { try AndroidApp(packageName: text, sha256Fingerprints: []) }
    }

    @Test(arguments: ["", "ab", String(repeating: "ab", count: 32), Array(repeating: "ag", count: 32).joined(separator: ":")])
    func `of Android has SHA-256 fingerprints`(text: String) {
        #expect(throws: BadApp.fingerprint(text)) { try AndroidApp(packageName: "a.b", sha256Fingerprints: [text]) }
    }

    @Test func `is there once`() throws {
        let (apple, android) = (
            try AppleApp(bundleID: "a.b", teamID: "ABCDE12345", customSchemes: ["a.b"]),
            try AndroidApp(packageName: "a.b", sha256Fingerprints: [])
        )
        #expect(throws: BadApp.repeated("a.b")) { try RegisteredApps(apple: [apple, apple]) }
        #expect(throws: BadApp.repeated("a.b")) { try RegisteredApps(android: [android, android]) }
        #expect(try RegisteredApps(apple: [apple], android: [android]).customSchemes == ["a.b"])
    }
}
