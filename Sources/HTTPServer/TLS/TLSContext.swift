import COpenSSL

/// All that a new connection's TLS goes by: identities by name, ticket keys, and the settings of the protocol. It never changes:
/// new certificates or keys make another one, and running connections keep theirs (K2).
///
/// TLS 1.2 and 1.3 with forward secrecy and authenticated ciphers only; no renegotiation, compression, early data or client
/// certificates (K1).
package final class TLSContext: Sendable {
    /// Identities for the same names, of which OpenSSL shows the one whose kind of key the client can verify.
    private struct Host {
        let context: Handle
        let names: Set<String>
    }

    private static let ciphers = """
        ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:\
        ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
        """
    private static let suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    private static let groups = "X25519:P-256:P-384"

    /// In the order of the configuration: the first is shown to clients that ask for no name, or for one that none is for (K5).
    package let identities: [TLSIdentity]
    /// For a successor to go on with, so that sessions outlive new certificates.
    package let tickets: TicketKeys
    // OpenSSL shares an SSL_CTX between threads as long as nobody changes it, and nobody does after `init`. Source: openssl-threads(7).
    private nonisolated(unsafe) let hosts: [Host]

    /// Throws `TLSIdentity.Unusable` for an identity that is too weak to be shown, or when there is none.
    package init(_ identities: [TLSIdentity], tickets: TicketKeys = TicketKeys()) throws(TLSIdentity.Unusable) {
        var hosts: [Host] = []
        for identity in identities {
            let host: Host
            if let known = hosts.first(where: { !$0.names.isEmpty && $0.names == identity.names }) {
                host = known
            } else {
                host = Host(context: try Self.context(), names: identity.names)
                hosts.append(host)
            }
            let status = SSL_CTX_use_cert_and_key(
                host.context.pointer, identity.certificate.pointer, identity.key.pointer, identity.chain.pointer, 0)
            guard status == 1 else { throw .init(part: .certificate, cause: "cannot be used: \(Self.reason)") }
        }
        guard !hosts.isEmpty else { throw .init(part: .certificate, cause: "is missing") }
        (self.identities, self.tickets, self.hosts) = (identities, tickets, hosts)
        let this = Unmanaged.passUnretained(self).toOpaque()
        for host in hosts {
            onward_on_server_name(host.context.pointer, onServerName, this)
            onward_on_status_request(host.context.pointer, onStatusRequest, this)
            SSL_CTX_set_tlsext_ticket_key_evp_cb(host.context.pointer, sealOrOpenTicket)
        }
    }

    /// A connection's handle, which keeps what of the context it needs. Nil when memory is out.
    func connection() -> Handle? { Handle(SSL_new(hosts[0].context.pointer), free: SSL_free) }

    /// Whether a certificate is for a host, by its own name or by a wildcard in place of the first label.
    package func covers(_ host: String) -> Bool { self.host(named: host.lowercased()) != nil }

    private func host(named name: String) -> Host? {
        let wildcard = name.firstIndex(of: ".").map { "*" + name[$0...] }
        return hosts.first { $0.names.contains(name) } ?? hosts.first { host in wildcard.map(host.names.contains) ?? false }
    }

    private static func context() throws(TLSIdentity.Unusable) -> Handle {
        guard let context = Handle(SSL_CTX_new(TLS_server_method()), free: SSL_CTX_free),
            onward_harden(context.pointer, ciphers, suites, groups) == 1
        else { throw .init(part: .certificate, cause: "cannot be used: OpenSSL lacks what TLS needs: \(reason)") }
        SSL_CTX_set_timeout(context.pointer, Int(2 * TicketKeys.period.components.seconds))
        return context
    }

    private static var reason: String { onward_reason().map { String(cString: $0) } ?? "unknown" }

    // MARK: What OpenSSL asks for during a handshake

    fileprivate func choose(for ssl: OpaquePointer, _ name: String) -> Int32 {
        guard let host = host(named: name.lowercased()) else { return SSL_TLSEXT_ERR_NOACK }
        SSL_set_SSL_CTX(ssl, host.context.pointer)
        return SSL_TLSEXT_ERR_OK
    }

    fileprivate func staple(to ssl: OpaquePointer) -> Int32 {
        let shown = SSL_get_certificate(ssl)
        guard let response = identities.first(where: { $0.certificate.pointer == shown })?.staple,
            response.withUnsafeBufferPointer({ onward_staple(ssl, $0.baseAddress, $0.count) }) == 1
        else { return SSL_TLSEXT_ERR_NOACK }
        return SSL_TLSEXT_ERR_OK
    }
}

// Called by OpenSSL within calls of `TLSSession`, which holds the context that `argument` is.

private func onServerName(_ ssl: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let ssl, let argument, let name = onward_server_name(ssl) else { return SSL_TLSEXT_ERR_NOACK }
    return Unmanaged<TLSContext>.fromOpaque(argument).takeUnretainedValue().choose(for: ssl, String(cString: name))
}

private func onStatusRequest(_ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let ssl, let argument else { return SSL_TLSEXT_ERR_NOACK }
    return Unmanaged<TLSContext>.fromOpaque(argument).takeUnretainedValue().staple(to: ssl)
}

/// - Returns: 1 for done, 2 for done and in need of a new ticket, 0 for a ticket that is none of ours, -1 for a failure.
private func sealOrOpenTicket(
    _ ssl: OpaquePointer?, _ name: UnsafeMutablePointer<UInt8>?, _ vector: UnsafeMutablePointer<UInt8>?, _ cipher: OpaquePointer?,
    _ mac: OpaquePointer?, _ seals: Int32
) -> Int32 {
    guard let ssl, let name, let vector, let keys = TLSSession.of(ssl)?.context.tickets else { return -1 }
    if seals == 1 {
        guard RAND_bytes(vector, EVP_CIPHER_get_iv_length(EVP_aes_256_cbc())) == 1 else { return -1 }
        name.update(from: keys.sealing.name, count: TicketKeys.Key.nameBytes)
        return onward_ticket(cipher, mac, keys.sealing.secret, vector, 1) == 1 ? 1 : -1
    }
    let wanted = UnsafeBufferPointer(start: name, count: TicketKeys.Key.nameBytes)
    guard let key = [keys.sealing, keys.previous].compactMap(\.self).first(where: { wanted.elementsEqual($0.name) }) else { return 0 }
    guard onward_ticket(cipher, mac, key.secret, vector, 0) == 1 else { return -1 }
    return key.name == keys.sealing.name ? 1 : 2
}
