internal import Accounts
internal import Base
internal import HTTPTypes
internal import Logging
internal import Views

/// The routes for load balancers, monitoring and browsers beside the pages and the API: health,
/// metrics, the OpenAPI document, and the files that pages load.
struct Operations: Sendable {
    let readiness: Readiness
    /// Lines about what an operator should look at, although a code could be applied.
    let remarks: @Sendable () -> [String]
    /// All metrics in the text format of Prometheus.
    let exposition: @Sendable () async -> [UInt8]
    let admins: AdminAuthentication
    let brands: Brands
    let isDevelopment: Bool
    let now: Now
    let logger: Logger

    static let metricsPath = "/metrics"
    static let iconPath = "/favicon.ico"

    static let routes: [Route] = [
        Route(
            .read, "/healthz", scope: .anyHost, label: RouteLabel("healthz", .health),
            documentation: .text("alive", "Whether the process is alive, under any host name."),
            handler: .page { _, _ in .text(.ok, "ok\n") }),
        Route(
            .read, "/readyz", scope: .anyHost, label: RouteLabel("readyz", .health),
            documentation: .text("ready", "Whether a code could be applied now; 503 if not."),
            handler: .page { await $0.operations.ready($1) }),
        Route(
            .read, "/robots.txt", scope: .anyHost, label: RouteLabel("robots", .file),
            documentation: .text("robots", "Excludes search engines. On a link domain, programs may fetch links to preview them."),
            handler: .page { site, request in
                .text(.ok, Operations.robots(onLinkDomain: site.linkDomainPages.domain(request) != nil))
            }),
        Route(
            .any, "/openapi.json", scope: .anyHost, label: RouteLabel("openapi", .file),
            documentation: .file("openAPI", "This document.", .map(.anything)),
            handler: .page { OpenAPI.file(inDevelopment: $0.operations.isDevelopment).response(to: $1) }),
        // Where the Auth emulator has it.
        Route(
            .read, "/emulator/openapi.json", scope: .anyHost, label: RouteLabel("openapi", .file), isDevelopmentOnly: true,
            handler: .page { _, request in OpenAPI.file(inDevelopment: true).response(to: request) }),
        Route(
            .read, metricsPath, label: RouteLabel("metrics", .health), credential: .admin,
            documentation: .text("metrics", "Metrics in the text format of Prometheus, for admins."),
            handler: .page { await $0.operations.metrics($1) }),
        Route(
            .any, iconPath, scope: .everyOwnHost, label: RouteLabel("asset", .file),
            handler: .page { $0.operations.brands.file(at: $1.path)?.response(to: $1) }),
        // Style sheets, scripts and logos, under names that change with their content.
        Route(
            .any, Asset.root, scope: .everyOwnHost, label: RouteLabel("asset", .file),
            handler: .page { $0.operations.brands.file(at: $1.path)?.response(to: $1) }),
    ]

    /// The rules for crawlers. Association files may be fetched everywhere, and links for their
    /// previews, because every page asks not to be indexed.
    private static func robots(onLinkDomain: Bool) -> String {
        let rules = onLinkDomain ? ["Allow: /__/auth/links", "Disallow: /__/"] : ["Allow: /.well-known/", "Disallow: /"]
        return (["User-agent: *"] + rules).map { $0 + "\n" }.joined()
    }

    /// Ready means that a code could be applied now; `/healthz` does not depend on the store (Z5).
    private func ready(_ request: Request) async -> Response {
        do {
            try await readiness.check()
            // An upstream that is down does not take the server out of service: the pages of its
            // projects say so, and other projects work.
            return .text(.ok, (["ready"] + remarks()).map { $0 + "\n" }.joined())
        } catch {
            logger.error("readiness check failed", metadata: ["cause": "\(error.cause)", "request": "\(request.id)"])
            return .text(.serviceUnavailable, "not ready: the store cannot be written\n")
        }
    }

    /// The metrics. Public where every caller is an admin, in development and at the admin
    /// listener; otherwise for admin keys (O7). There is no audit record, because metrics tell
    /// nothing about an account and are read every few seconds.
    func metrics(_ request: Request) async -> Response {
        guard request.isRead else { return .methodNotAllowed("GET, HEAD") }
        if !isDevelopment, request.listener == .front {
            do throws(RequestError) {
                guard let bearer = request.bearer, let admin = try await admins.admin(bearer, through: request.listener) else {
                    throw .notAdminKey
                }
                guard admin.scope.permits(.read), admin.scope.project == nil else {
                    throw .insufficient("Metrics need an admin key that may read in every project")
                }
            } catch { return ErrorReport(error, at: now()).json }
        }
        return Response(.ok, "text/plain; version=0.0.4; charset=utf-8", await exposition())
    }
}
