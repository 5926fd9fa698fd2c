internal import CCurl

/// An HTTP request on its way: the handle that sends it, and what has arrived of the response.
/// Redirects are not followed and cookies not stored.
final class HTTPTransfer {
    /// The settings of a transfer that come from its client.
    struct Options: Sendable {
        /// A PEM file with the only certificates to trust; nil for the system's roots.
        let caFile: String?
        /// The time limit for connecting, TLS included.
        let connectTimeout: Duration
        /// The time limit for the whole transfer.
        let timeout: Duration
        /// The time after which an idle connection is not used again.
        let maxIdle: Duration
    }

    typealias Completion = @Sendable (Result<TransferResponse, TransferError>) -> Void

    let handle: CurlHandle
    let completion: Completion
    private let request: TransferRequest
    private var sentCount = 0
    private var fields, peers: UnsafeMutablePointer<curl_slist>?
    private var body: [UInt8] = []
    private var headCount = 0
    private var isFull = false

    init(_ request: TransferRequest, by handle: CurlHandle, completion: @escaping Completion) {
        (self.request, self.handle, self.completion) = (request, handle, completion)
    }

    deinit {
        curl_slist_free_all(fields)
        curl_slist_free_all(peers)
    }

    /// Gives the handle the options of this transfer, and only those; it keeps none of the last.
    func prepare(_ options: Options) -> CURLcode {
        curl_easy_reset(handle.easy)
        for field in request.fields {
            guard let more = curl_slist_append(fields, field) else { return CURLE_OUT_OF_MEMORY }
            fields = more
        }
        var codes = [
            handle.set(CurlHandle.connectionOptions(connectTimeout: options.connectTimeout, timeout: options.timeout), [:]),
            handle.set(
                [
                    CURLOPT_HTTP_VERSION: Int(CURL_HTTP_VERSION_1_1), CURLOPT_MAXAGE_CONN: Int(options.maxIdle.components.seconds),
                    // After a timeout libcurl does not wait for its thread that resolves a name.
                    CURLOPT_QUICK_EXIT: 1,
                ],
                [
                    CURLOPT_URL: request.url,
                    // A response cannot make libcurl use another protocol.
                    CURLOPT_PROTOCOLS_STR: "http,https",
                    CURLOPT_USERAGENT: "Onward",
                    // The proxy of the environment is not used for hosts on this machine.
                    CURLOPT_NOPROXY: "localhost,127.0.0.1,::1",
                ]),
            onward_curl_fields(handle.easy, fields),
            sink(CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA) { HTTPTransfer.at($3)?.skipHead($1 * $2) == true ? $1 * $2 : 0 },
            sink(CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA) {
                HTTPTransfer.at($3)?.append(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) == true ? $1 * $2 : 0
            },
        ]
        if let caFile = options.caFile { codes.append(handle.trust(only: caFile)) }
        if let bytes = request.body {
            codes.append(request.isSentOnce ? postOnce(bytes.count) : onward_curl_post(handle.easy, bytes, bytes.count))
        }
        if let peer = request.peer {
            peers = curl_slist_append(nil, "::\(peer)")
            codes.append(peers == nil ? CURLE_OUT_OF_MEMORY : onward_curl_connect_to(handle.easy, peers))
        }
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    /// The response, or the reason why there is none.
    /// - Parameter code: the result of the transfer.
    func result(_ code: CURLcode) -> Result<TransferResponse, TransferError> {
        guard code == CURLE_OK else {
            let cause = isFull ? "the response is too long" : String(cString: curl_easy_strerror(code))
            guard onward_curl_found(handle.easy, CURLINFO_REQUEST_SIZE) > 0 else { return .failure(TransferError(cause: cause)) }
            return .failure(TransferError(cause: cause, requestState: code == CURLE_OPERATION_TIMEDOUT ? .pending : .unknown))
        }
        return .success(
            TransferResponse(
                status: onward_curl_found(handle.easy, CURLINFO_RESPONSE_CODE), body: body,
                contentType: onward_curl_content_type(handle.easy).map { String(cString: $0) },
                cacheControl: onward_curl_header(handle.easy, "Cache-Control").map { String(cString: $0) }))
    }

    /// Sends a body that libcurl cannot rewind, so it cannot repeat the request.
    private func postOnce(_ count: Int) -> CURLcode {
        let codes = [
            handle.set([CURLOPT_POST: 1, CURLOPT_POSTFIELDSIZE: count], [:]),
            sink(CURLOPT_READFUNCTION, CURLOPT_READDATA) {
                HTTPTransfer.at($3)?.copyBody(to: UnsafeMutableRawBufferPointer(start: $0, count: $1 * $2)) ?? 0
            },
        ]
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    // MARK: Called by libcurl

    private func sink(
        _ function: CURLoption, _ argument: CURLoption,
        _ take: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int
    ) -> CURLcode {
        onward_curl_sink(handle.easy, function, argument, take, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func at(_ argument: UnsafeMutableRawPointer?) -> HTTPTransfer? {
        argument.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Copies the next piece of the request's body; returns its size, 0 at the end.
    private func copyBody(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = (request.body ?? [])[sentCount...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        sentCount += piece.count
        return piece.count
    }

    /// Counts bytes of the head, including those of informational responses; returns whether the
    /// total is within the limit.
    private func skipHead(_ count: Int) -> Bool {
        headCount += count
        isFull = headCount > TransferResponse.maxHeadBytes
        return !isFull
    }

    /// Appends bytes of the body; returns whether the total is within the limit.
    private func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        isFull = body.count + piece.count > TransferResponse.maxBodyBytes
        if !isFull { body.append(contentsOf: piece) }
        return !isFull
    }
}
