internal import Base

/// The URLs that an app link leads to, in the order of the table of devices.
extension AppLink {
    /// The link's page on the web, with the parameters of its campaign. An action link stays as it
    /// was mailed.
    var webURL: WebURL { carriesCode ? link : link.appending(query: analytics(of: Parameter.campaign)) }

    /// Whether the link has its own page for devices that are neither Android nor Apple. A link
    /// with a code has none: its code works on the page of the code only.
    var hasDesktopPage: Bool { elsewhere != nil && !carriesCode }
    var desktopURL: WebURL { hasDesktopPage ? elsewhere ?? webURL : webURL }

    /// The link as it is opened: in the form for its app, and without the wish for an explanation.
    func followed(in form: LinkForm) -> AppLink {
        var link = self
        link.form = form
        link.asksForExplanation = false
        return link
    }

    /// The URL that makes Chrome on Android open the link in an app, or else the fallback.
    ///
    /// Source: https://developer.chrome.com/docs/android/intents
    func intent(of package: String, in form: LinkForm, fallback: WebURL) -> String {
        let url = followed(in: form).url
        let scheme = url.scheme
        let target = url.serialized.dropFirst(scheme.utf8.count)
        return "intent" + target + "#Intent;scheme=\(scheme);package=\(package);S.browser_fallback_url="
            + WebURL.percentEncoded(fallback.serialized) + ";end"
    }

    /// The link on another host, which opens the app on iPhones that have it. For those without,
    /// it goes on to the store.
    ///
    /// - Parameter comesBack: whether to show the page again instead: for browsers inside of apps,
    ///   which do not open Universal Links even if the app is there, and for iPads that call
    ///   themselves Macs, which would be sent to the page for desktops.
    func universalLink(on domain: LinkDomain, in form: LinkForm, comesBack: Bool) -> WebURL {
        var link = followed(in: form)
        link.linkDomain = domain
        link.skipsPage = !comesBack
        return link.url
    }

    /// The link under a custom scheme of an app, as the SDK of Dynamic Links reads it.
    ///
    /// Source: firebase-ios-sdk, `FIRDynamicLinks`.
    func url(withScheme scheme: String) -> WebURL? {
        let items = [(name: "deep_link_id", value: link.serialized)] + (apple?.minimumVersion.map { [(name: "imv", value: $0)] } ?? [])
        return (try? WebURL(scheme + "://google/link"))?.appending(query: items)
    }
}
