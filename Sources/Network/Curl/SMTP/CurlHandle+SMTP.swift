internal import Base
internal import CCurl

extension CurlHandle {
    /// Connects to an SMTP server, up to and with its last answer to EHLO. The handle can then only
    /// be used to send and receive, and its connection is not shared.
    /// - Returns: the extensions that the server offers.
    func connect(
        to endpoint: SMTPEndpoint, limits: SMTPLimits, before deadline: Uptime, log: @escaping (SMTPDialogueLine) -> Void
    ) throws(SMTPConnectionError) -> [String] {
        let remaining = deadline - .now
        guard remaining > .zero else { throw SMTPConnectionError(.connecting, "it was too slow for earlier mails") }
        let observer = SMTPObserver(log: log)
        var message = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let outcome = withExtendedLifetime(observer) {
            message.withUnsafeMutableBufferPointer { message -> CURLcode in
                let code = prepare(endpoint, limits, remaining, observer, message.baseAddress)
                defer {
                    _ = onward_curl_message(easy, nil)
                    SMTPObserver.stopObserving(easy)
                }
                return code == CURLE_OK ? curl_easy_perform(easy) : code
            }
        }
        guard outcome == CURLE_OK else {
            throw SMTPConnectionError(outcome, after: observer, remark: String(nulTerminated: message))
        }
        if endpoint.encryption != .none { log(.event(try encryptionRemark(observer))) }
        return observer.extensions
    }

    private func prepare(
        _ endpoint: SMTPEndpoint, _ limits: SMTPLimits, _ remaining: Duration, _ observer: SMTPObserver,
        _ message: UnsafeMutablePointer<CChar>?
    ) -> CURLcode {
        var codes = [
            set(Self.connectionOptions, [:]), limit(connecting: min(limits.connect, remaining), total: remaining),
            set(
                [
                    CURLOPT_CONNECT_ONLY: 1,
                    CURLOPT_USE_SSL: endpoint.encryption == .none ? onward_curl_without_tls : onward_curl_only_with_tls,
                    CURLOPT_SERVER_RESPONSE_TIMEOUT: Int(max(1, (limits.answer + .milliseconds(999)).components.seconds)),
                    CURLOPT_CERTINFO: 1,
                ],
                [
                    CURLOPT_URL: endpoint.url,
                    CURLOPT_PROTOCOLS_STR: "smtp,smtps",
                    // No proxy of the environment: a relay is where the configuration says.
                    CURLOPT_PROXY: "",
                ]),
            onward_curl_message(easy, message),
            observer.observe(easy),
        ]
        if let file = endpoint.caFile { codes.append(trust(only: file)) }
        if let key = endpoint.pinnedPublicKey { codes.append(onward_curl_text(easy, CURLOPT_PINNEDPUBLICKEY, key)) }
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    /// A remark about the server's certificate, which also proves that there was a TLS handshake.
    private func encryptionRemark(_ observer: SMTPObserver) throws(SMTPConnectionError) -> String {
        var properties: [Substring: Substring] = [:]
        var next = onward_curl_certificate(easy)
        while let property = next {
            let parts = String(cString: property.pointee.data).split(separator: ":", maxSplits: 1)
            if parts.count == 2 { properties[parts[0]] = parts[1] }
            next = property.pointee.next
        }
        guard !properties.isEmpty else { throw SMTPConnectionError(observer.stage, "the connection is not encrypted") }
        let (subject, expiry) = (properties["Subject"] ?? "an unnamed subject", properties["Expire date"] ?? "an unknown time")
        return "TLS, certificate of \(subject) until \(expiry)"
    }
}

extension String {
    fileprivate init(nulTerminated characters: [CChar]) {
        self.init(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension SMTPConnectionError {
    /// The failure to connect, from libcurl's error and what was said before.
    fileprivate init(_ code: CURLcode, after observer: SMTPObserver, remark: String) {
        let last = observer.answer.last ?? ""
        let isRefusal = last.first.map { $0 == "4" || $0 == "5" } ?? false
        let answer = isRefusal ? observer.answer.joined(separator: " ") : nil
        // CURLE_TOO_LARGE, which libcurl has since 8.6.
        let isTooLarge = code.rawValue == 100 || remark.hasPrefix("Too large")
        switch code {
        case _ where observer.isOverLimit || isTooLarge: self.init(observer.stage, "its answer is too long")
        case CURLE_COULDNT_RESOLVE_HOST: self.init(.connecting, "its name cannot be resolved")
        case CURLE_COULDNT_CONNECT: self.init(.connecting, "it cannot be connected to")
        case CURLE_OPERATION_TIMEDOUT: self.init(observer.stage, "it did not answer in time")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            self.init(.handshake, "its certificate is not accepted: \(remark.oneLine)")
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: self.init(.handshake, "its public key is not one of the pinned keys")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER: self.init(.handshake, "the TLS handshake failed: \(remark.oneLine)")
        case CURLE_USE_SSL_FAILED where observer.stage == .ehlo: self.init(.startTLS, "it does not offer STARTTLS")
        case CURLE_WEIRD_SERVER_REPLY where observer.stage == .startTLS && !isRefusal:
            self.init(.startTLS, "it sent text before the TLS handshake")
        case _ where isRefusal: self.init(observer.stage, "it refused", answer: answer)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING: self.init(observer.stage, "it closed the connection")
        default: self.init(observer.stage, String(cString: curl_easy_strerror(code)))
        }
    }
}

extension String {
    /// The text without line ends and control characters.
    fileprivate var oneLine: String { String(unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) }) }
}
