import COpenSSL
@testable import HTTPServer

/// A TLS client without I/O, for tests that divide, delay or corrupt the bytes of a connection.
final class TLSClient {
    enum Ending: Equatable { case none, closed, failed }

    private let context = SSL_CTX_new(TLS_client_method())!
    private let ssl: OpaquePointer
    private let received = BIO_new(BIO_s_mem())!
    private let toSend = BIO_new(BIO_s_mem())!
    private(set) var ending = Ending.none

    /// - Parameters:
    ///   - version: the only version it accepts, such as `TLS1_2_VERSION`.
    ///   - ciphers: the ciphers of TLS 1.2.
    init(
        name: String? = "a.example.test", version: Int32 = TLS1_3_VERSION, protocols: String? = nil, ciphers: String = "DEFAULT",
        resuming session: TLSClient? = nil
    ) {
        ssl = SSL_new(context)!
        SSL_set_cipher_list(ssl, ciphers + ":@SECLEVEL=0")
        for bound in [SSL_CTRL_SET_MIN_PROTO_VERSION, SSL_CTRL_SET_MAX_PROTO_VERSION] { SSL_ctrl(ssl, bound, Int(version), nil) }
        SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_STATUS_REQ_TYPE, Int(TLSEXT_STATUSTYPE_ocsp), nil)
        if var name = name.map({ Array($0.utf8CString) }) {
            SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), &name)
        }
        if let protocols {
            let list = [UInt8(protocols.utf8.count)] + Array(protocols.utf8)
            SSL_set_alpn_protos(ssl, list, UInt32(list.count))
        }
        if let session = session.flatMap({ SSL_get1_session($0.ssl) }) {
            SSL_set_session(ssl, session)
            SSL_SESSION_free(session)
        }
        SSL_set_bio(ssl, received, toSend)
        SSL_set_connect_state(ssl)
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    var isConnected: Bool { SSL_is_init_finished(ssl) == 1 }
    var isResumed: Bool { SSL_session_reused(ssl) == 1 }
    var version: Int32 { SSL_version(ssl) }
    var cipher: String { SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)).map { String(cString: $0) } ?? "" }

    var chosenProtocol: String {
        var (start, count): (UnsafePointer<UInt8>?, UInt32) = (nil, 0)
        SSL_get0_alpn_selected(ssl, &start, &count)
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// The stapled OCSP response.
    var ocspResponse: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = withUnsafeMutablePointer(to: &start) { SSL_ctrl(ssl, SSL_CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP, 0, $0) }
        return Array(UnsafeBufferPointer(start: start, count: max(0, count)))
    }

    /// Whether the server's certificate is for a name.
    func sawCertificate(for name: String) -> Bool {
        guard let certificate = SSL_get1_peer_certificate(ssl) else { return false }
        defer { X509_free(certificate) }
        return X509_check_host(certificate, name, name.utf8.count, 0, nil) == 1
    }

    /// Announces a new key, in a record that has no content for the server.
    func updateKey() {
        SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED)
        SSL_do_handshake(ssl)
    }

    func renegotiate() {
        SSL_renegotiate(ssl)
        SSL_do_handshake(ssl)
    }

    /// Continues the handshake with `bytes`, or decrypts them and returns the content.
    func receive(_ bytes: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        if !bytes.isEmpty { BIO_write(received, bytes, Int32(bytes.count)) }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while ending == .none {
            ERR_clear_error()
            let count = SSL_read(ssl, &buffer, Int32(buffer.count))
            if count > 0 {
                content += buffer[..<Int(count)]
                continue
            }
            switch SSL_get_error(ssl, count) {
            case SSL_ERROR_WANT_READ: return content
            case SSL_ERROR_ZERO_RETURN: ending = .closed
            default: ending = .failed
            }
        }
        return content
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        ERR_clear_error()
        if !bytes.isEmpty, SSL_write(ssl, bytes, Int32(bytes.count)) != Int32(bytes.count) { ending = .failed }
    }

    func end() { SSL_shutdown(ssl) }

    /// Removes and returns the bytes to send to the server.
    func take() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(toSend))
        let count = bytes.isEmpty ? 0 : BIO_read(toSend, &bytes, Int32(bytes.count))
        return Array(bytes.prefix(Int(max(0, count))))
    }
}
