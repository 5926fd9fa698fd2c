internal import Base
internal import CCurl
internal import Foundation

/// A libcurl handle for HTTP, which sends one request at a time and collects the response.
/// Redirects are not followed and cookies not stored. It belongs to the `TransferLoop`.
final class HTTPTransfer {
    /// The settings that come from a client and hold for all of its requests.
    struct Settings: Sendable, Hashable {
        /// A PEM file with the only certificates to trust; nil for the system's roots.
        let caFile: String?
        /// Whether connections are made to public addresses only.
        let onlyPublic: Bool
        /// The time after which an idle connection is not used again.
        let maxIdle: Duration
    }

    struct Timeouts: Sendable {
        /// The time limit for connecting, TLS included.
        let connecting: Duration
        /// The time limit for the whole transfer.
        let total: Duration
    }

    /// The seconds after which the system's certificates are read again, which takes about twenty
    /// milliseconds.
    private static let maxAgeOfRoots = 300

    typealias Completion = @Sendable (Result<TransferResponse, TransferError>) -> Void

    private let handle: CurlHandle
    /// The settings that the handle has, apart from what each request sets; nil if it has other
    /// options, too.
    private var settings: Settings?
    private var completion: Completion?
    /// libcurl's words about a failure.
    private let remark = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fields, peers: UnsafeMutablePointer<curl_slist>?
    private var unsentBody: ArraySlice<UInt8> = []
    private var lines: [String] = []
    private var body: [UInt8] = []
    private var headCount = 0
    private var isFull = false
    /// Whether the address that libcurl tried last was refused.
    private var isRefused = false

    /// Creates a transfer; nil if memory is exhausted.
    init?() {
        guard let handle = CurlHandle() else { return nil }
        self.handle = handle
        remark.pointee = 0
    }

    deinit {
        freeLists()
        _ = onward_curl_message(easy, nil)
        remark.deallocate()
    }

    var easy: UnsafeMutableRawPointer { handle.easy }

    /// Gives the handle the options of a request.
    func prepare(
        _ request: TransferRequest, _ settings: Settings, _ timeouts: Timeouts, completion: @escaping Completion
    ) -> CURLcode {
        self.completion = completion
        remark.pointee = 0
        if self.settings != settings {
            self.settings = nil
            curl_easy_reset(easy)
            let code = set(settings)
            guard code == CURLE_OK else { return code }
        }
        // Options that only some requests have do not stay.
        self.settings = request.isSentOnce || request.peer != nil ? nil : settings
        return set(request, timeouts)
    }

    /// Reports the result of the transfer, after which the handle can send the next request.
    func complete(_ code: CURLcode) {
        let result = result(code)
        freeLists()
        (unsentBody, lines, body, headCount, isFull, isRefused) = ([], [], [], 0, false, false)
        completion?(result)
        completion = nil
    }

    private func freeLists() {
        for list in [fields, peers] { curl_slist_free_all(list) }
        (fields, peers) = (nil, nil)
    }

    private func result(_ code: CURLcode) -> Result<TransferResponse, TransferError> {
        guard code == CURLE_OK else {
            let cause =
                if isFull {
                    "the response is too long"
                } else if isRefused {
                    "the address is not public"
                } else if code == CURLE_PEER_FAILED_VERIFICATION, remark.pointee != 0 {
                    "its certificate is not accepted: \(String(cString: remark))"
                } else {
                    String(cString: curl_easy_strerror(code))
                }
            guard onward_curl_found(easy, CURLINFO_REQUEST_SIZE) > 0 else { return .failure(TransferError(cause: cause)) }
            return .failure(TransferError(cause: cause, requestState: code == CURLE_OPERATION_TIMEDOUT ? .pending : .unknown))
        }
        return .success(
            TransferResponse(
                status: onward_curl_found(easy, CURLINFO_RESPONSE_CODE), fields: lines.compactMap(TransferResponse.Field.init), body: body))
    }

    // MARK: Options

    /// The hosts for which the proxy of the environment is not used: this machine, and the
    /// environment's own list, in whose place libcurl takes this one.
    private static let hostsWithoutProxy: String = {
        let variables = ProcessInfo.processInfo.environment
        let list = variables["no_proxy"] ?? variables["NO_PROXY"] ?? ""
        return list == "*" ? list : "localhost,127.0.0.1,::1,\(list)"
    }()

