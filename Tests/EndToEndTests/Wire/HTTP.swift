import Foundation

/// Single requests to a server on this machine: headers are sent as given, redirects are not
/// followed, connections are not reused.
enum HTTP {
    struct Reply: Sendable {
        let status: Int
        /// Keyed by their names in lower case.
        let headers: [String: String]
        let body: String

        var json: JSON { get throws { try JSONDecoder().decode(JSON.self, from: Data(body.utf8)) } }
    }

    static func send(_ method: String, _ address: String, headers: [String: String] = [:], body: String? = nil) async throws -> Reply {
        let (port, text) = try request(method, address, headers: headers, body: body)
        return try await ClientSocket.blocking {
            let connection = try ClientSocket(port: port)
            try connection.send(text)
            return try reply(to: method, on: connection)
        }
    }

    static func send(_ method: String, _ address: String, json: JSON, headers: [String: String] = [:]) async throws -> Reply {
        let headers = headers.merging(["Content-Type": "application/json"]) { mine, _ in mine }
        return try await send(method, address, headers: headers, body: String(decoding: JSONEncoder().encode(json), as: UTF8.self))
    }

    static func post(_ form: [(String, String)], to address: String, headers: [String: String] = [:]) async throws -> Reply {
        try await send("POST", address, headers: headers.merging(formType) { mine, _ in mine }, body: encoded(form))
    }

    static let formType = ["Content-Type": "application/x-www-form-urlencoded"]

    /// Encodes a form as a browser does.
    static func encoded(_ form: [(String, String)]) -> String {
        func escaped(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
        return form.map { "\(escaped($0.0))=\(escaped($0.1))" }.joined(separator: "&")
    }

    /// The text of a request after which the connection is closed, and the port to send it to.
    static func request(
        _ method: String, _ address: String, headers: [String: String] = [:], body: String? = nil
    ) throws -> (port: UInt16, text: String) {
        guard let parts = address.wholeMatch(of: #/http://([^/:]+:(\d+))(/[^#]*)?/#), let port = UInt16(parts.2) else {
            throw ClientSocket.Broken(call: "address \(address)", code: 0)
        }
        var headers = headers.merging(["Host": String(parts.1), "Connection": "close"]) { mine, _ in mine }
        if body != nil || method == "POST" { headers["Content-Length"] = String(body?.utf8.count ?? 0) }
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        return (port, "\(method) \(parts.3 ?? "/") HTTP/1.1\r\n\(lines)\r\n\(body ?? "")")
    }

    /// The reply to a request that was sent; throws when the connection ends before it is whole.
    static func reply(to method: String, on connection: ClientSocket) throws -> Reply {
        let received = try connection.receive { received in
            guard let (head, body) = parts(received) else { return false }
            return method == "HEAD" || body.count >= length(head)
        }
        guard let (head, body) = parts(received), method == "HEAD" || body.count >= length(head),
            let status = head.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw ClientSocket.Broken(call: "reply", code: 0) }
        let fields = head.split(separator: "\r\n").dropFirst().map { line in
            (line.prefix { $0 != ":" }.lowercased(), line.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces))
        }
        return Reply(status: status, headers: Dictionary(fields) { $1 }, body: String(decoding: body, as: UTF8.self))
    }

    /// Nil while the head is not whole.
    private static func parts(_ received: [UInt8]) -> (head: String, body: ArraySlice<UInt8>)? {
        received.firstRange(of: Array("\r\n\r\n".utf8)).map {
            (String(decoding: received[..<$0.lowerBound], as: UTF8.self), received[$0.upperBound...])
        }
    }

    private static func length(_ head: String) -> Int {
        head.firstMatch(of: #/(?i)\r\ncontent-length: *(\d+)/#).flatMap { Int($0.1) } ?? 0
    }
}
