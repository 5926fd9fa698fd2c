internal import COpenSSL

/// An RSA private key for RS256: RSASSA-PKCS1-v1_5 with SHA-256. Source: RFC 7518 section 3.3.
public struct RSAPrivateKey: Sendable {
    let key: KeyHandle

    /// Generates a key, which takes a tenth of a second and more.
    /// - Parameter bits: the size of the modulus.
    public init(generating bits: Int = 2048) throws(OpenSSLError) {
        _ = OpenSSL.isInitialised
        let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1,
            EVP_PKEY_generate(context, &made) == 1, let made
        else { throw OpenSSL.lastError() }
        guard let key = KeyHandle(made) else { throw OpenSSL.lastError() }
        self.key = key
    }

    /// Reads a key that was written by `pem`. Nil for anything else, and for an encrypted key.
    public init?(pem: some Collection<UInt8>) {
        guard let block = PEM(pem), block.label == "PRIVATE KEY",
            let document = block.der.read({ d2i_PKCS8_PRIV_KEY_INFO(nil, $0, $1) }, free: PKCS8_PRIV_KEY_INFO_free)
        else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(document) }
        guard let key = KeyHandle(EVP_PKCS82PKEY(document)), key.isRSA else { return nil }
        self.key = key
    }

    /// The key as PKCS #8 in PEM, labelled `PRIVATE KEY`. Source: RFC 5958.
    public func pem() throws(OpenSSLError) -> SecretBytes {
        let document = EVP_PKEY2PKCS8(key.pointer)
        defer { PKCS8_PRIV_KEY_INFO_free(document) }
        guard let document, let der = SecretBytes.written({ i2d_PKCS8_PRIV_KEY_INFO(document, $0) }) else { throw OpenSSL.lastError() }
        return PEM(label: "PRIVATE KEY", der: der).text
    }

    public var publicKey: RSAPublicKey { RSAPublicKey(of: key) }

    /// The signature of `message` by RS256.
    public func sign(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        let state = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(state) }
        guard EVP_DigestSignInit(state, nil, Algorithm.sha256, nil, key.pointer) == 1 else { throw OpenSSL.lastError() }
        let signature = [UInt8](unsafeUninitializedCapacity: Int(EVP_PKEY_get_size(key.pointer))) { signature, count in
            count = Int(EVP_PKEY_get_size(key.pointer))
            let status = message.withAddress { EVP_DigestSign(state, signature.baseAddress, &count, $0, $1) }
            if status != 1 { count = 0 }
        }
        guard !signature.isEmpty else { throw OpenSSL.lastError() }
        return signature
    }
}
