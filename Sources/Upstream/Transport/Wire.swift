internal import Accounts
internal import CCurl

/// A libcurl handle, which keeps its connection open from one query to the next. It blocks, so it is used on a `WorkerPool` only.
final class Wire: Sendable {
    // Whoever uses it took it from a pool of idle ones, and gives it back afterwards. A handle may go from thread to thread as long as
    // no two use it at a time. Source: libcurl-thread(3).
    nonisolated(unsafe) private let easy: UnsafeMutableRawPointer

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Nil when memory is out.
    init?() {
        guard Self.isReady, let easy = curl_easy_init() else { return nil }
        self.easy = easy
    }

    deinit { curl_easy_cleanup(easy) }

    /// Sends a query and waits for all of its reply. Follows no redirect, takes no cookie, and trusts whom the system trusts.
    /// - Parameters:
    ///   - opening: for how long it may try to connect, TLS included.
    ///   - whole: for how long it may take in all.
    func send(_ query: Query, opening: Duration, whole: Duration) throws(Lost) -> Reply {
        // Forgets what the last query set, but keeps the connection.
        curl_easy_reset(easy)
        var fields: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(fields) }
        for field in query.fields {
            guard let more = curl_slist_append(fields, field) else { throw Lost(cause: "out of memory") }
            fields = more
        }
        let sink = Sink()
        let outcome = withExtendedLifetime(sink) { () -> CURLcode in
            let code = prepare(query, fields, sink, opening: opening, whole: whole)
            return code == CURLE_OK ? curl_easy_perform(easy) : code
        }
        guard outcome == CURLE_OK else {
            let cause = sink.isFull ? "the answer is too long" : String(cString: curl_easy_strerror(outcome))
            guard onward_curl_found(easy, CURLINFO_REQUEST_SIZE) > 0 else { throw Lost(cause: cause) }
            throw Lost(cause: cause, deed: outcome == CURLE_OPERATION_TIMEDOUT ? .underWay : .uncertain)
        }
        return Reply(status: onward_curl_found(easy, CURLINFO_RESPONSE_CODE), body: sink.bytes)
    }

    private func prepare(
        _ query: Query, _ fields: UnsafeMutablePointer<curl_slist>?, _ sink: Sink, opening: Duration, whole: Duration
    ) -> CURLcode {
        let numbers: KeyValuePairs<CURLoption, Int> = [
            CURLOPT_NOSIGNAL: 1,
            CURLOPT_CONNECTTIMEOUT_MS: Int(max(1, opening.milliseconds)),
            CURLOPT_TIMEOUT_MS: Int(max(1, whole.milliseconds)),
            CURLOPT_FOLLOWLOCATION: 0,
            CURLOPT_HTTP_VERSION: Int(CURL_HTTP_VERSION_1_1),
            CURLOPT_SSLVERSION: Int(CURL_SSLVERSION_TLSv1_2),
            CURLOPT_SSL_VERIFYPEER: 1,
            CURLOPT_SSL_VERIFYHOST: 2,
        ]
        let texts: KeyValuePairs<CURLoption, String> = [
            CURLOPT_URL: query.url,
            // Nothing that a reply says makes it speak something else.
            CURLOPT_PROTOCOLS_STR: "http,https",
            CURLOPT_USERAGENT: "Onward",
            // What is on this machine is not reached through the proxy that the environment may name.
            CURLOPT_NOPROXY: "localhost,127.0.0.1,::1",
        ]
        var codes = numbers.map { onward_curl_number(easy, $0, $1) } + texts.map { onward_curl_text(easy, $0, $1) }
        codes.append(onward_curl_fields(easy, fields))
        if let body = query.body { codes.append(onward_curl_post(easy, body, body.count)) }
        let argument = Unmanaged.passUnretained(sink).toOpaque()
        codes.append(
            onward_curl_sink(
                easy, CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA, { Sink.at($3)?.pass($1 * $2) == true ? $1 * $2 : 0 }, argument))
        codes.append(
            onward_curl_sink(
                easy, CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA,
                { Sink.at($3)?.take(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) == true ? $1 * $2 : 0 }, argument))
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }
}

/// Where the pieces of a body are put together.
private final class Sink {
    private(set) var bytes: [UInt8] = []
    private(set) var isFull = false
    private var headCount = 0

    static func at(_ argument: UnsafeMutableRawPointer?) -> Sink? {
        argument.map { Unmanaged<Sink>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether so many more bytes of the head are still acceptable. Answers that announce another one count along.
    func pass(_ count: Int) -> Bool {
        headCount += count
        isFull = headCount > Reply.longestHead
        return !isFull
    }

    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        isFull = bytes.count + piece.count > Reply.longest
        if !isFull { bytes.append(contentsOf: piece) }
        return !isFull
    }
}
