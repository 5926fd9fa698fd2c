internal import Accounts
internal import Base
public import HTTPServer
public import HTTPTypes

/// A request whose host, path, method, credential and length were judged (V3). What was found is
/// held by `respond`, which is the only way to a handler.
struct AcceptedRequest: Sendable {
    /// The longest body that is read.
    var maxBodyBytes = Route.usualBodyBytes
    /// Responds to the request, which has its body now.
    let respond: @Sendable (Site, Request) async -> Response
}

/// The error thrown for a request that is refused for its head.
struct RefusedHead: Error {
    let response: Response
}

extension Site {
    /// Judges a request at the end of its head. Never throws: errors are responses as well.
    ///
    /// - Parameters:
    ///   - bodyLength: nil if the head does not tell.
    ///   - listener: the role of the listener that the request came through.
    public func accept(
        _ head: HTTPRequest, bodyLength: Int?, from peer: String, through listener: ListenerRole
    ) async -> Acceptance {
        let started = Uptime.now
        let id = Base64URL.encode(random(9))
        let request = Request(head: head, bodyLength: bodyLength ?? 1, peer: peer, id: id, listener: listener)
        let match = RouteTable.match(request.path, onLinkDomain: linkDomainPages.domain(request) != nil)
        do throws(RefusedHead) {
            let accepted = try await accept(request, match)
            let judged = Uptime.now - started
            return .body(atMost: accepted.maxBodyBytes) { body in
                // The time in which the client sends its body does not count.
                let resumed = Uptime.now
                let response = await accepted.respond(self, request.reading(body))
                // A response that is held is counted and logged as it begins to wait.
                let (head, bytes) = self.finish(response, to: request, match, after: judged + (Uptime.now - resumed))
                return response.held.map { .held($0) } ?? .response(head, bytes)
            }
        } catch {
            let (response, body) = finish(error.response, to: request, match, after: Uptime.now - started)
            return .response(response, body)
        }
    }

    private func accept(_ request: Request, _ match: RouteTable.Match?) async throws(RefusedHead) -> AcceptedRequest {
        guard !request.hasCodedBody else { throw RefusedHead(response: ErrorReport(.encodedBody, at: now()).json) }
        return switch request.listener {
        case .front: try await acceptInFront(request, match)
        case .admin: try await acceptAtAdminListener(request, match)
        case .console: try await acceptAtConsoleListener(request, match)
        }
    }

    /// Looks for a path by scope: first what any host name may ask for, then by the host (L2).
    private func acceptInFront(_ request: Request, _ match: RouteTable.Match?) async throws(RefusedHead) -> AcceptedRequest {
        if let page = try page(match, .anyHost, request) { return page }
        let authority = (request.head.authority ?? "").lowercased()
        let (isLinkDomain, isOrigin) = (hosts.linkDomain(authority) != nil, hosts.isOwn(authority))
        guard isLinkDomain || isOrigin else { throw RefusedHead(response: misdirected(request)) }
        if let page = try page(match, .everyOwnHost, request) { return page }
        if isLinkDomain, let page = try page(match, .linkDomains, request) { return page }
        if isOrigin {
            if let page = try page(match, .origin, request) { return page }
            if console?.place == .origin, let page = try page(match, .console, request) { return page }
            if identityToolkit.owns(request.path, match) { return try await identityToolkit.accept(request, match) }
        }
        throw RefusedHead(response: notFound(request))
    }

    /// The admin listener serves the API and the metrics.
    private func acceptAtAdminListener(_ request: Request, _ match: RouteTable.Match?) async throws(RefusedHead) -> AcceptedRequest {
        guard let adminListener else { throw RefusedHead(response: .misdirected) }
        if let refusal = adminListener.refusal(of: request, at: now()) { throw RefusedHead(response: refusal) }
        if request.path == Operations.metricsPath { return AcceptedRequest { await $0.operations.metrics($1) } }
        return try await identityToolkit.accept(request, match)
    }

    /// The listener of the console serves its files and the calls that they make.
    private func acceptAtConsoleListener(_ request: Request, _ match: RouteTable.Match?) async throws(RefusedHead) -> AcceptedRequest {
        guard case .listener(let hosts)? = console?.place, hosts.contains(request.hostName) else {
            throw RefusedHead(response: .misdirected)
        }
        if let page = try page(match, .console, request) { return page }
        if request.path == Operations.iconPath, let icon = try page(match, .everyOwnHost, request) { return icon }
        guard Console.makes(match?.route(for: request.method)) else { throw RefusedHead(response: Console.notFound) }
        return try await identityToolkit.accept(request, match)
    }

    /// The page of a scope; nil if the scope has none at this path. Throws if it takes neither this
    /// method nor a body of this length.
    private func page(_ match: RouteTable.Match?, _ scope: Route.Scope, _ request: Request) throws(RefusedHead) -> AcceptedRequest? {
        guard let match else { return nil }
        var isThere = false
        for route in match.routes where route.scope == scope && (isDevelopment || !route.isDevelopmentOnly) && route.takes(request) {
            guard case .page(let handler) = route.handler else { continue }
            isThere = true
            guard route.methods.contains(request.head.method) else { continue }
            guard request.bodyLength <= route.maxBodyBytes else {
                throw RefusedHead(response: actionPages.renderer.error(.bodyTooLarge, PageContext(request)))
            }
            return AcceptedRequest(maxBodyBytes: route.maxBodyBytes) { await handler($0, $1) ?? $0.notFound($1) }
        }
        guard isThere else { return nil }
        let allowed = match.routes.filter { $0.scope == scope }.flatMap(\.methods.allowed).joined(separator: ", ")
        throw RefusedHead(response: actionPages.renderer.error(.methodNotAllowed(allowed: allowed), PageContext(request)))
    }

    private func notFound(_ request: Request) -> Response { actionPages.renderer.error(.notFound, PageContext(withoutLink: request)) }

    /// The response to a request for a host that is not served here, in JSON to callers of the API.
    private func misdirected(_ request: Request) -> Response {
        guard !APIPath.isReserved(request.path, inDevelopment: isDevelopment) else { return ErrorReport(.misdirected, at: now()).json }
        return isDevelopment ? .misdirectedInDevelopment : .misdirected
    }
}

extension Route.Methods {
    /// For the `Allow` header.
    fileprivate var allowed: [String] {
        switch self {
        case .read: ["GET", "HEAD"]
        case .only(let method): [method.rawValue]
        case .any: []
        }
    }
}
