import AppLinks
import EmailActions
import HTTPTypes
import WebURL

/// Plain HTTP for those who typed an address without its scheme: leads pages on to https and takes nothing, so that no code, password
/// or token that comes this way is answered (K4).
struct Redirection: Sendable {
    /// The https origins by the hosts that they have, all of them from the configuration (L1).
    private let origins: [String: String]
    private let publicHost: String?

    init(_ configuration: Configuration) {
        let linkDomains = configuration.projects.flatMap(\.linkDomains).map(\.linksURL)
        let secure = ([configuration.publicOrigin] + linkDomains).filter { $0.scheme == "https" }
        publicHost = configuration.publicOrigin.host?.serialized
        origins = Dictionary(secure.compactMap { url in url.host.map { ($0.serialized, url.origin) } }) { first, _ in first }
    }

    func answer(_ request: HTTPRequest) -> (HTTPResponse, [UInt8]) {
        let path = request.path ?? "/"
        let isRead = request.method == .get || request.method == .head
        if isRead, path == "/healthz" { return Self.text(.ok, "ok") }
        let host = Self.host(of: (request.authority ?? "").lowercased())
        guard let origin = origins[host] else { return Self.text(.misdirectedRequest, "This host is not served here.") }
        guard isRead, host != publicHost || path == "/" || path.hasPrefix("/?") || path.hasPrefix("/__/") else {
            return Self.text(.forbidden, "Only \(origin) answers this. What was sent here was sent in the clear: change it.")
        }
        // The link may hold a code, which no cache is to keep and no other site to hear of.
        return (
            HTTPResponse(
                status: .movedPermanently,
                headerFields: [.location: origin + path, .cacheControl: "no-store", .referrerPolicy: "no-referrer"]),
            []
        )
    }

    /// Without the port.
    private static func host(of authority: String) -> String {
        guard !authority.hasSuffix("]"), let colon = authority.lastIndex(of: ":") else { return authority }
        return String(authority[..<colon])
    }

    private static func text(_ status: HTTPResponse.Status, _ sentence: String) -> (HTTPResponse, [UInt8]) {
        let fields: HTTPFields = [
            .contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff", .cacheControl: "no-store", .connection: "close",
        ]
        return (HTTPResponse(status: status, headerFields: fields), Array((sentence + "\n").utf8))
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = Self("Referrer-Policy")!
}
