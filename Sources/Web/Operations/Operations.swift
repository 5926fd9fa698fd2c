internal import Accounts
internal import HTTPTypes
internal import Logging
internal import Views

extension Site {
    /// What load balancers and clients may ask of any host: is it alive, is it ready, which keys sign its tokens.
    func operations(_ request: Request) async -> Answer? {
        switch request.path {
        case "/healthz": await onlyRead(request) { _ in .text(.ok, "ok\n") }
        case "/readyz": await onlyRead(request, readiness)
        case "/robots.txt": await onlyRead(request) { _ in .text(.ok, "User-agent: *\nDisallow: /\n") }
        case "/openapi.json": await onlyRead(request) { _ in openAPI }
        // Where the emulator has it.
        case "/emulator/openapi.json" where mode.isDevelopment: await onlyRead(request) { _ in openAPI }
        default: nil
        }
    }

    /// For tools of any origin.
    private var openAPI: Answer {
        var answer = Answer(.ok, "application/json; charset=utf-8", OpenAPI.bytes(inDevelopment: mode.isDevelopment))
        answer.headers[.accessControlAllowOrigin] = "*"
        answer.headers[.cacheControl] = "public, max-age=300"
        return answer
    }

    /// Ready means: a code could be spent now. Alive says nothing of the store (Z5).
    private func readiness(_ request: Request) async -> Answer {
        do {
            try await readiness.check()
            return .text(.ok, "ready\n")
        } catch {
            logger.error("not ready", metadata: ["cause": "\(error)", "request": "\(request.id)"])
            return .text(.serviceUnavailable, "not ready: the store cannot be written\n")
        }
    }

    /// Style, script, icon and logos, under names that change with their content.
    func asset(_ request: Request) -> Answer? {
        guard let asset = request.path == "/favicon.ico" ? brands.standard.icon : brands.assets[request.path] else { return nil }
        guard request.isRead else { return .methodNotAllowed("GET, HEAD") }
        var answer = Answer(.ok, asset.contentType, asset.body)
        answer.headers[.cacheControl] = request.path == asset.path ? "public, max-age=31536000, immutable" : "public, max-age=3600"
        return answer
    }
}
