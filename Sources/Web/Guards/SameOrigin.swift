internal import Base
internal import HTTPTypes

/// Decides from the browser's header fields whether a page of ours sent a form (P1).
struct SameOrigin: Sendable {
    let origin: WebURL
    /// Whether every host that is served is ours as well, as in development.
    let acceptsEveryHost: Bool

    /// `Sec-Fetch-Site` decides if it was sent; an `Origin` that names another origin is refused.
    /// An `Origin` of `null` is not, because pages under `no-referrer` send it with their own
    /// forms. The form's token is required in every case.
    func accepts(_ request: Request) -> Bool {
        let fields = request.head.headerFields
        if let site = fields[.secFetchSite], site != "same-origin" { return false }
        guard let sender = fields[.origin], sender != "null" else { return true }
        if sender == origin.origin { return true }
        return acceptsEveryHost && request.isFromItsOwnHost
    }
}

extension Request {
    /// Whether `Origin` has the host and port that the request was sent to.
    var isFromItsOwnHost: Bool {
        guard let sender = head.headerFields[.origin], let url = try? WebURL(sender) else { return false }
        return url.authority == head.authority?.lowercased()
    }
}

extension WebURL {
    /// The host, with the port unless it is the scheme's default.
    fileprivate var authority: String { (host?.serialized ?? "") + (port.map { ":\($0)" } ?? "") }
}
