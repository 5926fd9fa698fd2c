internal import Accounts
internal import AppLinks
internal import Base
internal import HTTPTypes

/// A request with its target taken apart.
struct Request: Sendable {
    let head: HTTPRequest
    /// Empty until it has been read.
    private(set) var body: [UInt8] = []
    /// The length that the head announces; of a chunked body, which does not tell, 1.
    let bodyLength: Int
    /// The numeric address of the client.
    let peer: String
    /// Identifies the request in the log and on error pages.
    let id: String
    let listener: ListenerRole
    /// The path and the query of the target.
    let target: String
    /// Whether the target was that of a link, as a mail program had changed it.
    let isMended: Bool
    /// The path as it was sent: routes are exact, so nothing is decoded or normalised (R15), except
    /// in `MailedTarget`.
    let path: String
    let queryText: String
    /// Decoded exactly once (L8), up to one parameter too many.
    let query: [(name: String, value: String)]

    /// The largest number of parameters in a query or form that is read (X1).
    static let maxParameters = 64

    /// A request whose body has not been read.
    init(head: HTTPRequest, bodyLength: Int, peer: String, id: String, listener: ListenerRole) {
        self.head = head
        self.bodyLength = bodyLength
        self.peer = peer
        self.id = id
        self.listener = listener
        let sent = head.path ?? "/"
        let mailed = head.method == .get || head.method == .head ? MailedTarget(sent) : nil
        let target = mailed?.text ?? sent
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        self.target = target
        isMended = mailed?.isMended == true
        path = mark.map { String(target[..<$0]) } ?? target
        queryText = mark.map { String(target[target.utf8.index(after: $0)...]) } ?? ""
        query = queryText.isEmpty ? [] : WebURL.formItems(in: queryText, atMost: Self.maxParameters + 1)
    }

    /// The client as limits count it.
    var client: Client { .peer(peer, userAgent: userAgent) }

    var userAgent: String { head.headerFields[.userAgent] ?? "" }

    /// The request with its body.
    func reading(_ body: [UInt8]) -> Request {
        var request = self
        request.body = body
        return request
    }

    var isRead: Bool { head.method == .get || head.method == .head }

    /// The first value of a query parameter.
    subscript(name: String) -> String? { query.first { $0.name == name }?.value }

    /// The media type of the body, without parameters, in lower case.
    var contentType: String {
        let value = head.headerFields[.contentType] ?? ""
        return Substring(value.utf8.prefix { $0 != UInt8(ascii: ";") }.trimmed).lowercased()
    }

    /// The fields of an HTML form; nil for another content type or too many fields.
    var form: [(name: String, value: String)]? {
        // Counted before anything is decoded: a megabyte of separators is cheap to send and
        // expensive to parse (X11).
        guard contentType == "application/x-www-form-urlencoded", body.count(where: { $0 == UInt8(ascii: "&") }) < Self.maxParameters
        else { return nil }
        return WebURL.formItems(in: String(decoding: body, as: UTF8.self))
    }

    /// Whether the client accepts JSON and does not name HTML.
    var wantsJSON: Bool { accepts("application/json") && !wantsHTML }

    /// Whether the client names HTML, as browsers do when they open a page.
    var wantsHTML: Bool { accepts("text/html") }

    private func accepts(_ type: StaticString) -> Bool {
        head.headerFields.contains { field in
            field.name == .accept && WeightedItems(field.value).contains { $0.name.isWord(type) && $0.weight ?? 0 > 0 }
        }
    }
}
