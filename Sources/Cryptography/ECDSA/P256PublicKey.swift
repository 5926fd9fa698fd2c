internal import COpenSSL

/// An ECDSA public key on the curve P-256, for signatures with SHA-256. Source: FIPS 186-5, RFC
/// 5480.
public struct P256PublicKey: Sendable {
    private let key: KeyHandle

    /// Nil for anything but the DER of one `SubjectPublicKeyInfo` with a point of this curve.
    public init?(der: [UInt8]) {
        let der = SecretBytes(der)
        guard let key = KeyHandle(der, { d2i_PUBKEY(nil, $0, $1) }), key.isOnP256,
            SecretBytes.written({ i2d_PUBKEY(key.pointer, $0) }) == der
        else { return nil }
        self.key = key
    }

    /// Makes a key of the coordinates in a JSON Web Key. Nil if they are not a point of this curve.
    /// Source: RFC 7518 section 6.2.1, RFC 5480 section 2.
    public init?(x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateBytes, y.count == Self.coordinateBytes else { return nil }
        self.init(der: Self.envelope + [0x04] + x + y)
    }

    private static let coordinateBytes = 32

    /// The start of the DER of every key of this curve, up to the point.
    private static let envelope: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01,
        0x07, 0x03, 0x42, 0x00,
    ]

    /// Whether `signature` is the key's signature of `message`, as ES256 writes signatures: two
    /// numbers of 32 bytes. Source: RFC 7518 section 3.4.
    public func verifies(raw signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 2 * Self.coordinateBytes else { return false }
        let numbers = Self.integer(signature.prefix(Self.coordinateBytes)) + Self.integer(signature.suffix(Self.coordinateBytes))
        return verifies([0x30, UInt8(numbers.count)] + numbers, of: message)
    }

    /// The DER of an unsigned number of at most 32 bytes. Source: X.690 section 8.3.
    private static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = Array(number.drop { $0 == 0 })
        if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
        return [0x02, UInt8(bytes.count)] + bytes
    }

    /// Whether `signature` is the key's signature of `message`.
    /// - Parameter signature: the DER of `ECDSA-Sig-Value`. Source: RFC 3279 section 2.2.3.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool { key.verifies(signature, of: message, .sha256) }
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
