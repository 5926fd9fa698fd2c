internal import COpenSSL

/// An ECDSA public key on the curve P-256, for signatures with SHA-256. Source: FIPS 186-5, RFC
/// 5480.
package struct P256PublicKey: Sendable {
    private let key: KeyHandle

    /// Nil for anything but the DER of one `SubjectPublicKeyInfo` with a point of this curve.
    package init?(der: [UInt8]) {
        let der = SecretBytes(der)
        guard let key = KeyHandle(der, { d2i_PUBKEY(nil, $0, $1) }), key.isOnP256,
            SecretBytes.written({ i2d_PUBKEY(key.pointer, $0) }) == der
        else { return nil }
        self.key = key
    }

    /// Whether `signature` is the key's signature of `message`.
    /// - Parameter signature: the DER of `ECDSA-Sig-Value`. Source: RFC 3279 section 2.2.3.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool { key.verifies(signature, of: message, .sha256) }
}

extension KeyHandle {
    fileprivate var isOnP256: Bool {
        var name = [CChar](repeating: 0, count: 32)
        var count = 0
        defer { ERR_clear_error() }
        return EVP_PKEY_get_base_id(pointer) == EVP_PKEY_EC && EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1
            && name.prefix(count).elementsEqual("prime256v1".utf8.map { CChar(bitPattern: $0) })
    }
}
