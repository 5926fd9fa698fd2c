internal import COpenSSL

/// The state of libcrypto in this process: its initialisation and the algorithms that it must
/// offer.
public enum OpenSSL {
    /// Initialises libcrypto without its `atexit` handler, which would free what worker threads
    /// still use while the process exits. Only the first call in a process has an effect.
    static let isInitialised = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    /// Thrown at start if libcrypto lacks algorithms that this server needs.
    public struct MissingAlgorithms: Error, CustomStringConvertible {
        public let names: [String]

        public var description: String {
            "OpenSSL on this machine does not offer \(names.joined(separator: ", ")). This server needs OpenSSL's default "
                + "provider; activate it in openssl.cnf. A FIPS provider alone is not enough."
        }
    }

    /// The name and version of libcrypto.
    public static var libraryVersion: String {
        String(cString: OpenSSL_version(OPENSSL_VERSION)).split(separator: " ").prefix(2).joined(separator: " ")
    }

    /// Checks that libcrypto offers every algorithm of this target. To be called before anything
    /// else here.
    public static func requireAlgorithms() throws(MissingAlgorithms) {
        let missing = Algorithm.all.filter { $0.pointer() == nil }.map(\.name) + keyAlgorithms.filter { !isOffered($0) }
        ERR_clear_error()
        if !missing.isEmpty { throw MissingAlgorithms(names: missing) }
    }

    /// The algorithms that libcrypto looks up by itself, once in each call that uses them.
    private static let keyAlgorithms = ["HKDF", "SCRYPT", "PBKDF2", "RSA", "ECDSA"]

    private static func isOffered(_ name: String) -> Bool {
        _ = isInitialised
        let (derivation, signature) = (EVP_KDF_fetch(nil, name, nil), EVP_SIGNATURE_fetch(nil, name, nil))
        defer {
            EVP_KDF_free(derivation)
            EVP_SIGNATURE_free(signature)
        }
        return derivation != nil || signature != nil
    }

    /// Ends the process if a call failed that can only fail because memory is exhausted, as Swift's
    /// own allocations do. `requireAlgorithms` has excluded the other cause, a missing algorithm.
    static func check(_ status: Int32) { precondition(status == 1, "libcrypto could not allocate memory") }

    /// The object that libcrypto allocated. Ends the process if memory is exhausted.
    static func allocated(_ object: OpaquePointer?) -> OpaquePointer {
        precondition(object != nil, "libcrypto could not allocate memory")
        return object!
    }

    /// The error of the last call on this thread. Empties libcrypto's error queue.
    static func lastError() -> OpenSSLError {
        let reason = ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) }
        ERR_clear_error()
        return OpenSSLError(reason: reason ?? "unknown error")
    }
}

/// A call of libcrypto failed.
public struct OpenSSLError: Error, CustomStringConvertible {
    /// OpenSSL's own text, for the log.
    public let reason: String

    public var description: String { "libcrypto failed: \(reason)" }
}

/// An algorithm of libcrypto, fetched once: looking one up costs several times as much as hashing a
/// short message.
struct Algorithm: Sendable {
    let name: String
    let pointer: @Sendable () -> OpaquePointer?

    static let all = [
        Algorithm(name: "MD5") { md5 }, Algorithm(name: "SHA1") { sha1 }, Algorithm(name: "SHA2-256") { sha256 },
        Algorithm(name: "SHA2-512") { sha512 }, Algorithm(name: "ChaCha20-Poly1305") { chaCha20Poly1305 },
        Algorithm(name: "AES-256-CTR") { aes256CTR },
    ]

    // libcrypto never changes a fetched algorithm and counts its users atomically; none is freed.
    // Source: openssl-threads(7).
    nonisolated(unsafe) static let md5 = digest("MD5")
    nonisolated(unsafe) static let sha1 = digest("SHA1")
    nonisolated(unsafe) static let sha256 = digest("SHA2-256")
    nonisolated(unsafe) static let sha512 = digest("SHA2-512")
    nonisolated(unsafe) static let chaCha20Poly1305 = cipher("ChaCha20-Poly1305")
    nonisolated(unsafe) static let aes256CTR = cipher("AES-256-CTR")

    private static func digest(_ name: String) -> OpaquePointer? { OpenSSL.isInitialised ? EVP_MD_fetch(nil, name, nil) : nil }
    private static func cipher(_ name: String) -> OpaquePointer? { OpenSSL.isInitialised ? EVP_CIPHER_fetch(nil, name, nil) : nil }
}
