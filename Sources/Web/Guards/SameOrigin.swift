internal import HTTPTypes
internal import WebURL

extension Site {
    /// Whether a form was sent by a page of ours, as far as the browser says so (P1). `Sec-Fetch-Site` decides where it is sent; an
    /// `Origin` that names another origin is refused; `null` alone is not, because pages under `no-referrer` send just that with
    /// their own forms. The page's token is asked for in every case.
    func isFromOurOwnPage(_ request: Request) -> Bool {
        let fields = request.head.headerFields
        if let site = fields[.secFetchSite], site != "same-origin" { return false }
        guard let sender = fields[.origin], sender != "null" else { return true }
        if sender == origin.origin { return true }
        guard mode.isDevelopment, let url = try? WebURL(sender) else { return false }
        return url.host?.isLoopback == true && request.head.authority?.lowercased() == url.authority
    }
}

extension WebURL {
    /// `host`, with the port where it is not the scheme's own.
    fileprivate var authority: String { (host?.serialized ?? "") + (port.map { ":\($0)" } ?? "") }
}
