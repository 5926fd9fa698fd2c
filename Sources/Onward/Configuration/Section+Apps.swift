import AppLinks
import Yams

extension Section {
    /// The registered apps: each is checked where it stands, and all of them together.
    func apps() -> RegisteredApps {
        let apple = value("apple") { value throws(Fault) in
            try value.list { item throws(Fault) in try item.section { app throws(Fault) in try app.appleApp() } }
        }
        let android = value("android") { value throws(Fault) in
            try value.list { item throws(Fault) in try item.section { app throws(Fault) in try app.androidApp() } }
        }
        do throws(BadApp) {
            return try RegisteredApps(apple: (apple ?? []).compactMap(\.self), android: (android ?? []).compactMap(\.self))
        } catch {
            note(error.explanation)
            return .none
        }
    }

    private func appleApp() throws(Fault) -> AppleApp? {
        let bundleID = required("bundleID", expecting: "the app's bundle id") { value throws(Fault) in try value.text() }
        let teamID = required("teamID", expecting: "the team id of Apple's developer account") { value throws(Fault) in try value.text() }
        let storeID = value("appStoreID") { value throws(Fault) in try value.text() }
        let schemes = value("customSchemes") { value throws(Fault) in
            try value.list { item throws(Fault) in try item.text() }
        }
        guard let bundleID, let teamID else { return nil }
        do throws(BadApp) {
            return try AppleApp(bundleID: bundleID, teamID: teamID, appStoreID: storeID, customSchemes: schemes ?? [])
        } catch { throw Fault(error.explanation) }
    }

    private func androidApp() throws(Fault) -> AndroidApp? {
        let name = required("packageName", expecting: "the app's package name") { value throws(Fault) in try value.text() }
        let prints = value("sha256Fingerprints") { value throws(Fault) in
            try value.list { item throws(Fault) in try item.text() }
        }
        guard let name else { return nil }
        do throws(BadApp) {
            return try AndroidApp(packageName: name, sha256Fingerprints: prints ?? [])
        } catch { throw Fault(error.explanation) }
    }
}
