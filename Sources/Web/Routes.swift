internal import Accounts
internal import AppLinks
package import HTTPTypes
internal import JSON
internal import Logging
internal import Views

extension Site {
    /// The door: one request in, one response out. Never throws; what goes wrong is an answer, too.
    /// - Parameter door: that of the listener.
    package func answer(
        _ head: HTTPRequest, _ body: [UInt8], _ peer: String, through listener: ListenerRole
    ) async -> (HTTPResponse, [UInt8]) {
        let request = Request(head: head, body: body, peer: peer, id: Base64URL.encode(accounts.random(9)), listener: listener)
        let started = ContinuousClock.now
        let answer =
            switch listener {
            case _ where request.hasCodedBody: ErrorResponses.json(APIError.codedBody)
            case .front: await route(request)
            case .admin: await answerAtAdminListener(request)
            }
        let span = ContinuousClock.now - started
        meters.count(answer.status, of: request, after: span)
        log(answer, to: request, after: span)
        return (HTTPResponse(status: answer.status, headerFields: answer.headers), answer.body)
    }

    /// Every address that Onward has, matched exactly (R15): first what any host may ask, then by whose host it is (L2).
    private func route(_ request: Request) async -> Response {
        if let answer = await operations(request) { return answer }
        let authority = (request.head.authority ?? "").lowercased()
        let linkDomain = hosts.linkDomain(authority)
        guard linkDomain != nil || hosts.isOwn(authority) else {
            return .misdirected
        }
        if let asset = asset(request) { return asset }
        if let linkDomain, let answer = linkDomainPage(request, on: linkDomain) { return answer }
        guard hosts.isOwn(authority) else { return notFound(request) }
        switch request.path {
        case "/__/auth/action": return await actionPage(request)
        case "/__/auth/done": return await onlyRead(request, donePage)
        case "/__/auth/resend": return await onlyPosted(request, sendAgain)
        case "/__/auth/reset": return await onlyPosted(request, sendPasswordReset)
        case "/metrics": return await metrics(request)
        default: break
        }
        if let answer = await identityToolkit(request) { return answer }
        if let answer = await developmentPage(request) { return answer }
        return notFound(request)
    }

    private func notFound(_ request: Request) -> Response {
        request.wantsJSON
            ? ErrorResponses.json(APIError.noSuchPath)
            : trouble(.init(.notFound), .notFound, PageContext(request))
    }

    func onlyRead(_ request: Request, _ page: (Request) async -> Response) async -> Response {
        request.isRead ? await page(request) : .methodNotAllowed("GET, HEAD")
    }

    func onlyPosted(_ request: Request, _ page: (Request) async -> Response) async -> Response {
        request.head.method == .post ? await page(request) : .methodNotAllowed("POST")
    }

    /// One line for each request: what was asked and how it went, but neither query nor address (O1).
    private func log(_ answer: Response, to request: Request, after span: Duration) {
        logger.info(
            "answered",
            metadata: [
                "method": "\(request.head.method.rawValue)", "path": "\(loggable(request.path))", "status": "\(answer.status.code)",
                "bytes": "\(request.head.method == .head ? 0 : answer.body.count)", "ms": "\(span.milliseconds)", "peer": "\(request.peer)",
                "request": "\(request.id)",
            ])
    }

    /// Only what looks like a path of ours is repeated in the log: a stranger's may hold anything, a mangled link a code (O1).
    private func loggable(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            // Digits and the colon are neighbours, as are `-`, `.` and `/`.
            case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-")...UInt8(ascii: "/"), UInt8(ascii: "_"): true
            default: false
            }
        }
        let steps = path.split(separator: "/")
        return isPlain && steps.count <= 8 && steps.allSatisfy { $0.utf8.count <= 40 } ? path : "(other)"
    }
}
