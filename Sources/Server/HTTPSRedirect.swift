import Accounts
import AppLinks
import Base
import Configuration
import HTTPTypes
import Web

/// The plain HTTP listener that redirects pages to https. It accepts no codes, passwords or tokens,
/// since they would have been sent unencrypted (K4).
struct HTTPSRedirect: Sendable {
    /// The configured https origins by their host (L1).
    private let origins: [String: String]
    private let publicHost: String?
    private let challenges: ACMEChallenges

    init(_ configuration: Configuration) {
        let linkDomains = configuration.projects.flatMap(\.linkDomains).map(\.linksURL)
        let secure = ([configuration.publicOrigin] + linkDomains).filter { $0.scheme == "https" }
        challenges = ACMEChallenges(folder: configuration.acmeChallenges)
        publicHost = configuration.publicOrigin.host?.serialized
        origins = Dictionary(secure.compactMap { url in url.host.map { ($0.serialized, url.origin) } }) { first, _ in first }
    }

    func answer(_ request: HTTPRequest) -> (HTTPResponse, [UInt8]) {
        let path = request.path ?? "/"
        let isSafeMethod = request.method == .get || request.method == .head
        if isSafeMethod, path == "/healthz" { return Self.text(.ok, "ok") }
        let host = Self.host(of: (request.authority ?? "").lowercased())
        guard let origin = origins[host] else { return Self.text(.misdirectedRequest, "This server does not serve this host.") }
        if isSafeMethod, challenges.folder != nil, ACMEChallenges.owns(path) {
            return challenges.answer(to: path).map { Self.response(.ok, "application/octet-stream", $0) }
                ?? Self.text(.notFound, "Not found.")
        }
        guard isSafeMethod,
            host != publicHost || WellKnownAddresses.paths.contains(path) || path == "/" || path.hasPrefix("/?") || path.hasPrefix("/__/")
        else {
            return Self.text(.forbidden, "Send this request to \(origin). It arrived here unencrypted: change any password or token in it.")
        }
        // The path may contain a code, which must not be cached or sent to another site as a
        // referrer.
        return (
            HTTPResponse(
                status: .movedPermanently,
                headerFields: [.location: origin + path, .cacheControl: "no-store", .referrerPolicy: "no-referrer"]),
            []
        )
    }

    /// The host of `host[:port]`.
    private static func host(of authority: String) -> String {
        guard !authority.hasSuffix("]"), let colon = authority.lastIndex(of: ":") else { return authority }
        return String(authority[..<colon])
    }

    private static func text(_ status: HTTPResponse.Status, _ sentence: String) -> (HTTPResponse, [UInt8]) {
        response(status, "text/plain; charset=utf-8", Array((sentence + "\n").utf8))
    }

    private static func response(_ status: HTTPResponse.Status, _ type: String, _ body: [UInt8]) -> (HTTPResponse, [UInt8]) {
        let fields: HTTPFields = [.contentType: type, .xContentTypeOptions: "nosniff", .cacheControl: "no-store", .connection: "close"]
        return (HTTPResponse(status: status, headerFields: fields), body)
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = Self("Referrer-Policy")!
}
