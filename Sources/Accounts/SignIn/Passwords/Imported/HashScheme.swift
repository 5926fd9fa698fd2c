/// The algorithm and parameters that another system hashed its passwords with, the same for all
/// accounts of an import. Every value can be computed, at a cost within the limits of its
/// parameters (S5).
public struct HashScheme: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// Firebase's own: scrypt makes an AES-256-CTR key, which encrypts the signer key. Takes
        /// 128 · 2^memoryCost · rounds bytes. Source: the README of github.com/firebase/scrypt.
        case firebaseScrypt(signerKey: [UInt8], saltSeparator: [UInt8], rounds: Int, memoryCost: Int)
        /// Source: RFC 7914.
        case scrypt(n: Int, blockSize: Int, parallelization: Int, dkLen: Int)
        /// The hash is the whole string from `$2b$` on, which contains cost and salt.
        case bcrypt
        /// Makes as many bytes as the hash has. Source: RFC 8018.
        case pbkdf2(HashName, rounds: Int)
        case hmac(HashName, key: [UInt8], order: Order)
        /// Hashes `rounds` times, each time the bytes of the hash before. MD5 with 0 rounds hashes
        /// once.
        case digest(HashName, rounds: Int, order: Order)
    }

    /// The order in which salt and password are joined.
    enum Order: String, Sendable {
        case saltFirst = "SALT_AND_PASSWORD"
        case passwordFirst = "PASSWORD_AND_SALT"
    }

    let kind: Kind

    /// Checks parameters; those that the algorithm does not need are ignored. Refuses
    /// `MISSING_HASH_ALGORITHM`, `INVALID_HASH_ALGORITHM`, `INVALID_HASH_ROUNDS` and, for other
    /// parameters, `INVALID_ARGUMENT`.
    ///
    /// Without an order, an HMAC has the password first and a plain digest the salt first, as the
    /// Admin SDKs' tests against production expect. Source: firebase-admin-node,
    /// test/integration/auth.spec.ts.
    public init(_ parameters: Parameters) throws(ActionError) {
        guard let algorithm = parameters.hashAlgorithm else {
            throw .refused(.missingHashAlgorithm, detail: "hashAlgorithm must say how the passwords were hashed")
        }
        switch algorithm {
        case "SCRYPT":
            // The hash is as long as the key, so with a key of one byte every 256th password would
            // match.
            kind = .firebaseScrypt(
                signerKey: try parameters.key(bytes: 16...1024), saltSeparator: try parameters.separator(maxBytes: 64),
                rounds: try parameters.number(.rounds, in: 1...8), memoryCost: try parameters.number(.memoryCost, in: 1...14))
        case "STANDARD_SCRYPT":
            kind = try Self.scrypt(parameters)
        case "BCRYPT":
            kind = .bcrypt
        case "PBKDF2_SHA256":
            kind = .pbkdf2(.sha256, rounds: try parameters.number(.rounds, in: Self.pbkdf2Rounds))
        case "PBKDF_SHA1":
            kind = .pbkdf2(.sha1, rounds: try parameters.number(.rounds, in: Self.pbkdf2Rounds))
        default:
            if let hash = HashName(rawValue: algorithm) {
                kind = .digest(
                    hash, rounds: try parameters.number(.rounds, in: (hash == .md5 ? 0 : 1)...8192),
                    order: try parameters.order(else: .saltFirst))
            } else if algorithm.hasPrefix("HMAC_"), let hash = HashName(rawValue: String(algorithm.dropFirst(5))) {
                kind = .hmac(hash, key: try parameters.key(bytes: 1...1024), order: try parameters.order(else: .passwordFirst))
            } else {
                throw .refused(
                    .invalidHashAlgorithm,
                    detail:
                        "hashAlgorithm must be SCRYPT, STANDARD_SCRYPT, BCRYPT, PBKDF2_SHA256, PBKDF_SHA1, MD5, SHA1, SHA256, SHA512, or one "
                        + "of the last four after HMAC_")
            }
        }
    }

    /// The binary logarithm of the most rounds of bcrypt, which take about a second (S5).
    static let maxBcryptCost = 14

    /// Firebase allows 120,000; other systems use up to a million, which takes a second.
    private static let pbkdf2Rounds = 1...1_000_000

    /// Standard scrypt with at most 128 MiB and about two seconds: the highest memory of OWASP's
    /// table (N = 2^17, r = 8), and twice its work.
    private static func scrypt(_ parameters: Parameters) throws(ActionError) -> Kind {
        let n = try parameters.number(.cpuMemCost, in: 2...(1 << 20))
        let blockSize = try parameters.number(.blockSize, in: 1...64)
        let parallelization = try parameters.number(.parallelization, in: 1...64)
        let dkLen = try parameters.number(.dkLen, in: ImportedHash.derivedBytes)
        guard n.nonzeroBitCount == 1, blockSize > 1 || n < 1 << 16 else {
            throw .refused(.invalidArgument, detail: "/cpuMemCost must be a power of two, below 65536 with a blockSize of 1")
        }
        guard n * blockSize <= 1 << 20, n * blockSize * parallelization <= 1 << 21 else {
            throw .refused(
                .invalidArgument,
                detail:
                    "/cpuMemCost times blockSize must be at most 1048576, and at most 2097152 if multiplied by parallelization")
        }
        return .scrypt(n: n, blockSize: blockSize, parallelization: parallelization, dkLen: dkLen)
    }
}

/// The hash functions of imports, spelled as on the wire.
enum HashName: String, Sendable {
    case md5 = "MD5"
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha512 = "SHA512"
}
