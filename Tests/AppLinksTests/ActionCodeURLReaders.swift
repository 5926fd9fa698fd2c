import Foundation

/// The link parsers of Firebase's client libraries (firebase-js-sdk `ActionCodeURL`,
/// firebase-ios-sdk `ActionCodeURL`).
enum ActionCodeURLReaders {
    /// The JavaScript SDK: `ActionCodeURL.parseLink`, with its four ways to unwrap a link. Each
    /// decodes once and keeps `+`.
    static func javaScript(_ url: String) -> [String: String] {
        let outer = pairs(url)
        let deepLink = outer["deep_link_id"]
        let inner =
            deepLink.flatMap { pairs($0)["link"] } ?? deepLink ?? outer["link"].flatMap { pairs($0)["deep_link_id"] } ?? outer["link"]
            ?? url
        return pairs(inner)
    }

    /// The query from `?` to `#`, split before decoding. The last of equal names is used; `a=b=c`
    /// loses `c`.
    private static func pairs(_ url: String) -> [String: String] {
        guard let mark = url.firstIndex(of: "?") else { return [:] }
        return url[mark...].dropFirst().prefix { $0 != "#" }.split(separator: "&").reduce(into: [:]) { result, pair in
            let halves = pair.split(separator: "=", omittingEmptySubsequences: false).map { String($0).removingPercentEncoding ?? "" }
            result[halves[0]] = halves.count > 1 ? halves[1] : ""
        }
    }

    /// The Apple SDK: the query is decoded and then split, without unwrapping. The last of equal
    /// names is used.
    static func apple(_ url: String) -> [String: String] {
        let query = URLComponents(string: url)?.query ?? ""
        return query.split(separator: "&").reduce(into: [:]) { result, pair in
            let halves = pair.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            if halves.count >= 2 { result[halves[0]] = halves[1] }
        }
    }
}
