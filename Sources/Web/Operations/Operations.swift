internal import Accounts
internal import HTTPTypes
internal import JSON
internal import Logging

extension Site {
    /// What load balancers and clients may ask of any host: is it alive, is it ready, which keys sign its tokens.
    func operations(_ request: Request) async -> Response? {
        switch request.path {
        case "/healthz": await onlyRead(request) { _ in .text(.ok, "ok\n") }
        case "/readyz": await onlyRead(request, readiness)
        case "/robots.txt": await onlyRead(request) { _ in .text(.ok, "User-agent: *\nDisallow: /\n") }
        case "/openapi.json": OpenAPI.file(inDevelopment: mode.isDevelopment).answer(to: request)
        // Where the emulator has it.
        case "/emulator/openapi.json" where mode.isDevelopment: OpenAPI.file(inDevelopment: true).answer(to: request)
        default: nil
        }
    }

    /// Ready means: a code could be spent now. Alive says nothing of the store (Z5).
    private func readiness(_ request: Request) async -> Response {
        do {
            try await readiness.check()
            // A down upstream is no reason to take this server out of service: its pages say so, and other projects go on.
            return .text(.ok, (["ready"] + troubles()).map { $0 + "\n" }.joined())
        } catch {
            logger.error("not ready", metadata: ["cause": "\(error)", "request": "\(request.id)"])
            return .text(.serviceUnavailable, "not ready: the store cannot be written\n")
        }
    }

    /// Style, script, icon and logos, under names that change with their content.
    func asset(_ request: Request) -> Response? { brands.file(at: request.path)?.answer(to: request) }
}