    private func set(_ settings: Settings) -> CURLcode {
        let codes = [
            handle.set(CurlHandle.connectionOptions, [:]),
            handle.set(
                [
                    CURLOPT_HTTP_VERSION: Int(CURL_HTTP_VERSION_1_1), CURLOPT_MAXAGE_CONN: Int(settings.maxIdle.components.seconds),
                ],
                [
                    // A response cannot make libcurl use another protocol.
                    CURLOPT_PROTOCOLS_STR: "http,https",
                    CURLOPT_USERAGENT: "Onward",
                    CURLOPT_NOPROXY: Self.hostsWithoutProxy,
                ]),
            onward_curl_message(easy, remark),
            sink(CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA) {
                HTTPTransfer.at($3)?.takeLine(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) == true ? $1 * $2 : 0
            },
            sink(CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA) {
                HTTPTransfer.at($3)?.append(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) == true ? $1 * $2 : 0
            },
            settings.caFile.map(handle.trust(only:)) ?? onward_curl_keep_roots(easy, Self.maxAgeOfRoots),
            settings.onlyPublic ? refusePrivateAddresses() : CURLE_OK,
        ]
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    private func refusePrivateAddresses() -> CURLcode {
        onward_curl_open(
            easy, { HTTPTransfer.at($0)?.openPublicSocket($2) ?? CURL_SOCKET_BAD }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func set(_ request: TransferRequest, _ timeouts: Timeouts) -> CURLcode {
        for field in request.fields {
            guard let more = field.withCString({ curl_slist_append(fields, $0) }) else { return CURLE_OUT_OF_MEMORY }
            fields = more
        }
        var code = handle.limit(connecting: timeouts.connecting, total: timeouts.total)
        if code == CURLE_OK { code = request.url.withCString { onward_curl_text(easy, CURLOPT_URL, $0) } }
        if code == CURLE_OK { code = onward_curl_fields(easy, fields) }
        if code == CURLE_OK { code = setBody(of: request) }
        if code == CURLE_OK, let peer = request.peer {
            peers = curl_slist_append(nil, "::\(peer)")
            code = peers == nil ? CURLE_OUT_OF_MEMORY : onward_curl_connect_to(easy, peers)
        }
        return code
    }

    private func setBody(of request: TransferRequest) -> CURLcode {
        guard let bytes = request.body else { return onward_curl_number(easy, CURLOPT_HTTPGET, 1) }
        guard request.isSentOnce else { return onward_curl_post(easy, bytes, bytes.count) }
        // libcurl cannot rewind this body, so it cannot repeat the request.
        unsentBody = bytes[...]
        let code = sink(CURLOPT_READFUNCTION, CURLOPT_READDATA) {
            HTTPTransfer.at($3)?.copyBody(to: UnsafeMutableRawBufferPointer(start: $0, count: $1 * $2)) ?? 0
        }
        return code == CURLE_OK ? onward_curl_post(easy, nil, bytes.count) : code
    }

    // MARK: Called by libcurl

    private func sink(
        _ function: CURLoption, _ argument: CURLoption,
        _ take: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int
    ) -> CURLcode {
        onward_curl_sink(easy, function, argument, take, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func at(_ argument: UnsafeMutableRawPointer?) -> HTTPTransfer? {
        argument.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Opens the socket of a connection, unless the address is not public.
    private func openPublicSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        onward_curl_public_socket(address, &isRefused)
    }

    /// Copies the next piece of the request's body; returns its size, 0 at the end.
    private func copyBody(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = unsentBody.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        unsentBody = unsentBody.dropFirst(piece.count)
        return piece.count
    }

    /// Takes a line of the head, or of that of an informational response before it; returns whether
    /// the total is within the limit.
    private func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
        headCount += line.count
        isFull = headCount > TransferResponse.maxHeadBytes
        if line.starts(with: Array("HTTP/".utf8)) {
            lines = []
        } else if body.isEmpty {  // Trailers are no fields of the head.
            lines.append(String(decoding: line, as: UTF8.self))
        }
        return !isFull
    }

    /// Appends bytes of the body; returns whether the total is within the limit.
    private func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        isFull = body.count + piece.count > TransferResponse.maxBodyBytes
        if !isFull { body.append(contentsOf: piece) }
        return !isFull
    }
}

extension TransferResponse.Field {
    /// Nil for a line that is none, such as the last one and those that continue another.
    fileprivate init?(line: String) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), line.utf8.first.map({ $0 > 0x20 }) == true else { return nil }
        self.init(String(line[..<colon]), line[line.utf8.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
