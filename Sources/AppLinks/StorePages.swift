internal import Base

/// The pages of registered apps in the stores of Google and Apple.
enum StorePages {
    /// The page of an app in the Play Store. The app reads the referrer after it was installed.
    ///
    /// Source: https://developer.android.com/google/play/installreferrer
    static func play(_ package: String, referrer: [(name: String, value: String)]) -> WebURL? {
        let text = referrer.map { WebURL.percentEncoded($0.name) + "=" + WebURL.percentEncoded($0.value) }.joined(separator: "&")
        let items = [(name: "id", value: package)] + (text.isEmpty ? [] : [(name: "referrer", value: text)])
        return (try? WebURL("https://play.google.com/store/apps/details"))?.appending(query: items)
    }

    /// The page of an app in the App Store, with the parameters of affiliates and campaigns.
    static func appStore(_ id: String, parameters: [(name: String, value: String)]) -> WebURL? {
        (try? WebURL("https://apps.apple.com/app/id" + id))?.appending(query: parameters)
    }
}

extension RegisteredApps {
    /// Whether a URL is the store page of one of these apps. Pages of other apps are refused:
    /// a stranger could recommend an app under the project's domain.
    func haveStorePage(_ url: WebURL) -> Bool {
        guard url.scheme == "https", url.port == nil else { return false }
        switch url.host?.serialized {
        case "play.google.com":
            let ids = url.queryItems.filter { $0.name == "id" }.map(\.value)
            return url.path == "/store/apps/details" && ids.count == 1 && ids.allSatisfy(knows(androidPackage:))
        case "apps.apple.com", "itunes.apple.com":
            guard let last = url.path.split(separator: "/").last, last.hasPrefix("id") else { return false }
            return knows(appStoreID: String(last.dropFirst(2)))
        default: return false
        }
    }
}
