internal import HTTPTypes

/// The answers of the development server, beside the API, that pages of other origins may read:
/// test tools look for them at the Auth emulator's addresses. They are the same for everyone.
extension DevPages {
    static let preflights = [
        Route(
            .only(.options), "/", label: RouteLabel("root", .page), isDevelopmentOnly: true,
            handler: .page { site, request in site.devPages?.shared(Response(.noContent), request) }),
        Route(
            .only(.options), "/emulator/openapi.json", scope: .anyHost, label: RouteLabel("openapi", .file), isDevelopmentOnly: true,
            handler: .page { site, request in site.devPages?.shared(Response(.noContent), request) }),
    ]

    /// The response with what a page of any origin needs to read it.
    func shared(_ response: Response, _ request: Request) -> Response {
        var response = response
        crossOrigin.share(&response, with: request, isForeign: crossOrigin.isForeign(request))
        return response
    }
}
