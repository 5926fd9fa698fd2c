internal import HTTPTypes
internal import JSON

/// Through which listener a request came: a listener says so of itself, nothing in a request does.
package enum ListenerRole: Sendable {
    /// For everyone.
    case front
    /// Loopback or a private network, off unless it is configured: `Bearer owner` is admin there, the only words that an admin SDK
    /// in emulator mode has.
    case admin
}

extension Site {
    /// The API and nothing else, under the addresses that were configured (L2), for programs only: where reaching the door is being
    /// admin, a page in a browser on the same machine or network must not get a word in (P1, O8).
    func answerAtAdminListener(_ request: Request) async -> Response {
        guard case .production(let production) = mode, production.adminHosts.contains(request.hostName) else { return .misdirected }
        guard !request.isFromBrowser else { return ErrorResponses.json(APIError.fromBrowser) }
        guard !request.cameThroughProxy else { return ErrorResponses.json(APIError.fromProxy) }
        return request.path == "/metrics" ? await metrics(request) : await answerCall(request)
    }
}

extension Request {
    /// The authority without its port, which may be forwarded from another.
    fileprivate var hostName: String {
        let authority = (head.authority ?? "").lowercased()
        return authority.hasSuffix("]") ? authority : String(authority.prefix(upTo: authority.lastIndex(of: ":") ?? authority.endIndex))
    }

    /// A proxy that was pointed at the door by mistake would bring everyone here as admin: most say that they are one. Source: RFC 9110
    /// section 7.6.3, RFC 7239.
    fileprivate var cameThroughProxy: Bool {
        [HTTPField.Name.via, .forwarded, .xForwardedFor, .xForwardedHost, .xForwardedProto, .xRealIP].contains(
            where: head.headerFields.contains)
    }

    /// Browsers send `Origin` with whatever a page could ask for, and `Sec-Fetch-Site` with all that a page caused. No admin SDK sends
    /// either, or asks with OPTIONS. Source: the Fetch Standard; Fetch Metadata Request Headers.
    fileprivate var isFromBrowser: Bool {
        head.headerFields[.origin] != nil || head.method == .options || head.headerFields[values: .secFetchSite].contains { $0 != "none" }
    }
}

extension HTTPField.Name {
    fileprivate static let via = Self("Via")!
    fileprivate static let forwarded = Self("Forwarded")!
    fileprivate static let xForwardedFor = Self("X-Forwarded-For")!
    fileprivate static let xForwardedHost = Self("X-Forwarded-Host")!
    fileprivate static let xForwardedProto = Self("X-Forwarded-Proto")!
    fileprivate static let xRealIP = Self("X-Real-IP")!
}
