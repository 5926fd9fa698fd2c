internal import COpenSSL

/// The hash functions that this server computes. MD5 exists only for password hashes that were
/// imported, SHA-1 also for signatures of Amazon SNS and one-time passwords.
///
/// Source: RFC 1321 (MD5), FIPS 180-4.
public enum HashFunction: Sendable, CaseIterable {
    case md5, sha1, sha256, sha512

    /// The length of a hash in bytes.
    public var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// The length in bytes of the blocks that are hashed one after another.
    var blockByteCount: Int { self == .sha512 ? 128 : 64 }

    var algorithm: OpaquePointer? {
        switch self {
        case .md5: Algorithm.md5
        case .sha1: Algorithm.sha1
        case .sha256: Algorithm.sha256
        case .sha512: Algorithm.sha512
        }
    }

    public func hash(_ message: [UInt8]) -> [UInt8] {
        message.withAddress { address, count in
            [UInt8](unsafeUninitializedCapacity: byteCount) { hash, filled in
                OpenSSL.check(EVP_Digest(address, count, hash.baseAddress, nil, algorithm, nil))
                filled = byteCount
            }
        }
    }

    /// The hash of a secret, itself one.
    func hash(_ secret: SecretBytes) -> SecretBytes {
        SecretBytes(count: byteCount) { hash in
            let start = hash.baseAddress?.assumingMemoryBound(to: UInt8.self)
            OpenSSL.check(secret.withUnsafeBytes { EVP_Digest($0.baseAddress, $0.count, start, nil, algorithm, nil) })
        }
    }
}
