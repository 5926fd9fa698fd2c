import AppLinks
import Base
import Testing

/// The versions of an Android app that a page sends to the Play Store.
@Suite struct `A minimum version` {
    private func decision(
        _ query: String, on device: LinkDevice = LinkDevice(.android), codes: [String: Int] = ["1.0": 100, "1.1": 110, "2.0": 200],
        payload: String = DecidingProject.payload
    ) throws -> LinkDecision {
        let apps = try RegisteredApps(
            apple: [AppleApp(bundleID: "com.example.ios", teamID: "ABCDE12345", appStoreID: "123")],
            android: [AndroidApp(packageName: "com.example.android", sha256Fingerprints: [], versionCodes: codes)])
        let domain = try LinkDomain("links.example.com")
        let text = "https://links.example.com/?link=" + WebURL.percentEncoded(payload) + "&apn=com.example.android&ibi=com.example.ios"
        let link = try AppLink(WebURL(text + query), on: [domain], apps: apps)
        return LinkDecision(ApprovedAppLink(link, apps: apps, domains: [domain]) { _, _ throws(Never) in }, on: device)
    }

    private func outdated(_ decision: LinkDecision) -> [String]? {
        guard case .page(let offer) = decision.reply else { return nil }
        return offer.outdated?.names
    }

    @Test(arguments: [
        ("&amv=111", ["1.0", "1.1"]), ("&amv=110", ["1.0"]), ("&amv=100", nil), ("&amv=0", nil), ("", nil),
        ("&amv=999999999999", ["1.0", "1.1", "2.0"]),
    ])
    func `names the versions below it`(query: String, names: [String]?) throws {
        let decision = try decision(query)
        #expect(outdated(decision) == names)
        #expect(
            decision.explanation.contains("Chrome leads to the store if the installed app is too old (amv): 1.0") == (names != nil))
    }

    /// `afl` is for devices without the app.
    @Test(arguments: ["", "&afl=https://a.example.com/"]) func `leads to the Play Store, whatever the link has for others`(more: String)
        throws
    {
        guard case .page(let offer) = try decision("&amv=110" + more).reply else { throw NoPage() }
        #expect(offer.outdated?.store.serialized.hasPrefix("https://play.google.com/store/apps/details?id=com.example.android&") == true)
        #expect((offer.store == nil) == (more != ""))
    }

    private struct NoPage: Error {}

    @Test func `names none without codes, without a store, for a link with a code, and on other devices`() throws {
        #expect(try outdated(decision("&amv=110", codes: [:])) == nil)
        for device in [LinkDevice(.android, isInApp: true), LinkDevice(.android, lacksPlay: true)] {
            for more in ["", "&afl=https://a.example.com/"] { #expect(try outdated(decision("&amv=110" + more, on: device)) == nil) }
        }
        #expect(try outdated(decision("&amv=110", payload: DecidingProject.action)) == nil)
        for (name, device) in LinkDevice.examples where device.kind != .android {
            #expect(try outdated(decision("&amv=110", on: device)) == nil, "\(name)")
        }
    }
}
