internal import Base
internal import HTTPServer
internal import HTTPTypes

/// A response. Every one has the headers that make browsers strict (P2, P4).
struct Response: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields = [:]
    var body: [UInt8] = []
    /// The response that is sent in place of this one, later.
    var held: HeldResponse?

    init(_ status: HTTPResponse.Status, _ contentType: String? = nil, _ body: [UInt8] = []) {
        var headers = Self.bare
        if let contentType { headers.append(HTTPField(name: .contentType, value: contentType)) }
        self.init(status, headers, body)
    }

    init(_ held: HeldResponse) {
        self.init(.ok)
        self.held = held
    }

    private init(_ status: HTTPResponse.Status, _ headers: HTTPFields, _ body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    static func text(_ status: HTTPResponse.Status, _ text: String) -> Response { Response(status, plainText, Array(text.utf8)) }

    static func json(_ status: HTTPResponse.Status = .ok, _ json: JSON) -> Response { Response(status, jsonText, json.bytes) }

    /// An HTML page: it may load style sheets, scripts and images from our own origin, nothing
    /// inline and nothing from other origins (P3, P6).
    ///
    /// - Parameters:
    ///   - formTarget: the source, beside our own origin, that the page's form may redirect to.
    ///   - frames: whether the page shows another page of ours in a frame.
    ///   - connects: whether scripts of the page ask our own origin for more.
    ///   - hasManifest: whether the page has a web app manifest of ours.
    static func page(
        _ status: HTTPResponse.Status = .ok, html: [UInt8], formTarget: String? = nil, frames: Bool = false, connects: Bool = false,
        hasManifest: Bool = false
    ) -> Response {
        let extra = [(frames, "frame-src"), (connects, "connect-src"), (hasManifest, "manifest-src")].filter(\.0)
            .map { "\($0.1) 'self'; " }.joined()
        let usual = extra.isEmpty ? pages[formTarget] : nil
        return Response(status, usual ?? headers(ofPageWith: formTarget, extra), html)
    }

    /// Made once, because every byte of a field is checked when it is made.
    private static let bare: HTTPFields = [
        .cacheControl: "no-store", .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .xFrameOptions: "DENY",
        .crossOriginOpenerPolicy: "same-origin", .contentSecurityPolicy: "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    ]
    private static let plainText = Response(.ok, "text/plain; charset=utf-8").headers
    private static let jsonText = Response(.ok, "application/json; charset=utf-8").headers
    private static let pages = Dictionary(uniqueKeysWithValues: [nil, "https:", "http:"].map { ($0, headers(ofPageWith: $0)) })

    private static func headers(ofPageWith formTarget: String?, _ extra: String = "") -> HTTPFields {
        var headers = Response(.ok, "text/html; charset=utf-8").headers
        headers[.contentSecurityPolicy] = """
            default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \(extra)\
            form-action 'self'\(formTarget.map { " " + $0 } ?? ""); base-uri 'none'; frame-ancestors 'none'
            """
        return headers
    }

    /// A redirect to be followed by GET, whatever the request was (R11).
    ///
    /// - Parameter location: a URL that we serialised.
    static func seeOther(_ location: String) -> Response {
        var response = Response(.seeOther)
        response.headers[.location] = location
        return response
    }

    /// The response to a request for a host that is not served here (L2).
    static var misdirected: Response { text(.misdirectedRequest, "This server is not responsible for that host name.\n") }

    /// The response to such a request for the developer, who may have chosen the name.
    static var misdirectedInDevelopment: Response {
        text(
            .misdirectedRequest,
            """
            This server does not answer to that host name, since a website could have it resolve to this machine.
            If the name is yours, start onward dev with --origin, for example --origin http://dev.example.test:8080

            """)
    }

    /// The response to a request with a method that the path does not support (H14).
    static func methodNotAllowed(_ allowed: String) -> Response {
        var response = text(.methodNotAllowed, "This address does not support that method.\n")
        response.headers[.allow] = allowed
        return response
    }
}

extension HTTPField.Name {
    static let referrerPolicy = Self("Referrer-Policy")!
    static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")!
    static let xFrameOptions = Self("X-Frame-Options")!
    static let secCHUAPlatform = Self("Sec-CH-UA-Platform")!
    static let secFetchSite = Self("Sec-Fetch-Site")!
    static let firebaseLocale = Self("X-Firebase-Locale")!
    static let googleAPIKey = Self("X-Goog-Api-Key")!
}
