internal import HTTPTypes
internal import JSON

/// A response before it goes through the door. Every one carries the headers that keep browsers strict (P2, P4).
struct Response: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields = [:]
    var body: [UInt8] = []

    init(_ status: HTTPResponse.Status, _ contentType: String? = nil, _ body: [UInt8] = []) {
        var headers = Self.bare
        if let contentType { headers.append(HTTPField(name: .contentType, value: contentType)) }
        self.init(status, headers, body)
    }

    private init(_ status: HTTPResponse.Status, _ headers: HTTPFields, _ body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    static func text(_ status: HTTPResponse.Status, _ text: String) -> Response { Response(status, plainText, Array(text.utf8)) }

    static func json(_ status: HTTPResponse.Status = .ok, _ json: JSON) -> Response { Response(status, jsonText, json.bytes) }

    /// An HTML page of ours: one style sheet and one script from the same origin, nothing inline, nothing from elsewhere (P3, P6).
    ///
    /// - Parameters:
    ///   - formTarget: a source that the page's form may end at beside our own origin: where its 303 leads.
    ///   - frames: whether it shows another page of ours in a frame.
    static func page(_ status: HTTPResponse.Status = .ok, html: [UInt8], formTarget: String? = nil, frames: Bool = false) -> Response {
        let usual = frames ? nil : pages[formTarget]
        return Response(status, usual ?? headers(ofPageWith: formTarget, frames: frames), html)
    }

    /// Made once, because what makes a field checks every byte of it.
    private static let bare: HTTPFields = [
        .cacheControl: "no-store", .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .xFrameOptions: "DENY",
        .crossOriginOpenerPolicy: "same-origin", .contentSecurityPolicy: "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    ]
    private static let plainText = Response(.ok, "text/plain; charset=utf-8").headers
    private static let jsonText = Response(.ok, "application/json; charset=utf-8").headers
    private static let pages = Dictionary(uniqueKeysWithValues: [nil, "https:", "http:"].map { ($0, headers(ofPageWith: $0)) })

    private static func headers(ofPageWith formTarget: String?, frames: Bool = false) -> HTTPFields {
        var headers = Response(.ok, "text/html; charset=utf-8").headers
        headers[.contentSecurityPolicy] = """
            default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \(frames ? "frame-src 'self'; " : "")\
            form-action 'self'\(formTarget.map { " " + $0 } ?? ""); base-uri 'none'; frame-ancestors 'none'
            """
        return headers
    }

    /// Onward by GET, whatever the request was (R11). `location` is always our own serialisation.
    static func seeOther(_ location: String) -> Response {
        var answer = Response(.seeOther)
        answer.headers[.location] = location
        return answer
    }

    /// Asked for a host that is not ours (L2).
    static var misdirected: Response { text(.misdirectedRequest, "This server is not responsible for that host name.\n") }

    /// A known path, asked in a way it does not know (H14).
    static func methodNotAllowed(_ allowed: String) -> Response {
        var answer = text(.methodNotAllowed, "This address does not take that method.\n")
        answer.headers[.allow] = allowed
        return answer
    }
}

extension HTTPField.Name {
    static let referrerPolicy = Self("Referrer-Policy")!
    static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")!
    static let xFrameOptions = Self("X-Frame-Options")!
    static let secFetchSite = Self("Sec-Fetch-Site")!
    static let firebaseLocale = Self("X-Firebase-Locale")!
    static let googleAPIKey = Self("X-Goog-Api-Key")!
}
