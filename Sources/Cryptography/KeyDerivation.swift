internal import COpenSSL

/// Functions that derive keys from secrets and passwords.
package enum KeyDerivation {
    /// HKDF with SHA-256 and an empty salt. Source: RFC 5869.
    /// - Parameters:
    ///   - info: says what the key is for; a different text makes an independent key.
    ///   - count: at most 8,160 bytes.
    package static func hkdfSHA256(_ secret: SecretBytes, salt: [UInt8] = [], info: [UInt8], count: Int) -> SecretBytes {
        precondition(count <= 255 * 32, "HKDF with SHA-256 makes at most 8160 bytes")
        let extracted = SecretBytes(HMACKey(salt, .sha256).authenticate(secret.withUnsafeBytes(Array.init)))
        let expand = HMACKey(extracted, .sha256)
        return SecretBytes(count: count) { key in
            var block: [UInt8] = []
            for (number, start) in stride(from: 0, to: count, by: 32).enumerated() {
                block = expand.authenticate(block + info + [UInt8(number + 1)])
                UnsafeMutableRawBufferPointer(rebasing: key[start...]).copyBytes(from: block.prefix(count - start))
            }
        }
    }

    /// Scrypt, which takes about 128 · r · (N + p) bytes of memory. Throws if the parameters are
    /// out of the algorithm's range or memory is exhausted. Source: RFC 7914.
    /// - Parameter n: a power of two, below 2^(16r).
    package static func scrypt(
        _ password: [UInt8], salt: [UInt8], n: Int, r: Int, p: Int, count: Int
    ) throws(OpenSSLError) -> SecretBytes {
        _ = OpenSSL.isInitialised
        // Exactly what is needed. Zero would mean 32 MiB, and more is refused.
        let memoryLimit = 128 * r * (n + p + 2)
        var status: Int32 = 0
        let key = SecretBytes(count: count) { key in
            password.withUnsafeBytes { password in
                salt.withAddress { salt, saltCount in
                    withPassword(password) { password, passwordCount in
                        status = EVP_PBE_scrypt(
                            password, passwordCount, salt, saltCount, UInt64(n), UInt64(r), UInt64(p), UInt64(memoryLimit),
                            key.baseAddress?.assumingMemoryBound(to: UInt8.self), count)
                    }
                }
            }
        }
        guard status == 1 else { throw OpenSSL.lastError() }
        return key
    }

    /// PBKDF2 with HMAC. Source: RFC 8018.
    package static func pbkdf2(
        _ password: [UInt8], salt: [UInt8], _ function: HashFunction, rounds: Int, count: Int
    ) throws(OpenSSLError) -> SecretBytes {
        var status: Int32 = 0
        let key = SecretBytes(count: count) { key in
            password.withUnsafeBytes { password in
                salt.withAddress { salt, saltCount in
                    withPassword(password) { password, passwordCount in
                        status = PKCS5_PBKDF2_HMAC(
                            password, Int32(passwordCount), salt, Int32(saltCount), Int32(rounds), function.algorithm, Int32(count),
                            key.baseAddress?.assumingMemoryBound(to: UInt8.self))
                    }
                }
            }
        }
        guard status == 1 else { throw OpenSSL.lastError() }
        return key
    }

    /// Calls `body` with the password as C's characters. The address is never null, also for an
    /// empty password.
    private static func withPassword(_ password: UnsafeRawBufferPointer, _ body: (UnsafePointer<CChar>, Int) -> Void) {
        guard let address = password.baseAddress?.assumingMemoryBound(to: CChar.self) else {
            return withUnsafePointer(to: CChar(0)) { body($0, 0) }
        }
        body(address, password.count)
    }
}
