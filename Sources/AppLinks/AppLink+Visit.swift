internal import Base

extension AppLink {
    /// The longest value of a parameter that is taken over from the URL of a short link.
    private static let maxVisitBytes = 500

    /// The link as a visitor opened its short link. It gets the parameters of analytics that were
    /// added to the short link's URL, unless it has them itself, and the wish for an explanation.
    /// Nothing else can be added.
    public func visited(with query: [(name: String, value: String)]) -> AppLink {
        let items = MailedQuery(ofAppLink: query).items
        func value(_ key: Parameter) -> String? { items.first { $0.name == key.rawValue }?.value }
        var link = self
        for key in Parameter.campaign + Parameter.appStore where link.analytics[key] == nil {
            guard let value = value(key), value.utf8.count <= Self.maxVisitBytes else { continue }
            link.analytics[key] = value
        }
        link.asksForExplanation = value(.d) == "1"
        return link
    }
}

extension AppLink {
    /// The text of a long link with these values, which have not been checked.
    /// - Parameter base: `https://`, the link domain and a path, if there is one.
    public static func text(on base: String, _ values: [(Parameter, String?)]) -> String {
        let items = values.compactMap { key, value in value.map { key.rawValue + "=" + WebURL.percentEncoded($0) } }
        return base + (base.hasSuffix("/") ? "?" : "/?") + items.joined(separator: "&")
    }
}
