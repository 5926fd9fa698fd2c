import Foundation

/// How Firebase's client libraries read the link that they are handed, after `shared/wire/clients.md`, 1.4 and 2.
enum ActionCodeURLReaders {
    /// The JavaScript SDK: `ActionCodeURL.parseLink`, with its four ways to unwrap; one decoding each, `+` stays.
    static func javaScript(_ url: String) -> [String: String] {
        let outer = pairs(url)
        let deepLink = outer["deep_link_id"]
        let inner =
            deepLink.flatMap { pairs($0)["link"] } ?? deepLink ?? outer["link"].flatMap { pairs($0)["deep_link_id"] } ?? outer["link"]
            ?? url
        return pairs(inner)
    }

    /// The query at `?` up to `#`, split before it is decoded; of equal names the last wins, of `a=b=c` the `c` is lost.
    private static func pairs(_ url: String) -> [String: String] {
        guard let mark = url.firstIndex(of: "?") else { return [:] }
        return url[mark...].dropFirst().prefix { $0 != "#" }.split(separator: "&").reduce(into: [:]) { result, pair in
            let halves = pair.split(separator: "=", omittingEmptySubsequences: false).map { String($0).removingPercentEncoding ?? "" }
            result[halves[0]] = halves.count > 1 ? halves[1] : ""
        }
    }

    /// The Apple SDK: no unwrapping; the query is decoded first and split then, and of equal names the last wins.
    static func apple(_ url: String) -> [String: String] {
        let query = URLComponents(string: url)?.query ?? ""
        return query.split(separator: "&").reduce(into: [:]) { result, pair in
            let halves = pair.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            if halves.count >= 2 { result[halves[0]] = halves[1] }
        }
    }
}
