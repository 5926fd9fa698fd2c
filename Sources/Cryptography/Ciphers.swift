internal import COpenSSL

/// Authenticated encryption with a 32-byte key. Source: RFC 8439.
///
/// A sealed message is the 12-byte nonce, then the ciphertext, then the 16-byte tag.
public struct ChaCha20Poly1305: Sendable {
    public static let keyByteCount = 32
    public static let nonceByteCount = 12
    public static let tagByteCount = 16

    private let key: SecretBytes

    /// - Parameter key: 32 bytes.
    public init(key: SecretBytes) {
        precondition(key.count == Self.keyByteCount, "a key of ChaCha20-Poly1305 has 32 bytes")
        self.key = key
    }

    /// Encrypts and authenticates a message under a nonce from the system's generator.
    public func seal(_ plain: SecretBytes) -> [UInt8] { seal(plain, nonce: Self.randomNonce()) }
    public func seal(_ plain: [UInt8]) -> [UInt8] { plain.withUnsafeBytes { seal($0, nonce: Self.randomNonce(), authenticating: []) } }

    /// Encrypts and authenticates a message.
    /// - Parameters:
    ///   - nonce: 12 bytes that were never used with this key before.
    ///   - data: authenticated, but not part of the result.
    public func seal(_ plain: SecretBytes, nonce: [UInt8], authenticating data: [UInt8] = []) -> [UInt8] {
        plain.withUnsafeBytes { seal($0, nonce: nonce, authenticating: data) }
    }

    private func seal(_ plain: UnsafeRawBufferPointer, nonce: [UInt8], authenticating data: [UInt8]) -> [UInt8] {
        precondition(nonce.count == Self.nonceByteCount, "a nonce of ChaCha20-Poly1305 has 12 bytes")
        let state = CipherState()
        OpenSSL.check(key.withUnsafeBytes { EVP_EncryptInit_ex2(state.pointer, Algorithm.chaCha20Poly1305, $0.bytes, nonce, nil) })
        var count: Int32 = 0
        if !data.isEmpty { OpenSSL.check(EVP_EncryptUpdate(state.pointer, nil, &count, data, Int32(data.count))) }
        let sealedCount = nonce.count + plain.count + Self.tagByteCount
        return [UInt8](unsafeUninitializedCapacity: sealedCount) { sealed, filled in
            _ = sealed.update(fromContentsOf: nonce)
            let body = sealed.baseAddress.map { $0 + nonce.count }
            if !plain.isEmpty { OpenSSL.check(EVP_EncryptUpdate(state.pointer, body, &count, plain.bytes, Int32(plain.count))) }
            OpenSSL.check(EVP_EncryptFinal_ex(state.pointer, body, &count))
            let tag = body.map { $0 + plain.count }
            OpenSSL.check(EVP_CIPHER_CTX_ctrl(state.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagByteCount), tag))
            filled = sealedCount
        }
    }

    /// The message in `sealed`; nil if any byte of it, of `data` or of the key is not the one it
    /// was sealed with.
    public func open(_ sealed: some Collection<UInt8>, authenticating data: [UInt8] = []) -> [UInt8]? {
        openSecret(sealed, authenticating: data)?.withUnsafeBytes(Array.init)
    }

    /// Opens a message that is a key.
    public func openSecret(_ sealed: some Collection<UInt8>, authenticating data: [UInt8] = []) -> SecretBytes? {
        let sealed = Array(sealed)
        let plainCount = sealed.count - Self.nonceByteCount - Self.tagByteCount
        guard plainCount >= 0 else { return nil }
        let state = CipherState()
        OpenSSL.check(key.withUnsafeBytes { EVP_DecryptInit_ex2(state.pointer, Algorithm.chaCha20Poly1305, $0.bytes, sealed, nil) })
        var tag = Array(sealed.suffix(Self.tagByteCount))
        OpenSSL.check(EVP_CIPHER_CTX_ctrl(state.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag))
        var count: Int32 = 0
        if !data.isEmpty { OpenSSL.check(EVP_DecryptUpdate(state.pointer, nil, &count, data, Int32(data.count))) }
        var isAuthentic = false
        let plain = SecretBytes(count: plainCount) { plain in
            let body = sealed[Self.nonceByteCount..<(Self.nonceByteCount + plainCount)]
            if plainCount > 0 { OpenSSL.check(EVP_DecryptUpdate(state.pointer, plain.bytes, &count, Array(body), Int32(plainCount))) }
            var rest: UInt8 = 0
            isAuthentic = EVP_DecryptFinal_ex(state.pointer, &rest, &count) == 1
        }
        ERR_clear_error()
        return isAuthentic ? plain : nil
    }

    private static func randomNonce() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: nonceByteCount) { nonce, filled in
            _ = OpenSSL.isInitialised
            precondition(RAND_bytes(nonce.baseAddress, Int32(nonceByteCount)) == 1, "libcrypto has no random bytes")
            filled = nonceByteCount
        }
    }
}

/// AES-256 in counter mode, which Firebase's password hash is made of. It authenticates nothing.
/// Source: NIST SP 800-38A.
public enum AES256CTR {
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - counter: the 16-byte initial counter block.
    public static func encrypt(_ plain: [UInt8], key: SecretBytes, counter: [UInt8]) -> [UInt8] {
        precondition(key.count == 32 && counter.count == 16, "AES-256-CTR needs a key of 32 bytes and a counter of 16")
        let state = CipherState()
        OpenSSL.check(key.withUnsafeBytes { EVP_EncryptInit_ex2(state.pointer, Algorithm.aes256CTR, $0.bytes, counter, nil) })
        return [UInt8](unsafeUninitializedCapacity: plain.count) { sealed, filled in
            var count: Int32 = 0
            if !plain.isEmpty { OpenSSL.check(EVP_EncryptUpdate(state.pointer, sealed.baseAddress, &count, plain, Int32(plain.count))) }
            filled = plain.count
        }
    }
}

/// The state of one encryption or decryption, used by one call only. `EVP_CIPHER_CTX_free` clears
/// the key in it.
private final class CipherState {
    let pointer = OpenSSL.allocated(EVP_CIPHER_CTX_new())

    deinit { EVP_CIPHER_CTX_free(pointer) }
}

extension UnsafeRawBufferPointer {
    fileprivate var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate var bytes: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
