package import WebURL

/// A host of this server whose links phones open in the app, such as `links.example.com` or
/// `localhost:9000`.
package struct LinkDomain: Sendable, Hashable {
    /// `https://<authority>/__/auth/links`; http for loopback hosts only (L4).
    package let linksURL: WebURL

    /// Parses `host` or `host:port` of the configuration.
    package init(_ authority: String) throws(WebURL.ParseError) {
        guard !authority.unicodeScalars.contains(where: { $0 == "/" || $0 == "?" || $0 == "#" }) else { throw .hostCharacter }
        let secure = try WebURL("https://" + authority + AppLink.linksPath)
        linksURL = secure.host?.isLoopback == true ? try WebURL("http://" + authority + AppLink.linksPath) : secure
    }

    /// `host` or `host:port`, in canonical form.
    package var authority: String { String(linksURL.origin.drop { $0 != "/" }.dropFirst(2)) }

    /// Whether a URL has the origin of this domain.
    package func covers(_ url: WebURL) -> Bool { url.origin == linksURL.origin }
}
