public import Base

/// The error for a URL that Onward's links may not start with.
public struct InsecureURL: Error, Sendable {
    public let sentence: String
}

extension WebURL {
    /// Reads an https URL, or an http URL on this machine (L4). Every host is allowed: a project
    /// may have its own handler, and an admin who can change it can create links for every account
    /// anyway.
    public init(secure text: String) throws(InsecureURL) {
        let url: WebURL
        do throws(ParseError) { url = try WebURL(text) } catch { throw InsecureURL(sentence: "expected a URL. \(error.explanation)") }
        guard url.scheme == "https" || url.scheme == "http" && url.host?.isLoopback == true else {
            throw InsecureURL(sentence: "expected https://; plain http is for localhost only")
        }
        self = url
    }
}
