import COpenSSL

/// The TLS configuration of new connections: identities by name, ticket keys and protocol settings.
/// It is immutable; renewed certificates or keys make another context, and open connections keep
/// theirs (K2).
///
/// TLS 1.2 and 1.3 with forward secrecy and authenticated ciphers only; no renegotiation,
/// compression, early data or client certificates (K1).
public final class TLSContext: Sendable {
    /// The identities for one set of names, such as an RSA and an ECDSA certificate. OpenSSL
    /// selects the one whose kind of key the client can verify.
    private struct ServerName {
        let context: OpenSSLHandle
        let names: Set<String>
    }

    private static let ciphers = """
        ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:\
        ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
        """
    private static let suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    private static let groups = "X25519:P-256:P-384"

    /// The identities in the order of the configuration. The first is the default for clients that
    /// send no server name or an unknown one (K5).
    public let identities: [TLSIdentity]
    /// The keys of session tickets. A later context reuses them, so that sessions survive a
    /// renewal.
    public let ticketKeys: TicketKeys
    // An SSL_CTX that is not modified may be shared between threads, and none is after `init`.
    // Source: openssl-threads(7).
    private nonisolated(unsafe) let serverNames: [ServerName]

    /// Throws `TLSIdentity.LoadError` if OpenSSL refuses an identity, for example because its key
    /// is too weak, or if there is none.
    public init(_ identities: [TLSIdentity], ticketKeys: TicketKeys = TicketKeys()) throws(TLSIdentity.LoadError) {
        var serverNames: [ServerName] = []
        for identity in identities {
            let entry: ServerName
            if let known = serverNames.first(where: { !$0.names.isEmpty && $0.names == identity.names }) {
                entry = known
            } else {
                entry = ServerName(context: try Self.context(), names: identity.names)
                serverNames.append(entry)
            }
            let status = SSL_CTX_use_cert_and_key(
                entry.context.pointer, identity.certificate.pointer, identity.key.pointer, identity.chain.pointer, 0)
            guard status == 1 else { throw .init(file: .certificate, cause: "cannot be used: \(Self.reason)") }
        }
        guard !serverNames.isEmpty else { throw .init(file: .certificate, cause: "is missing") }
        (self.identities, self.ticketKeys, self.serverNames) = (identities, ticketKeys, serverNames)
        let this = Unmanaged.passUnretained(self).toOpaque()
        for entry in serverNames {
            onward_on_server_name(entry.context.pointer, onServerName, this)
            onward_on_status_request(entry.context.pointer, onStatusRequest, this)
            SSL_CTX_set_tlsext_ticket_key_evp_cb(entry.context.pointer, encryptOrDecryptTicket)
        }
    }

    /// Creates the SSL object of a connection; nil if memory is exhausted.
    func connection() -> OpenSSLHandle? { OpenSSLHandle(SSL_new(serverNames[0].context.pointer), free: SSL_free) }

    /// Whether a certificate names a host, exactly or by a wildcard in place of the first label.
    public func covers(_ host: String) -> Bool { serverName(host.lowercased()) != nil }

    private func serverName(_ name: String) -> ServerName? {
        let wildcard = name.firstIndex(of: ".").map { "*" + name[$0...] }
        return serverNames.first { $0.names.contains(name) } ?? serverNames.first { entry in wildcard.map(entry.names.contains) ?? false }
    }

    private static func context() throws(TLSIdentity.LoadError) -> OpenSSLHandle {
        guard let context = OpenSSLHandle(SSL_CTX_new(TLS_server_method()), free: SSL_CTX_free),
            onward_harden(context.pointer, ciphers, suites, groups) == 1
        else { throw .init(file: .certificate, cause: "cannot be used: this OpenSSL lacks an algorithm: \(reason)") }
        SSL_CTX_set_timeout(context.pointer, Int(2 * TicketKeys.period.components.seconds))
        return context
    }

    private static var reason: String { onward_reason().map { String(cString: $0) } ?? "unknown" }

    // MARK: Callbacks of a handshake

    fileprivate func selectIdentity(for ssl: OpaquePointer, _ name: String) -> Int32 {
        guard let entry = serverName(name.lowercased()) else { return SSL_TLSEXT_ERR_NOACK }
        SSL_set_SSL_CTX(ssl, entry.context.pointer)
        return SSL_TLSEXT_ERR_OK
    }

    fileprivate func stapleOCSPResponse(to ssl: OpaquePointer) -> Int32 {
        let selected = SSL_get_certificate(ssl)
        guard let response = identities.first(where: { $0.certificate.pointer == selected })?.ocspResponse,
            response.withUnsafeBufferPointer({ onward_staple(ssl, $0.baseAddress, $0.count) }) == 1
        else { return SSL_TLSEXT_ERR_NOACK }
        return SSL_TLSEXT_ERR_OK
    }
}

// OpenSSL calls these functions during calls of `TLSSession`, which retains the context in
// `argument`.

private func onServerName(_ ssl: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let ssl, let argument, let name = onward_server_name(ssl) else { return SSL_TLSEXT_ERR_NOACK }
    return Unmanaged<TLSContext>.fromOpaque(argument).takeUnretainedValue().selectIdentity(for: ssl, String(cString: name))
}

private func onStatusRequest(_ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let ssl, let argument else { return SSL_TLSEXT_ERR_NOACK }
    return Unmanaged<TLSContext>.fromOpaque(argument).takeUnretainedValue().stapleOCSPResponse(to: ssl)
}

/// Prepares the encryption or decryption of a session ticket.
/// - Returns: 1 on success, 2 on success if the client needs a new ticket, 0 if the key is unknown,
///   -1 on failure. Source: SSL_CTX_set_tlsext_ticket_key_evp_cb(3).
private func encryptOrDecryptTicket(
    _ ssl: OpaquePointer?, _ name: UnsafeMutablePointer<UInt8>?, _ vector: UnsafeMutablePointer<UInt8>?, _ cipher: OpaquePointer?,
    _ mac: OpaquePointer?, _ isEncrypting: Int32
) -> Int32 {
    guard let ssl, let name, let vector, let keys = TLSSession.of(ssl)?.context.ticketKeys else { return -1 }
    if isEncrypting == 1 {
        guard RAND_bytes(vector, EVP_CIPHER_get_iv_length(EVP_aes_256_cbc())) == 1 else { return -1 }
        name.update(from: keys.current.name, count: TicketKeys.Key.nameBytes)
        return onward_ticket(cipher, mac, keys.current.secret, vector, 1) == 1 ? 1 : -1
    }
    let wanted = UnsafeBufferPointer(start: name, count: TicketKeys.Key.nameBytes)
    guard let key = [keys.current, keys.previous].compactMap(\.self).first(where: { wanted.elementsEqual($0.name) }) else { return 0 }
    guard onward_ticket(cipher, mac, key.secret, vector, 0) == 1 else { return -1 }
    return key.name == keys.current.name ? 1 : 2
}
