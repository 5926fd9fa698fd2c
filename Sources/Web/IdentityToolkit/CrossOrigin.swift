internal import HTTPTypes

extension Response {
    /// Lets pages of every origin read the response and send the headers that they ask for. No
    /// caller is recognised by a cookie, so such a page gets no more than any program could. Errors
    /// are shared as well, because SDKs read them.
    ///
    /// Source: the Fetch Standard; `access-control-allow-private-network` of Private Network
    /// Access.
    mutating func share(withOriginOf request: Request) {
        let asked = request.head.headerFields
        headers[.vary] = "Origin, Access-Control-Request-Headers"
        guard let origin = asked[.origin], origin.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return }
        headers[.accessControlAllowOrigin] = origin
        guard request.head.method == .options else { return }
        headers[.accessControlAllowMethods] = "GET,HEAD,PUT,PATCH,POST,DELETE"
        headers[.accessControlAllowHeaders] = asked[.accessControlRequestHeaders].flatMap { $0.utf8.allSatisfy { $0 < 0x7f } ? $0 : nil }
        if asked[.accessControlRequestPrivateNetwork] != nil { headers[.accessControlAllowPrivateNetwork] = "true" }
    }
}

extension HTTPField.Name {
    fileprivate static let accessControlRequestPrivateNetwork = Self("Access-Control-Request-Private-Network")!
    fileprivate static let accessControlAllowPrivateNetwork = Self("Access-Control-Allow-Private-Network")!
}
