public import Base

/// The way of a device that does not have the app.
public enum WithoutApp: Sendable, Hashable {
    /// The URL that the link has for this case.
    case fallback(AppLink.Parameter, WebURL)
    case store(WebURL)
    /// The link's page on the web.
    case web(WebURL, because: NoStore)

    public enum NoStore: Error, Sendable, Hashable {
        /// The link carries a code, which goes through no store.
        case carriesCode
        /// The browser is part of an app, or the device has no Play Store.
        case noPlay
        /// The app has no App Store id.
        case notInStore
    }

    init(_ link: AppLink, fallback: (parameter: AppLink.Parameter, url: WebURL)?, store: Result<WebURL, NoStore>) {
        switch (fallback, store) {
        // Its page works everywhere, and the mail has no other link.
        case _ where link.carriesCode: self = .web(link.webURL, because: .carriesCode)
        case (let fallback?, _): self = .fallback(fallback.parameter, fallback.url)
        case (nil, .success(let page)): self = .store(page)
        case (nil, .failure(let reason)): self = .web(link.webURL, because: reason)
        }
    }

    public var url: WebURL {
        switch self {
        case .fallback(_, let url), .store(let url), .web(let url, _): url
        }
    }

    /// The store's page, if the device goes there.
    var store: WebURL? {
        if case .store(let page) = self { page } else { nil }
    }

    /// The page on the web that is offered beside the app and the store.
    func web(of link: AppLink) -> WebURL {
        if case .store = self { link.webURL } else { url }
    }
}
