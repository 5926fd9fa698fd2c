package import WebURL

/// Why a URL is not one that links of ours may start with.
package struct InsecureURL: Error, Sendable {
    package let sentence: String
}

extension WebURL {
    /// Reads https, or http that stays on this machine (L4). The host may be any: a team may have a handler of its own, and whoever may
    /// set it can make links for every account anyway.
    package init(secure text: String) throws(InsecureURL) {
        let url: WebURL
        do throws(ParseError) { url = try WebURL(text) } catch { throw InsecureURL(sentence: "expected a URL. \(error.explanation)") }
        guard url.scheme == "https" || url.scheme == "http" && url.host?.isLoopback == true else {
            throw InsecureURL(sentence: "expected https://; plain http is for localhost only")
        }
        self = url
    }
}
