internal import Base
internal import CCurl

/// A libcurl easy handle. HTTP transfers have it on the `TransferLoop` only. Its calls for SMTP
/// block, so they run on a `WorkerPool` only.
final class CurlHandle: Sendable {
    // It may be used by different threads as long as no two use it at once. Source:
    // libcurl-thread(3).
    nonisolated(unsafe) let easy: UnsafeMutableRawPointer

    /// Whether libcurl was initialised.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Creates a handle; nil if memory is exhausted.
    init?() {
        guard Self.isReady, let easy = curl_easy_init() else { return nil }
        self.easy = easy
    }

    deinit { curl_easy_cleanup(easy) }

    /// Sets options; returns the first error, or `CURLE_OK`.
    func set(_ numbers: KeyValuePairs<CURLoption, Int>, _ texts: KeyValuePairs<CURLoption, String>) -> CURLcode {
        let codes = numbers.map { onward_curl_number(easy, $0, $1) } + texts.map { onward_curl_text(easy, $0, $1) }
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    /// Trusts the certificates of a PEM file in place of the system's. The file is read for each
    /// new connection, so that it can be replaced.
    func trust(only caFile: String) -> CURLcode {
        let codes = [
            set([CURLOPT_CA_CACHE_TIMEOUT: 0], [CURLOPT_CAINFO: caFile]), onward_curl_none(easy, CURLOPT_CAPATH),
        ]
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    /// Sets the time limits.
    /// - Parameters:
    ///   - connecting: the time limit for connecting, TLS included.
    ///   - total: the time limit for the whole transfer.
    func limit(connecting: Duration, total: Duration) -> CURLcode {
        let code = onward_curl_number(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, connecting.wholeMilliseconds)))
        return code == CURLE_OK ? onward_curl_number(easy, CURLOPT_TIMEOUT_MS, Int(max(1, total.wholeMilliseconds))) : code
    }

    /// The options of every connection: verified certificates, TLS 1.2 or later.
    static var connectionOptions: KeyValuePairs<CURLoption, Int> {
        [
            CURLOPT_NOSIGNAL: 1,
            CURLOPT_FOLLOWLOCATION: 0,
            CURLOPT_SSLVERSION: Int(CURL_SSLVERSION_TLSv1_2),
            CURLOPT_SSL_VERIFYPEER: 1,
            CURLOPT_SSL_VERIFYHOST: 2,
            // After a timeout libcurl does not wait for its thread that looks up a name.
            CURLOPT_QUICK_EXIT: 1,
        ]
    }
}

extension Duration {
    /// The whole milliseconds of this span, rounded towards zero.
    var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
