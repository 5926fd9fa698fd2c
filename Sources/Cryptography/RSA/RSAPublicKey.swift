internal import COpenSSL

/// An RSA public key for RS256: RSASSA-PKCS1-v1_5 with SHA-256. Source: RFC 7518 section 3.3.
public struct RSAPublicKey: Sendable {
    private let key: KeyHandle

    /// Thrown for a key that is not accepted.
    public struct Invalid: Error, Sendable {
        /// The end of a sentence for the operator, such as `its key has 1024 bits`.
        public let explanation: String
    }

    /// The accepted sizes in bits. A larger key would make each verification take long.
    public static let acceptedBits = 2048...8192
    /// The largest accepted public exponent in bits, for the same reason.
    private static let maxExponentBits = 33

    /// Reads a public key, or an X.509 certificate that contains one. Neither dates nor issuer of a
    /// certificate are checked.
    /// - Parameter pem: one block labelled `PUBLIC KEY`, `RSA PUBLIC KEY` or `CERTIFICATE`.
    public init(pem: String) throws(Invalid) {
        let unreadable = Invalid(explanation: "it cannot be read as PEM of an RSA key")
        guard let block = PEM(pem.utf8) else { throw unreadable }
        let read: KeyHandle?
        switch block.label {
        case "PUBLIC KEY":
            read = KeyHandle(block.der) { d2i_PUBKEY(nil, $0, $1) }
            guard let read, Self.written(read, i2d_PUBKEY) == block.der else { throw unreadable }
        case "RSA PUBLIC KEY":
            read = KeyHandle(block.der) { d2i_PublicKey(EVP_PKEY_RSA, nil, $0, $1) }
            guard let read, Self.written(read, i2d_PublicKey) == block.der else { throw unreadable }
        case "CERTIFICATE":
            guard let certificate = X509Certificate(der: block.der) else { throw unreadable }
            guard let key = certificate.publicKey, key.isRSA else { throw Invalid(explanation: "the certificate holds no RSA key") }
            read = key
        default: throw Invalid(explanation: "it holds a \(block.label)")
        }
        guard let read, read.isRSA else { throw unreadable }
        try self.init(checking: read)
    }

    /// The one DER encoding of a key. A key that was read is compared with it, because libcrypto
    /// also reads other encodings.
    private static func written(
        _ key: KeyHandle, _ write: (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) -> SecretBytes? {
        SecretBytes.written { write(key.pointer, $0) }
    }

    /// Makes a key of the numbers in a JSON Web Key. Source: RFC 7518 section 6.3.
    /// - Parameters:
    ///   - modulus: `n`, as unsigned big-endian bytes.
    ///   - exponent: `e`, likewise.
    public init(modulus: [UInt8], exponent: [UInt8]) throws(Invalid) {
        guard modulus.count <= Self.acceptedBits.upperBound / 8 + 1, exponent.count <= modulus.count,
            let key = KeyHandle(Self.key(modulus, exponent))
        else { throw Invalid(explanation: "its numbers are not an RSA key") }
        try self.init(checking: key)
    }

    private static func key(_ modulus: [UInt8], _ exponent: [UInt8]) -> OpaquePointer? {
        _ = OpenSSL.isInitialised
        let n = modulus.withAddress { BN_bin2bn($0, Int32($1), nil) }
        let e = exponent.withAddress { BN_bin2bn($0, Int32($1), nil) }
        defer {
            BN_free(n)
            BN_free(e)
        }
        return onward_rsa_public_key(n, e)
    }

    /// Takes a key from outside. With an exponent of 1, every signature could be forged;
    /// `EVP_PKEY_public_check` refuses such keys.
    private init(checking key: KeyHandle) throws(Invalid) {
        self.key = key
        guard Self.acceptedBits.contains(key.bits) else { throw Invalid(explanation: "its key has \(key.bits) bits") }
        let context = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil)
        defer {
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        guard exponent.count * 8 - (exponent.first?.leadingZeroBitCount ?? 0) <= Self.maxExponentBits,
            EVP_PKEY_public_check(context) == 1
        else { throw Invalid(explanation: "its key is not a safe RSA key") }
    }

    /// The public half of a private key of our own.
    init(of key: KeyHandle) { self.key = key }

    /// The modulus `n` as unsigned big-endian bytes.
    public var modulus: [UInt8] { key.number(OSSL_PKEY_PARAM_RSA_N) }
    /// The public exponent `e` as unsigned big-endian bytes.
    public var exponent: [UInt8] { key.number(OSSL_PKEY_PARAM_RSA_E) }

    /// The key as PEM, labelled `PUBLIC KEY`. Source: RFC 5280 section 4.1.2.7.
    public var pem: String {
        Self.written(key, i2d_PUBKEY).map { PEM(label: "PUBLIC KEY", der: $0).publicText } ?? ""
    }

    /// Whether `signature` is the key's signature of `message` by RSASSA-PKCS1-v1_5.
    /// - Parameter function: default: SHA-256, as RS256 has it.
    public func verifies(_ signature: [UInt8], of message: [UInt8], with function: HashFunction = .sha256) -> Bool {
        key.verifies(signature, of: message, function)
    }
}
