internal import COpenSSL

/// An X.509 certificate. It is used only as an envelope of a public key. Source: RFC 5280.
public final class X509Certificate: Sendable {
    // The certificate does not change after `init`. Source: openssl-threads(7).
    private nonisolated(unsafe) let pointer: OpaquePointer

    /// Nil for anything but one certificate in DER. Neither its signature nor its dates are
    /// checked.
    init?(der: SecretBytes) {
        _ = OpenSSL.isInitialised
        guard let pointer = der.read({ d2i_X509(nil, $0, $1) }, free: X509_free) else {
            ERR_clear_error()
            return nil
        }
        self.pointer = pointer
    }

    /// Makes a certificate of version 3 in which a key vouches for itself. The same arguments
    /// always give the same bytes.
    /// - Parameters:
    ///   - commonName: of subject and issuer.
    ///   - serial: a positive number of at most 20 bytes, big-endian.
    ///   - notBefore: seconds since 1970; likewise `notAfter`.
    public init(selfSignedBy key: RSAPrivateKey, commonName: String, serial: [UInt8], notBefore: Int, notAfter: Int) throws(OpenSSLError) {
        _ = OpenSSL.isInitialised
        guard let certificate = X509_new() else { throw OpenSSL.lastError() }
        pointer = certificate
        let number = serial.withAddress { BN_bin2bn($0, Int32($1), nil) }
        defer { BN_free(number) }
        let name = X509_get_subject_name(certificate)
        guard X509_set_version(certificate, 2) == 1, BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil,
            X509_NAME_add_entry_by_txt(name, "CN", onward_utf8, commonName, Int32(commonName.utf8.count), -1, 0) == 1,
            X509_set_issuer_name(certificate, name) == 1, ASN1_TIME_set(X509_getm_notBefore(certificate), notBefore) != nil,
            ASN1_TIME_set(X509_getm_notAfter(certificate), notAfter) != nil, X509_set_pubkey(certificate, key.key.pointer) == 1,
            X509_sign(certificate, key.key.pointer, Algorithm.sha256) > 0
        else { throw OpenSSL.lastError() }
    }

    deinit { X509_free(pointer) }

    /// The key that the certificate is for; nil if libcrypto cannot read it.
    var publicKey: KeyHandle? { KeyHandle(X509_get_pubkey(pointer)) }

    /// The certificate as PEM, labelled `CERTIFICATE`.
    public func pem() throws(OpenSSLError) -> String {
        guard let der = SecretBytes.written({ i2d_X509(pointer, $0) }) else { throw OpenSSL.lastError() }
        return PEM(label: "CERTIFICATE", der: der).publicText
    }
}
