import HTTPTypes
import Testing
@testable import HTTPServer

@Suite struct `A response on the wire` {
    private func write(_ response: HTTPResponse, _ body: String = "", for exchange: ResponseWriter.Exchange) -> (text: String, isOpen: Bool)
    {
        var writer = ResponseWriter()
        var output: [UInt8] = []
        let isOpen = writer.append(response, Array(body.utf8), to: &output, for: exchange, unixSeconds: 784_111_777)
        return (String(decoding: output, as: UTF8.self), isOpen)
    }

    private static let open = ResponseWriter.Exchange(keepsAlive: true)

    @Test func `has a status line, the handler's fields, and the server's own`() {
        let fields: HTTPFields = [.setCookie: "a=1", .setCookie: "b=2", .location: "/x"]
        let (text, isOpen) = write(HTTPResponse(status: .found, headerFields: fields), "Hi", for: Self.open)
        let expected = """
            HTTP/1.1 302 Found\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nLocation: /x\r
            Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 2\r\n\r\nHi
            """
        #expect(text == expected)
        #expect(isOpen)
    }

    /// H15: only the server frames a response, and `Accept-Encoding` chooses a compressed one.
    @Test(arguments: [204, 205, 304, 200]) func `is framed by the server, whatever fields the handler sets`(code: Int) {
        let name = HTTPField.Name("Transfer-Encoding")!
        let fields: HTTPFields = [.contentLength: "99", name: "chunked", .date: "x", .connection: "keep-alive, x"]
        let (text, isOpen) = write(HTTPResponse(status: .init(code: code), headerFields: fields), "body", for: Self.open)
        let length = code == 200 ? "Content-Length: 4\r\n\r\nbody" : code == 205 ? "Content-Length: 0\r\n\r\n" : "\r\n"
        #expect(
            text == "HTTP/1.1 \(code) \(HTTPResponse.Status(code: code).reasonPhrase)\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\(length)")
        #expect(isOpen)
    }

    @Test(arguments: [0, 100, 101, 103, 199]) func `is never informational`(code: Int) {
        #expect(write(HTTPResponse(status: .init(code: code)), for: Self.open).text.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
    }

    @Test func `says whether the connection stays open`() {
        let response = HTTPResponse(status: .ok)
        let closing = HTTPResponse(status: .ok, headerFields: [.connection: "x, Close"])
        #expect(!write(response, for: Self.open).text.contains("Connection:"))
        #expect(write(response, for: .init(isHTTP10: true, keepsAlive: true)).text.contains("\r\nConnection: keep-alive\r\n"))
        for (text, isOpen) in [write(response, for: .init()), write(closing, for: Self.open)] {
            #expect(text.count(where: { $0 == "\r\n" }) == 5 && text.contains("\r\nConnection: close\r\n"))
            #expect(!isOpen)
        }
    }

    /// P9: a response header value contains no control character from input.
    @Test func `contains no control characters from values`() {
        var response = HTTPResponse(status: .init(code: 200, reasonPhrase: "OK\r\nX: 1"))
        response.headerFields.append(HTTPField(name: .location, value: "/\r\nSet-Cookie: a"))
        response.headerFields.append(HTTPField(name: .location, lenientValue: Array("/\u{1}\u{7F}\r\nSet-Cookie: b\0".utf8)))
        let lines = write(response, for: Self.open).text.split(separator: "\r\n")
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { 0x20...0x7E ~= $0 } })
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"), (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ])
    func `has a date in the format of RFC 9110`(seconds: Int, text: String) {
        #expect(HTTPDate.text(seconds) == text)
    }

    @Test(arguments: Rejection.allCases) func `of a rejection has a status of 4xx or 5xx and a sentence`(rejection: Rejection) {
        var writer = ResponseWriter()
        var output: [UInt8] = []
        writer.append(rejection, to: &output, unixSeconds: 0)
        let text = String(decoding: output, as: UTF8.self)
        #expect([.clientError, .serverError].contains(rejection.status.kind))
        #expect(
            text.hasPrefix("HTTP/1.1 \(rejection.status.code) ") && text.hasSuffix("\r\nConnection: close\r\n\r\n\(rejection.sentence)\n"))
    }
}
