import HTTPTypes

/// Serialises responses. Several are appended to one buffer, so that they are sent together.
/// Source: RFC 9112 §4, §5, RFC 9110 §6.6.1, §8.6.
struct ResponseWriter {
    /// The properties of a request that determine the framing of its response.
    struct Exchange {
        var isHead = false
        var isHTTP10 = false
        var keepsAlive = false
    }

    /// The second for which `dateLine` is valid.
    private var second = -1
    private var dateLine: [UInt8] = []
    private let strictTransportLine: [UInt8]

    /// - Parameter strictTransport: the `max-age` of `Strict-Transport-Security`; nil: the field is
    ///   not sent.
    init(strictTransport: Duration? = nil) {
        strictTransportLine = strictTransport.map { Array("Strict-Transport-Security: max-age=\($0.components.seconds)\r\n".utf8) } ?? []
    }

    /// Appends `response` to `output`. Fields that frame it, Date and Strict-Transport-Security are
    /// written by the server; such fields of `response` are ignored.
    /// - Returns: whether the connection stays open. A response with `Connection: close` closes it.
    mutating func append(
        _ response: HTTPResponse, _ body: [UInt8], to output: inout [UInt8], for exchange: Exchange, unixSeconds: Int
    ) -> Bool {
        // An informational status would leave the client waiting for the final response.
        let status = response.status.code < 200 ? HTTPResponse.Status.internalServerError : response.status
        let hasBody = ![204, 205, 304].contains(status.code)
        var isOpen = exchange.keepsAlive
        output.reserveCapacity(output.count + 256 + 48 * response.headerFields.count + (exchange.isHead ? 0 : body.count))
        output.append(contentsOf: "HTTP/1.1 ".utf8)
        append(status.code, to: &output)
        output.append(.space)
        appendSanitised(status.reasonPhrase, to: &output)
        endLine(&output)
        for field in response.headerFields {
            guard !isWrittenByServer(field.name) else {
                if asksToClose(field) { isOpen = false }
                continue
            }
            var name = field.name.rawName
            name.withUTF8 { output.append(contentsOf: $0) }
            output.append(UInt8(ascii: ":"))
            output.append(.space)
            field.withUnsafeBytesOfValue { appendSanitised($0, to: &output) }
            endLine(&output)
        }
        appendDate(unixSeconds, to: &output)
        output.append(contentsOf: strictTransportLine)
        // A 205 needs a length of zero; a 204 or 304 must not have a length.
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

    /// Appends the response to a rejected request, after which the connection ends.
    mutating func append(_ rejection: Rejection, to output: inout [UInt8], unixSeconds: Int) {
        var response = HTTPResponse(status: rejection.status, headerFields: [.contentType: "text/plain; charset=utf-8"])
        if rejection.status == .serviceUnavailable { response.headerFields[.retryAfter] = "1" }
        _ = append(response, Array(rejection.sentence.utf8) + [.lineFeed], to: &output, for: Exchange(), unixSeconds: unixSeconds)
    }

    static func appendContinue(to output: inout [UInt8]) { output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8) }

    private func isWrittenByServer(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        // The length is compared first because comparing the strings is slower than writing them.
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

    /// Appends bytes with control characters replaced by spaces, whatever the handler put into a
    /// value. `HTTPField(name:lenientValue:)` replaces only some of them.
    private func appendSanitised(_ bytes: UnsafeBytes, to output: inout [UInt8]) {
        guard Grammar.firstControl(in: bytes, 0..<bytes.count) != nil else { return output.append(contentsOf: bytes) }
        output.append(contentsOf: bytes.lazy.map { Grammar.has($0, Grammar.control) ? .space : $0 })
    }

    private func appendSanitised(_ text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { appendSanitised($0, to: &output) }
    }
}

/// The format of the Date field, such as `Sun, 06 Nov 1994 08:49:37 GMT`. Source: RFC 9110 §5.6.7.
enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter seconds: the seconds since 1970, not negative.
    static func text(_ seconds: Int) -> String {
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = date(days)
        let time = "\(pad(second / 3_600)):\(pad(second / 60 % 60)):\(pad(second % 60))"
        return "\(weekdays[days % 7]), \(pad(day)) \(months[month - 1]) \(year) \(time) GMT"
    }

    private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The Gregorian date. Years are counted from March, so that a leap day is the last of its
    /// year.
    private static func date(_ daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let days = daysSince1970 + 719_468
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
