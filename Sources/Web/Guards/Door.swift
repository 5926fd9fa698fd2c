internal import HTTPTypes

/// Through which listener a request came: a listener says so of itself, nothing in a request does.
package enum Door: Sendable {
    /// For everyone.
    case front
    /// Loopback or a private network, off unless it is configured: `Bearer owner` is admin there, the only words that an admin SDK
    /// in emulator mode has.
    case admin
}

extension Site {
    /// The API and nothing else, under the addresses that were configured (L2), for programs only: where reaching the door is being
    /// admin, a page in a browser on the same machine or network must not get a word in (P1, O8).
    func answerAtAdminDoor(_ request: Request) async -> Answer {
        guard case .production(let production) = mode, production.adminHosts.contains(request.hostName) else { return .misdirected }
        guard !request.isFromBrowser else { return Answers.json(TurnedAway.fromBrowser) }
        return await answerCall(request)
    }
}

extension Request {
    /// The authority without its port, which may be forwarded from another.
    fileprivate var hostName: String {
        let authority = (head.authority ?? "").lowercased()
        return authority.hasSuffix("]") ? authority : String(authority.prefix(upTo: authority.lastIndex(of: ":") ?? authority.endIndex))
    }

    /// Browsers send `Origin` with whatever a page could ask for, and `Sec-Fetch-Site` with all that a page caused. No admin SDK sends
    /// either, or asks with OPTIONS. Source: the Fetch Standard; Fetch Metadata Request Headers.
    fileprivate var isFromBrowser: Bool {
        head.headerFields[.origin] != nil || head.method == .options || head.headerFields[values: .secFetchSite].contains { $0 != "none" }
    }
}
