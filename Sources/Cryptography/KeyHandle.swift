internal import COpenSSL

/// The owner of an `EVP_PKEY`. The private numbers of a key are cleared when the last reference to
/// it goes.
final class KeyHandle: Sendable {
    // The key does not change after `init`, and libcrypto locks what it caches in it. Source:
    // openssl-threads(7).
    nonisolated(unsafe) let pointer: OpaquePointer

    /// Takes over `pointer`. Nil, with an empty error queue, if libcrypto returned none.
    init?(_ pointer: OpaquePointer?) {
        guard let pointer else {
            ERR_clear_error()
            return nil
        }
        self.pointer = pointer
    }

    /// Reads a key in DER. Nil if `read` does not read all of it.
    convenience init?(_ der: SecretBytes, _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?) {
        _ = OpenSSL.isInitialised
        self.init(der.read(read, free: EVP_PKEY_free))
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Whether this is an RSA key that may be used with PKCS #1 v1.5, which one for RSASSA-PSS may
    /// not.
    var isRSA: Bool { EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA }

    var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// Whether `signature` is the key's signature of `message`, in the scheme of its kind.
    func verifies(_ signature: [UInt8], of message: [UInt8], _ function: HashFunction) -> Bool {
        let state = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(state)
            ERR_clear_error()
        }
        guard EVP_DigestVerifyInit(state, nil, function.algorithm, nil, pointer) == 1 else { return false }
        return signature.withAddress { signature, count in
            message.withAddress { EVP_DigestVerify(state, signature, count, $0, $1) == 1 }
        }
    }

    /// One of the key's numbers as unsigned big-endian bytes without leading zeros; empty if the
    /// key has no such number.
    func number(_ name: String) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else {
            ERR_clear_error()
            return []
        }
        defer { BN_free(number) }
        return [UInt8](unsafeUninitializedCapacity: Int(BN_num_bits(number) + 7) / 8) { bytes, count in
            count = Int(BN_bn2bin(number, bytes.baseAddress))
        }
    }
}

extension SecretBytes {
    /// Calls a reader of DER; nil if it does not read all bytes.
    func read(
        _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?, free: (OpaquePointer?) -> Void
    ) -> OpaquePointer? {
        withUnsafeBytes { bytes in
            var next = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard let object = read(&next, bytes.count) else { return nil }
            guard UnsafeRawPointer(next) == bytes.baseAddress.map({ $0 + bytes.count }) else {
                free(object)
                return nil
            }
            return object
        }
    }

    /// The DER that a writer of libcrypto makes; nil if it fails.
    static func written(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> SecretBytes? {
        let count = write(nil)
        guard count > 0 else { return nil }
        return SecretBytes(count: Int(count)) { bytes in
            var next = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            _ = write(&next)
        }
    }
}
