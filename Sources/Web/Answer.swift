internal import HTTPTypes

/// A response before it goes through the door. Every one carries the headers that keep browsers strict (P2, P4).
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields = [:]
    var body: [UInt8] = []

    init(_ status: HTTPResponse.Status, _ contentType: String? = nil, _ body: [UInt8] = []) {
        self.status = status
        self.body = body
        if let contentType { headers[.contentType] = contentType }
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.referrerPolicy] = "no-referrer"
        headers[.xFrameOptions] = "DENY"
        headers[.crossOriginOpenerPolicy] = "same-origin"
        headers[.contentSecurityPolicy] = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
    }

    static func text(_ status: HTTPResponse.Status, _ text: String) -> Answer {
        Answer(status, "text/plain; charset=utf-8", Array(text.utf8))
    }

    static func json(_ status: HTTPResponse.Status = .ok, _ json: JSON) -> Answer {
        Answer(status, "application/json; charset=utf-8", json.bytes)
    }

    /// An HTML page of ours: one style sheet and one script from the same origin, nothing inline, nothing from elsewhere (P3, P6).
    ///
    /// - Parameters:
    ///   - formTargets: sources that the page's form may end at beside our own origin: where its 303 leads.
    ///   - frames: whether it shows another page of ours in a frame.
    static func page(
        _ status: HTTPResponse.Status = .ok, html: String, formTargets: [String] = [], frames: Bool = false
    ) -> Answer {
        var answer = Answer(status, "text/html; charset=utf-8", Array(html.utf8))
        answer.headers[.contentSecurityPolicy] = """
            default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \(frames ? "frame-src 'self'; " : "")\
            form-action \((["'self'"] + formTargets).joined(separator: " ")); base-uri 'none'; frame-ancestors 'none'
            """
        return answer
    }

    /// Onward by GET, whatever the request was (R11). `location` is always our own serialisation.
    static func seeOther(_ location: String) -> Answer {
        var answer = Answer(.seeOther)
        answer.headers[.location] = location
        return answer
    }

    /// Asked for a host that is not ours (L2).
    static var misdirected: Answer { text(.misdirectedRequest, "This server is not responsible for that host name.\n") }

    /// A known path, asked in a way it does not know (H14).
    static func methodNotAllowed(_ allowed: String) -> Answer {
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
