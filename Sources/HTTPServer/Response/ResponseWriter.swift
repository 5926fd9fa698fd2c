import HTTPTypes

/// Spells responses into bytes, one buffer for as many as there are to send. Source: RFC 9112 §4, §5, RFC 9110 §6.6.1, §8.6.
struct ResponseWriter {
    /// What the request says about its answer.
    struct Exchange {
        var isHead = false
        var isHTTP10 = false
        var keepsAlive = false
    }

    private var second = -1
    private var dateLine: [UInt8] = []
    private let strictTransportLine: [UInt8]

    /// - Parameter strictTransport: nil: people do not come by https, or another says so to them.
    init(strictTransport: Duration? = nil) {
        strictTransportLine = strictTransport.map { Array("Strict-Transport-Security: max-age=\($0.components.seconds)\r\n".utf8) } ?? []
    }

    /// Appends `response` to `output`; the fields that frame it are the writer's own, whatever `response` says.
    /// - Returns: whether the connection stays open, which the response may decline with `Connection: close`.
    mutating func append(
        _ response: HTTPResponse, _ body: [UInt8], to output: inout [UInt8], for exchange: Exchange, unixSeconds: Int
    ) -> Bool {
        // A final answer cannot be informational: the client would wait for ever.
        let status = response.status.code < 200 ? HTTPResponse.Status.internalServerError : response.status
        let hasBody = ![204, 205, 304].contains(status.code)
        var isOpen = exchange.keepsAlive
        output.reserveCapacity(output.count + 256 + 48 * response.headerFields.count + (exchange.isHead ? 0 : body.count))
        output.append(contentsOf: "HTTP/1.1 ".utf8)
        append(status.code, to: &output)
        output.append(.space)
        appendNeutralised(status.reasonPhrase, to: &output)
        endLine(&output)
        for field in response.headerFields {
            guard !isOwn(field.name) else {
                if asksToClose(field) { isOpen = false }
                continue
            }
            var name = field.name.rawName
            name.withUTF8 { output.append(contentsOf: $0) }
            output.append(UInt8(ascii: ":"))
            output.append(.space)
            field.withUnsafeBytesOfValue { appendNeutralised($0, to: &output) }
            endLine(&output)
        }
        appendDate(unixSeconds, to: &output)
        output.append(contentsOf: strictTransportLine)
        // 205 promises an empty body; 204 and 304 must not speak of one.
        if hasBody || status.code == 205 {
            output.append(contentsOf: "Content-Length: ".utf8)
            append(hasBody ? body.count : 0, to: &output)
            endLine(&output)
        }
        if !isOpen {
            output.append(contentsOf: "Connection: close\r\n".utf8)
        } else if exchange.isHTTP10 {
            output.append(contentsOf: "Connection: keep-alive\r\n".utf8)
        }
        endLine(&output)
        if hasBody && !exchange.isHead { output.append(contentsOf: body) }
        return isOpen
    }

    /// Appends the server's own refusal, after which the connection ends.
    mutating func append(_ rejection: Rejection, to output: inout [UInt8], unixSeconds: Int) {
        appendPlain(rejection.status, rejection.sentence, to: &output, unixSeconds: unixSeconds)
    }

    /// Appends the answer to a connection beyond the ceiling, after which it ends.
    mutating func appendOverload(to output: inout [UInt8], unixSeconds: Int) {
        appendPlain(.serviceUnavailable, "The server is busy.", [.retryAfter: "1"], to: &output, unixSeconds: unixSeconds)
    }

    static func appendContinue(to output: inout [UInt8]) { output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8) }

    private mutating func appendPlain(
        _ status: HTTPResponse.Status, _ sentence: String, _ fields: HTTPFields = [:], to output: inout [UInt8], unixSeconds: Int
    ) {
        var response = HTTPResponse(status: status, headerFields: fields)
        response.headerFields[.contentType] = "text/plain; charset=utf-8"
        _ = append(response, Array(sentence.utf8) + [.lineFeed], to: &output, for: Exchange(), unixSeconds: unixSeconds)
    }

    private func isOwn(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        // Most names have another length, and comparing strings costs more than spelling them.
        return switch name.utf8.count {
        case 4: name == "date"
        case 10: name == "connection" || name == "keep-alive"
        case 14: name == "content-length"
        case 17: name == "transfer-encoding"
        case 25: name == "strict-transport-security"
        default: false
        }
    }

    private func asksToClose(_ field: HTTPField) -> Bool { field.name == .connection && field.value.lowercased().contains("close") }

    private mutating func appendDate(_ unixSeconds: Int, to output: inout [UInt8]) {
        if unixSeconds != second {
            second = unixSeconds
            dateLine = Array("Date: \(HTTPDate.text(unixSeconds))\r\n".utf8)
        }
        output.append(contentsOf: dateLine)
    }

    private func endLine(_ output: inout [UInt8]) {
        output.append(.carriageReturn)
        output.append(.lineFeed)
    }

    private func append(_ number: Int, to output: inout [UInt8]) {
        if number >= 10 { append(number / 10, to: &output) }
        output.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Whatever a handler puts into a value, it never ends its line: HTTPTypes has a lenient way in.
    private func appendNeutralised(_ bytes: Bytes, to output: inout [UInt8]) {
        guard Grammar.firstControl(in: bytes, 0..<bytes.count) != nil else { return output.append(contentsOf: bytes) }
        output.append(contentsOf: bytes.lazy.map { Grammar.has($0, Grammar.control) ? .space : $0 })
    }

    private func appendNeutralised(_ text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { appendNeutralised($0, to: &output) }
    }
}
