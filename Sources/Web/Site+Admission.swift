public import HTTPTypes
internal import WebURL

extension Site {
    /// Decides about the body of a request at the end of its head (V3). The host, the path, the
    /// method, the credential and the length are judged as `respond` judges them; `respond` does so
    /// again, because it does not rely on this.
    ///
    /// - Parameter bodyLength: nil if the head does not tell.
    public func admit(
        _ head: HTTPRequest, bodyLength: Int?, from peer: String, through listener: ListenerRole
    ) async -> BodyDecision {
        let request = Request(head: head, body: [], announced: bodyLength ?? 1, peer: peer, id: newRequestID(), listener: listener)
        let started = ContinuousClock.now
        let match = self.match(request)
        do throws(RefusedHead) {
            return .read(maxBytes: try await maxBodyBytes(of: request, match))
        } catch {
            let (response, body) = finish(error.response, to: request, match, since: started)
            return .refuse(response, body)
        }
    }

    private func maxBodyBytes(of request: Request, _ match: RouteTable.Match?) async throws(RefusedHead) -> Int {
        guard !request.hasCodedBody else { throw RefusedHead(response: ErrorReport(.encodedBody, at: now()).json) }
        switch request.listener {
        case .front:
            return try await maxBodyBytesInFront(of: request, match)
        case .admin:
            guard let adminListener else { throw RefusedHead(response: .misdirected) }
            if let response = adminListener.refusal(of: request, at: now()) { throw RefusedHead(response: response) }
            return try await identityToolkit.maxBodyBytes(of: request, match)
        }
    }

    private func maxBodyBytesInFront(of request: Request, _ match: RouteTable.Match?) async throws(RefusedHead) -> Int {
        if let route = try pageRoute(match, .anyHost, request) { return route.maxBodyBytes }
        let authority = (request.head.authority ?? "").lowercased()
        let (isLinkDomain, isOrigin) = (hosts.linkDomain(authority) != nil, hosts.isOwn(authority))
        guard isLinkDomain || isOrigin else { throw RefusedHead(response: misdirected(request)) }
        if let route = try pageRoute(match, .everyOwnHost, request) { return route.maxBodyBytes }
        if isLinkDomain, let route = try pageRoute(match, .linkDomains, request) { return route.maxBodyBytes }
        if isOrigin {
            if let route = try pageRoute(match, .origin, request) { return route.maxBodyBytes }
            if identityToolkit.owns(request.path, match) { return try await identityToolkit.maxBodyBytes(of: request, match) }
        }
        throw RefusedHead(response: actionPages.renderer.error(.notFound, PageContext(request)))
    }
}
