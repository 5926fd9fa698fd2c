internal import COpenSSL

/// Functions that derive keys from secrets and passwords.
public enum KeyDerivation {
    /// HKDF with SHA-256. Source: RFC 5869.
    /// - Parameters:
    ///   - info: says what the key is for; a different text makes an independent key.
    ///   - count: from 1 to 8,160 bytes.
    public static func hkdfSHA256(_ secret: SecretBytes, salt: [UInt8] = [], info: [UInt8], count: Int) -> SecretBytes {
        precondition((1...255 * 32).contains(count), "HKDF with SHA-256 makes 1 to 8160 bytes")
        _ = OpenSSL.isInitialised
        let context = OpenSSL.allocated(EVP_PKEY_CTX_new_from_name(nil, "HKDF", nil))
        defer { EVP_PKEY_CTX_free(context) }
        OpenSSL.check(EVP_PKEY_derive_init(context))
        OpenSSL.check(EVP_PKEY_CTX_set_hkdf_md(context, Algorithm.sha256))
        OpenSSL.check(
            secret.withUnsafeBytes {
                EVP_PKEY_CTX_set1_hkdf_key(context, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32($0.count))
            })
        OpenSSL.check(salt.withAddress { EVP_PKEY_CTX_set1_hkdf_salt(context, $0, Int32($1)) })
        OpenSSL.check(info.withAddress { EVP_PKEY_CTX_add1_hkdf_info(context, $0, Int32($1)) })
        return SecretBytes(count: count) { key in
            var written = count
            OpenSSL.check(EVP_PKEY_derive(context, key.baseAddress?.assumingMemoryBound(to: UInt8.self), &written))
        }
    }

    /// Scrypt, which takes about 128 · r · (N + p) bytes of memory. Throws if the parameters are
    /// out of the algorithm's range or memory is exhausted. Source: RFC 7914.
    /// - Parameter n: a power of two, below 2^(16r).
    public static func scrypt(
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
    public static func pbkdf2(
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
