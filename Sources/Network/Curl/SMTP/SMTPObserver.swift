internal import CCurl

/// Follows the dialogue that libcurl holds with an SMTP server until both have agreed on TLS and
/// extensions, and ends it if the server sends too much.
final class SMTPObserver {
    /// The largest number of lines and bytes that a server may send before it is greeted. The
    /// longest answers to EHLO have about 20 lines.
    static let maxLines = 80, maxBytes = 16_384

    private let log: (SMTPDialogueLine) -> Void
    private(set) var stage = SMTPConnectionError.Stage.connecting
    /// The lines of the last answer, without line ends.
    private(set) var answer: [String] = []
    private(set) var isOverLimit = false
    /// Whether the next line begins another answer.
    private var isAnswerComplete = false
    private var isExtended = false
    private var lineCount = 0, byteCount = 0

    init(log: @escaping (SMTPDialogueLine) -> Void) { self.log = log }

    static func at(_ argument: UnsafeMutableRawPointer?) -> SMTPObserver? {
        argument.map { Unmanaged<SMTPObserver>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Installs the callbacks, until `stopObserving` is called.
    func observe(_ easy: UnsafeMutableRawPointer) -> CURLcode {
        let argument = Unmanaged.passUnretained(self).toOpaque()
        let code = onward_curl_trace(
            easy,
            { _, kind, bytes, count, argument in
                SMTPObserver.at(argument)?.note(kind, UnsafeRawBufferPointer(start: bytes, count: count))
                return 0
            }, argument)
        guard code == CURLE_OK else { return code }
        return onward_curl_sink(
            easy, CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA,
            { SMTPObserver.at($3)?.receive(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) == true ? $1 * $2 : 0 }, argument)
    }

    /// Removes the callbacks, which libcurl would also call when it closes the connection.
    static func stopObserving(_ easy: UnsafeMutableRawPointer) {
        _ = onward_curl_number(easy, CURLOPT_VERBOSE, 0)
        for argument in [CURLOPT_DEBUGDATA, CURLOPT_HEADERDATA] { _ = onward_curl_none(easy, argument) }
    }

    private func note(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
        switch kind {
        case CURLINFO_HEADER_OUT:
            let command = Self.line(bytes)
            log(.sent(command))
            stage = command.hasPrefix("STARTTLS") ? .startTLS : .ehlo
            isExtended = command.hasPrefix("EHLO")
            isAnswerComplete = true
        case CURLINFO_TEXT:
            // libcurl 7 drops the middle of a line that is longer than its buffer. Later ones fail.
            if bytes.starts(with: Array("Excessive server response line".utf8)) { isOverLimit = true }
        default: break
        }
    }

    /// Records a line of the server; returns whether the dialogue goes on.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let line = Self.line(bytes)
        if stage == .connecting { stage = .greeting }
        if isAnswerComplete { (answer, isAnswerComplete) = ([], false) }
        answer.append(line)
        (lineCount, byteCount) = (lineCount + 1, byteCount + bytes.count)
        if lineCount > Self.maxLines || byteCount > Self.maxBytes { isOverLimit = true }
        if !isOverLimit { log(.received(line)) }
        return !isOverLimit
    }

    /// The extensions that the server offers: the lines of its answer to EHLO after the first,
    /// without codes. Empty if it was greeted with HELO.
    var extensions: [String] {
        isExtended ? answer.dropFirst().filter { $0.hasPrefix("250") }.map { String($0.dropFirst(4)) } : []
    }

    private static func line(_ bytes: UnsafeRawBufferPointer) -> String {
        var bytes = bytes[...]
        while let last = bytes.last, last == 10 || last == 13 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
