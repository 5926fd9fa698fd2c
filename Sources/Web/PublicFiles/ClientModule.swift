internal import Base
internal import Views

/// The module at `/onward.js`, which makes Firebase's JavaScript SDK in a web app use this server:
/// for its requests, without emulator mode and its banner, and for popups and redirects to
/// providers, without Google's script.
enum ClientModule {
    static let routes = [
        Route(
            .any, "/onward.js", label: RouteLabel("clientModule", .file),
            handler: .page { site, request in site.clientModule.response(to: request) })
    ]

    static func file(_ module: Asset) -> PublicFile { PublicFile(module, fresh: .atMost(.minutes(60)), sharedWithAnyOrigin: true) }
}
