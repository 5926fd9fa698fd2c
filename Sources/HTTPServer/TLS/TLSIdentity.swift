import COpenSSL

/// A certificate with its chain and private key, found fit to be shown (K3).
package final class TLSIdentity: Sendable {
    /// Which of its files an operator has to mend, and what is wrong with it.
    package struct Unusable: Error, CustomStringConvertible {
        package enum Part: Sendable { case certificate, privateKey }

        package let part: Part
        /// A sentence's end, behind the name of the file.
        package let cause: String

        package var description: String { cause }
    }

    // Nobody changes any of the three after `init`, and OpenSSL counts who shares them atomically. Source: openssl-threads(7).
    nonisolated(unsafe) let certificate: Handle
    nonisolated(unsafe) let chain: Handle
    nonisolated(unsafe) let key: Handle
    /// An OCSP response that may still be shown, in DER.
    let staple: [UInt8]?
    /// Whether there was one that is not shown: of another certificate, over, or not saying *good*. A renewed certificate finds the one of
    /// its predecessor beside it and is worth more than both.
    package let leavesStapleOut: Bool
    /// The DNS names it is for, in lower case, some of them as `*.example.com`.
    package let names: Set<String>
    /// The first second at which the certificate is no longer valid, since 1970.
    package let endsAt: Int

    /// - Parameters:
    ///   - certificate: the server's own in PEM, and behind it those that lead to a root.
    ///   - privateKey: in PEM, without a password.
    ///   - staple: an OCSP response in DER, shown along if it says now that the certificate is good.
    ///   - unixSeconds: now, as the certificate must be valid.
    package init(certificate: [UInt8], privateKey: [UInt8], staple: [UInt8]?, at unixSeconds: Int) throws(Unusable) {
        func unusable(_ part: Unusable.Part, _ cause: String) -> Unusable { Unusable(part: part, cause: cause) }
        guard let (own, others) = Self.certificates(certificate) else { throw unusable(.certificate, "holds no certificate in PEM") }
        guard let key = Self.key(privateKey) else { throw unusable(.privateKey, "holds no private key in PEM that needs no password") }
        guard X509_check_private_key(own.pointer, key.pointer) == 1 else {
            throw unusable(.privateKey, "is not the key of the certificate")
        }
        guard let age = Self.span(from: X509_get0_notBefore(own.pointer), to: unixSeconds), age >= .zero else {
            throw unusable(.certificate, "is not valid yet")
        }
        guard let past = Self.span(from: X509_get0_notAfter(own.pointer), to: unixSeconds), past < .zero else {
            throw unusable(.certificate, "has expired")
        }
        guard X509_check_purpose(own.pointer, X509_PURPOSE_SSL_SERVER, 0) == 1 else {
            throw unusable(.certificate, "is not for a server")
        }
        if let issuer = onward_first(others.pointer), X509_check_issued(issuer, own.pointer) != X509_V_OK {
            throw unusable(.certificate, "is followed by one that did not issue it")
        }
        let shown = staple.flatMap { staple in
            staple.withUnsafeBufferPointer { onward_may_staple($0.baseAddress, $0.count, own.pointer) } == 1 ? staple : nil
        }
        (self.staple, leavesStapleOut) = (shown, staple != nil && shown == nil)
        names = Self.names(of: own.pointer)
        endsAt = unixSeconds - Int(past.components.seconds)
        (self.certificate, chain, self.key) = (own, others, key)
    }

    private static func certificates(_ pem: [UInt8]) -> (own: Handle, others: Handle)? {
        reading(pem) { source in
            guard let own = Handle(PEM_read_bio_X509(source, nil, nil, nil), free: X509_free),
                let others = Handle(onward_new_chain(), free: onward_free_chain)
            else { return nil }
            while let next = PEM_read_bio_X509(source, nil, nil, nil) {
                guard onward_append(others.pointer, next) > 0 else { return nil }
            }
            return (own, others)
        }
    }

    private static func key(_ pem: [UInt8]) -> Handle? {
        reading(pem) { source in
            // Asked for a password, OpenSSL would ask at the terminal.
            Handle(PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil), free: EVP_PKEY_free)
        }
    }

    private static func reading<T>(_ pem: [UInt8], _ body: (OpaquePointer) -> T?) -> T? {
        defer { ERR_clear_error() }
        return pem.withUnsafeBytes { bytes in
            let source = Handle(BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))) { BIO_free($0) }
            guard let source else { return nil }
            return body(source.pointer)
        }
    }

    private static func span(from moment: UnsafePointer<ASN1_TIME>?, to unixSeconds: Int) -> Duration? {
        var (days, seconds): (Int32, Int32) = (0, 0)
        let now = ASN1_TIME_set(nil, unixSeconds)
        defer { ASN1_TIME_free(now) }
        guard ASN1_TIME_diff(&days, &seconds, moment, now) == 1 else { return nil }
        return .seconds(Int(days) * 86_400 + Int(seconds))
    }

    private static func names(of certificate: OpaquePointer) -> Set<String> {
        var names: Set<String> = []
        withUnsafeMutablePointer(to: &names) { names in
            onward_names(
                certificate,
                { bytes, count, names in
                    let name = String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
                    names?.assumingMemoryBound(to: Set<String>.self).pointee.insert(name.lowercased())
                }, names)
        }
        return names
    }
}
