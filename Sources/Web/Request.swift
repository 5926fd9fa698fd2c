internal import HTTPTypes
internal import JSON
internal import WebURL

/// A request as the routes read it: its parts taken apart once.
struct Request: Sendable {
    let head: HTTPRequest
    let body: [UInt8]
    /// The numeric address of whoever connected.
    let peer: String
    /// Stands in the log, and in the small print of troubles.
    let id: String
    let listener: ListenerRole
    /// As sent, up to the query: routes are exact, so nothing is decoded or normalised (R15).
    let path: String
    let queryText: String
    /// Decoded exactly once (L8).
    let query: [(name: String, value: String)]

    /// X1: a query or form with more parameters is nobody's.
    static let maxParameters = 64

    init(head: HTTPRequest, body: [UInt8], peer: String, id: String, listener: ListenerRole) {
        self.head = head
        self.body = body
        self.peer = peer
        self.id = id
        self.listener = listener
        let target = head.path ?? "/"
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        path = mark.map { String(target[..<$0]) } ?? target
        queryText = mark.map { String(target[target.utf8.index(after: $0)...]) } ?? ""
        query = queryText.isEmpty ? [] : WebURL.formItems(in: queryText)
    }

    var isRead: Bool { head.method == .get || head.method == .head }

    /// The first value of a query parameter.
    subscript(name: String) -> String? { query.first { $0.name == name }?.value }

    /// The media type of the body, without parameters, in lower case.
    var contentType: String {
        let value = head.headerFields[.contentType] ?? ""
        return Substring(value.utf8.prefix { $0 != UInt8(ascii: ";") }.trimmed).lowercased()
    }

    /// The fields of an HTML form; nil for another content type or too many of them.
    var form: [(name: String, value: String)]? {
        // Counted before anything is decoded: a megabyte of separators is little to send and much to read (X11).
        guard contentType == "application/x-www-form-urlencoded", body.count(where: { $0 == UInt8(ascii: "&") }) < Self.maxParameters
        else { return nil }
        return WebURL.formItems(in: String(decoding: body, as: UTF8.self))
    }

    /// Whether the client would rather have JSON than a page: it names JSON and not HTML.
    var wantsJSON: Bool { accepts("application/json") && !wantsHTML }

    /// Whether the client names HTML, as every browser does that opens a page.
    var wantsHTML: Bool { accepts("text/html") }

    private func accepts(_ type: StaticString) -> Bool {
        head.headerFields.contains { field in
            field.name == .accept && WeightedItems(field.value).contains { $0.name.isWord(type) && $0.weight ?? 0 > 0 }
        }
    }
}
