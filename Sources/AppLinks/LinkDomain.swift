package import WebURL

/// A host of ours whose links phones open in the app, such as `links.example.com` or `localhost:9000`.
package struct LinkDomain: Sendable, Hashable {
    /// `https://<authority>/__/auth/links`, and http on this machine only (L4).
    package let linksURL: WebURL

    /// Reads `host` or `host:port` as it stands in the configuration; throws what is wrong with the host.
    package init(_ authority: String) throws(WebURL.Unreadable) {
        guard !authority.unicodeScalars.contains(where: { $0 == "/" || $0 == "?" || $0 == "#" }) else { throw .hostCharacter }
        let secure = try WebURL("https://" + authority + AppLink.linksPath)
        linksURL = secure.host?.isLoopback == true ? try WebURL("http://" + authority + AppLink.linksPath) : secure
    }

    /// `host`, with the port where it has one, as the configuration has it.
    package var authority: String { String(linksURL.origin.drop { $0 != "/" }.dropFirst(2)) }

    /// Whether a URL leads to this domain.
    package func covers(_ url: WebURL) -> Bool { url.origin == linksURL.origin }
}
