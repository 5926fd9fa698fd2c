import COpenSSL

/// A server certificate with its chain and private key, checked to match and to be valid (K3).
public final class TLSIdentity: Sendable {
    /// The reason why a certificate or key cannot be used.
    public struct LoadError: Error, CustomStringConvertible {
        public enum File: Sendable { case certificate, privateKey }

        /// The file that the operator has to correct.
        public let file: File
        /// The end of a sentence that begins with the name of the file.
        public let cause: String

        public var description: String { cause }
    }

    // These three are not modified after `init`, and OpenSSL's reference counts are atomic.
    // Source: openssl-threads(7).
    nonisolated(unsafe) let certificate: OpenSSLHandle
    nonisolated(unsafe) let chain: OpenSSLHandle
    nonisolated(unsafe) let key: OpenSSLHandle
    /// The OCSP response in DER to staple, nil if there is none that is valid now.
    let ocspResponse: [UInt8]?
    /// Whether an OCSP response was given but is not stapled, because it is for another
    /// certificate, has expired, or does not say *good*. That is usual just after a renewal, so it
    /// is not an error.
    public let omitsOCSPResponse: Bool
    /// The DNS names of the certificate in lower case, some of them as `*.example.com`.
    public let names: Set<String>
    /// The first second at which the certificate is no longer valid, since 1970.
    public let expiresAt: Int

    /// - Parameters:
    ///   - certificate: the server's certificate in PEM, followed by its chain.
    ///   - privateKey: the private key in PEM, without a password.
    ///   - ocspResponse: an OCSP response in DER.
    ///   - unixSeconds: the current time, at which the certificate must be valid.
    ///   - mayHaveExpired: whether a certificate is accepted after its end, too.
    public init(
        certificate: [UInt8], privateKey: [UInt8], ocspResponse: [UInt8]?, at unixSeconds: Int, mayHaveExpired: Bool = false
    ) throws(LoadError) {
        func unusable(_ file: LoadError.File, _ cause: String) -> LoadError { LoadError(file: file, cause: cause) }
        guard let (own, others) = Self.certificates(certificate) else { throw unusable(.certificate, "contains no certificate in PEM") }
        guard let key = Self.key(privateKey) else {
            throw unusable(.privateKey, "contains no private key in PEM without a password")
        }
        guard X509_check_private_key(own.pointer, key.pointer) == 1 else {
            throw unusable(.privateKey, "is not the private key of the certificate")
        }
        guard let age = Self.span(from: X509_get0_notBefore(own.pointer), to: unixSeconds), age >= .zero else {
            throw unusable(.certificate, "is not valid yet")
        }
        guard let past = Self.span(from: X509_get0_notAfter(own.pointer), to: unixSeconds), past < .zero || mayHaveExpired else {
            throw unusable(.certificate, "has expired")
        }
        guard X509_check_purpose(own.pointer, X509_PURPOSE_SSL_SERVER, 0) == 1 else {
            throw unusable(.certificate, "is not for a TLS server")
        }
        if let issuer = onward_first(others.pointer), X509_check_issued(issuer, own.pointer) != X509_V_OK {
            throw unusable(.certificate, "is followed by a certificate that did not issue it")
        }
        let valid = ocspResponse.flatMap { response in
            response.withUnsafeBufferPointer { onward_is_good_ocsp_response($0.baseAddress, $0.count, own.pointer) } == 1 ? response : nil
        }
        (self.ocspResponse, omitsOCSPResponse) = (valid, ocspResponse != nil && valid == nil)
        names = Self.names(of: own.pointer)
        expiresAt = unixSeconds - Int(past.components.seconds)
        (self.certificate, chain, self.key) = (own, others, key)
    }

    private static func certificates(_ pem: [UInt8]) -> (own: OpenSSLHandle, others: OpenSSLHandle)? {
        reading(pem) { source in
            guard let own = OpenSSLHandle(PEM_read_bio_X509(source, nil, nil, nil), free: X509_free),
                let others = OpenSSLHandle(onward_new_chain(), free: onward_free_chain)
            else { return nil }
            while let next = PEM_read_bio_X509(source, nil, nil, nil) {
                guard onward_append(others.pointer, next) > 0 else { return nil }
            }
            return (own, others)
        }
    }

    private static func key(_ pem: [UInt8]) -> OpenSSLHandle? {
        reading(pem) { source in
            // Without a callback, OpenSSL would ask for a password at the terminal.
            OpenSSLHandle(PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil), free: EVP_PKEY_free)
        }
    }

    /// Initialises OpenSSL without its `atexit` handler, which would free what worker threads still
    /// use while the process exits. Only the first call in a process has an effect.
    private static let isOpenSSLInitialised = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    private static func reading<T>(_ pem: [UInt8], _ body: (OpaquePointer) -> T?) -> T? {
        _ = isOpenSSLInitialised
        defer { ERR_clear_error() }
        return pem.withUnsafeBytes { bytes in
            let source = OpenSSLHandle(BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))) { BIO_free($0) }
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
