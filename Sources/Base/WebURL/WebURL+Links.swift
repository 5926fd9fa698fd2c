/// Links as they arrive, read without refusing what browsers, mail programs and sentences do to
/// them.
extension WebURL {
    /// Splits a link whose query may contain anything. Only its page has to be well-formed: a
    /// malformed escape in a parameter is a part of its value. The fragment is left out.
    /// - Returns: The URL without its query, and the parameters, decoded like `queryItems`.
    public static func split(link text: String) throws(ParseError) -> (page: WebURL, query: [(name: String, value: String)]) {
        guard text.utf8.count <= maxBytes else { throw .tooLong }
        let link = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        let page = link.prefix { $0 != UInt8(ascii: "?") }
        let query = link[page.endIndex...].dropFirst()
        return (try WebURL(String(Substring(page))), formItems(in: String(Substring(query))))
    }

    /// The name of a parameter after an ampersand that a mail program escaped for HTML, or twice
    /// (L6).
    public static func unescapedName(_ name: String) -> String {
        var rest = name[...]
        while rest.utf8.starts(with: "amp;".utf8) { rest = rest.dropFirst(4) }
        return String(rest)
    }
}
