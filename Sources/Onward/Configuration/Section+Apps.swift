import AppLinks
import Yams

extension Section {
    /// The registered apps, each checked at its position in the file, then all together.
    func apps() -> RegisteredApps {
        let form = linkForm()
        let apple = value("apple") { value throws(SettingError) in
            try value.list { item throws(SettingError) in try item.section { app throws(SettingError) in try app.appleApp() } }
        }
        let android = value("android") { value throws(SettingError) in
            try value.list { item throws(SettingError) in try item.section { app throws(SettingError) in try app.androidApp() } }
        }
        do throws(InvalidApp) {
            return try RegisteredApps(
                apple: (apple ?? []).compactMap(\.self), android: (android ?? []).compactMap(\.self), linkForm: form ?? .hosting)
        } catch {
            note(error.explanation)
            return .none
        }
    }

    private func appleApp() throws(SettingError) -> AppleApp? {
        let bundleID = required("bundleID", expecting: "the app's bundle id") { value throws(SettingError) in try value.text() }
        let teamID = required("teamID", expecting: "the team id of Apple's developer account") { value throws(SettingError) in
            try value.text()
        }
        let storeID = value("appStoreID") { value throws(SettingError) in try value.text() }
        let schemes = value("customSchemes") { value throws(SettingError) in
            try value.list { item throws(SettingError) in try item.text() }
        }
        let form = linkForm()
        guard let bundleID, let teamID else { return nil }
        do throws(InvalidApp) {
            return try AppleApp(
                bundleID: bundleID, teamID: teamID, appStoreID: storeID, customSchemes: schemes ?? [], linkForm: form)
        } catch { throw SettingError(error.explanation) }
    }

    private func androidApp() throws(SettingError) -> AndroidApp? {
        let name = required("packageName", expecting: "the app's package name") { value throws(SettingError) in try value.text() }
        let prints = value("sha256Fingerprints") { value throws(SettingError) in
            try value.list { item throws(SettingError) in try item.text() }
        }
        let codes = value("versionCodes") { value throws(SettingError) in try value.counts(in: 1...2_100_000_000) }
        let form = linkForm()
        guard let name else { return nil }
        do throws(InvalidApp) {
            return try AndroidApp(packageName: name, sha256Fingerprints: prints ?? [], versionCodes: codes ?? [:], linkForm: form)
        } catch { throw SettingError(error.explanation) }
    }

    /// The form of links, of all apps or of one.
    private func linkForm() -> AppLink.LinkForm? {
        value("linkForm") { value throws(SettingError) in try value.choice(of: AppLink.LinkForm.self) }
    }
}
