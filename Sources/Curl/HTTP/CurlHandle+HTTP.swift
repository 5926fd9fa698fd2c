internal import CCurl

extension CurlHandle {
    /// Sends a request and waits for the complete response. Redirects are not followed and cookies
    /// not stored.
    /// - Parameters:
    ///   - caFile: a PEM file with the only certificates to trust; nil for the system's roots.
    ///   - connectTimeout: the time limit for connecting, TLS included.
    ///   - timeout: the time limit for the whole transfer.
    ///   - maxIdle: the time after which an idle connection is not used again.
    func send(
        _ request: TransferRequest, caFile: String?, connectTimeout: Duration, timeout: Duration, maxIdle: Duration
    ) throws(TransferError) -> TransferResponse {
        // Resets the options of the last request but keeps the connection.
        curl_easy_reset(easy)
        var fields: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(fields) }
        for field in request.fields {
            guard let more = curl_slist_append(fields, field) else { throw TransferError(cause: "out of memory") }
            fields = more
        }
        let peers = request.peer.flatMap { curl_slist_append(nil, "::\($0)") }
        defer { curl_slist_free_all(peers) }
        let (collector, body) = (ResponseCollector(), RequestBody(request.body ?? []))
        let outcome = withExtendedLifetime((collector, body)) { () -> CURLcode in
            var code = prepare(request, fields, collector, caFile, connectTimeout: connectTimeout, timeout: timeout, maxIdle: maxIdle)
            if code == CURLE_OK, let bytes = request.body {
                code = request.isSentOnce ? post(once: body) : onward_curl_post(easy, bytes, bytes.count)
            }
            if code == CURLE_OK, let peers { code = onward_curl_connect_to(easy, peers) }
            return code == CURLE_OK ? curl_easy_perform(easy) : code
        }
        guard outcome == CURLE_OK else {
            let cause = collector.isFull ? "the response is too long" : String(cString: curl_easy_strerror(outcome))
            guard onward_curl_found(easy, CURLINFO_REQUEST_SIZE) > 0 else { throw TransferError(cause: cause) }
            throw TransferError(cause: cause, requestState: outcome == CURLE_OPERATION_TIMEDOUT ? .pending : .unknown)
        }
        return TransferResponse(
            status: onward_curl_found(easy, CURLINFO_RESPONSE_CODE), body: collector.body,
            contentType: onward_curl_content_type(easy).map { String(cString: $0) },
            cacheControl: onward_curl_header(easy, "Cache-Control").map { String(cString: $0) })
    }

    private func prepare(
        _ request: TransferRequest, _ fields: UnsafeMutablePointer<curl_slist>?, _ collector: ResponseCollector,
        _ caFile: String?, connectTimeout: Duration, timeout: Duration, maxIdle: Duration
    ) -> CURLcode {
        var codes = [
            set(Self.connectionOptions(connectTimeout: connectTimeout, timeout: timeout), [:]),
            set(
                [CURLOPT_HTTP_VERSION: Int(CURL_HTTP_VERSION_1_1), CURLOPT_MAXAGE_CONN: Int(maxIdle.components.seconds)],
                [
                    CURLOPT_URL: request.url,
                    // A response cannot make libcurl use another protocol.
                    CURLOPT_PROTOCOLS_STR: "http,https",
                    CURLOPT_USERAGENT: "Onward",
                    // The proxy of the environment is not used for hosts on this machine.
                    CURLOPT_NOPROXY: "localhost,127.0.0.1,::1",
                ]),
            onward_curl_fields(easy, fields),
        ]
        if let caFile { codes.append(trust(only: caFile)) }
        let argument = Unmanaged.passUnretained(collector).toOpaque()
        codes.append(
            onward_curl_sink(
                easy, CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA, { ResponseCollector.at($3)?.skipHead($1 * $2) == true ? $1 * $2 : 0 },
                argument))
        codes.append(
            onward_curl_sink(
                easy, CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA,
                { ResponseCollector.at($3)?.append(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) == true ? $1 * $2 : 0 }, argument))
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    /// Sends a body that libcurl cannot rewind, so it cannot repeat the request.
    private func post(once body: RequestBody) -> CURLcode {
        let codes = [
            set([CURLOPT_POST: 1, CURLOPT_POSTFIELDSIZE: body.bytes.count], [:]),
            onward_curl_sink(
                easy, CURLOPT_READFUNCTION, CURLOPT_READDATA,
                { RequestBody.at($3)?.copy(to: UnsafeMutableRawBufferPointer(start: $0, count: $1 * $2)) ?? 0 },
                Unmanaged.passUnretained(body).toOpaque()),
        ]
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }
}

/// A body that is read once, in pieces.
private final class RequestBody {
    let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func at(_ argument: UnsafeMutableRawPointer?) -> RequestBody? {
        argument.map { Unmanaged<RequestBody>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Copies the next piece; returns its size, 0 at the end.
    func copy(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = bytes[offset...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        offset += piece.count
        return piece.count
    }
}

/// Collects the body of a response and enforces the size limits.
private final class ResponseCollector {
    private(set) var body: [UInt8] = []
    private(set) var isFull = false
    private var headCount = 0

    static func at(_ argument: UnsafeMutableRawPointer?) -> ResponseCollector? {
        argument.map { Unmanaged<ResponseCollector>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Counts bytes of the head, including those of informational responses; returns whether the
    /// total is within the limit.
    func skipHead(_ count: Int) -> Bool {
        headCount += count
        isFull = headCount > TransferResponse.maxHeadBytes
        return !isFull
    }

    /// Appends bytes of the body; returns whether the total is within the limit.
    func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        isFull = body.count + piece.count > TransferResponse.maxBodyBytes
        if !isFull { body.append(contentsOf: piece) }
        return !isFull
    }
}
