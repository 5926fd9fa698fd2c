/// How another system hashed its passwords: what an import says once for all of its accounts. Each that exists can be computed, and
/// costs no more than the ceilings beside its fields allow (S5).
package struct HashScheme: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// Firebase's own: scrypt's output is the AES-256-CTR key under which the signer key is encrypted. 128 · 2^memoryCost · rounds bytes.
        /// Source: the README of github.com/firebase/scrypt.
        case firebaseScrypt(signerKey: [UInt8], saltSeparator: [UInt8], rounds: Int, memoryCost: Int)
        /// Source: RFC 7914.
        case scrypt(n: Int, blockSize: Int, parallelization: Int, dkLen: Int)
        /// The hash is the whole string from `$2b$` on, which holds cost and salt.
        case bcrypt
        /// As many bytes as the hash has. Source: RFC 8018.
        case pbkdf2(HashName, rounds: Int)
        case hmac(HashName, key: [UInt8], order: Order)
        /// Hashed `rounds` times, each time the bytes of the last. MD5 with 0 rounds is hashed once, too.
        case digest(HashName, rounds: Int, order: Order)
    }

    /// How salt and password are put together.
    enum Order: String, Sendable {
        case saltFirst = "SALT_AND_PASSWORD"
        case passwordFirst = "PASSWORD_AND_SALT"
    }

    let kind: Kind

    /// Reads the fields of `batchCreate`; those that the algorithm does not need are ignored. Refuses `MISSING_HASH_ALGORITHM`,
    /// `INVALID_HASH_ALGORITHM`, `INVALID_HASH_ROUNDS` and, for other fields, `INVALID_ARGUMENT`.
    ///
    /// Where no order is given, an HMAC is of the password first and a plain digest of the salt first: so do the Admin SDKs' tests against
    /// production. Source: firebase-admin-node, test/integration/auth.spec.ts.
    package init(_ fields: Fields) throws(ActionError) {
        guard let algorithm = fields.hashAlgorithm else {
            throw .refused(.missingHashAlgorithm, detail: "hashAlgorithm must say how the passwords were hashed")
        }
        switch algorithm {
        case "SCRYPT":
            // The hash is as long as the key: a short one would let every 256th password in.
            kind = .firebaseScrypt(
                signerKey: try fields.key(bytes: 16...1024), saltSeparator: try fields.separator(maxBytes: 64),
                rounds: try fields.number(.rounds, in: 1...8), memoryCost: try fields.number(.memoryCost, in: 1...14))
        case "STANDARD_SCRYPT":
            kind = try Self.scrypt(fields)
        case "BCRYPT":
            kind = .bcrypt
        case "PBKDF2_SHA256":
            kind = .pbkdf2(.sha256, rounds: try fields.number(.rounds, in: Self.pbkdf2Rounds))
        case "PBKDF_SHA1":
            kind = .pbkdf2(.sha1, rounds: try fields.number(.rounds, in: Self.pbkdf2Rounds))
        default:
            if let hash = HashName(rawValue: algorithm) {
                kind = .digest(
                    hash, rounds: try fields.number(.rounds, in: (hash == .md5 ? 0 : 1)...8192), order: try fields.order(else: .saltFirst))
            } else if algorithm.hasPrefix("HMAC_"), let hash = HashName(rawValue: String(algorithm.dropFirst(5))) {
                kind = .hmac(hash, key: try fields.key(bytes: 1...1024), order: try fields.order(else: .passwordFirst))
            } else {
                throw .refused(
                    .invalidHashAlgorithm,
                    detail:
                        "hashAlgorithm must be SCRYPT, STANDARD_SCRYPT, BCRYPT, PBKDF2_SHA256, PBKDF_SHA1, MD5, SHA1, SHA256, SHA512, or one "
                        + "of the last four after HMAC_")
            }
        }
    }

    /// Firebase stops at 120,000; others write up to a million, which is a second's work.
    private static let pbkdf2Rounds = 1...1_000_000

    /// At most 128 MiB and about two seconds: OWASP's dearest row, 2^17 with blocks of 8, and twice its work.
    private static func scrypt(_ fields: Fields) throws(ActionError) -> Kind {
        let n = try fields.number(.cpuMemCost, in: 2...(1 << 20))
        let blockSize = try fields.number(.blockSize, in: 1...64)
        let parallelization = try fields.number(.parallelization, in: 1...64)
        let dkLen = try fields.number(.dkLen, in: ImportedHash.derivedBytes)
        guard n.nonzeroBitCount == 1, blockSize > 1 || n < 1 << 16 else {
            throw .refused(.invalidArgument, detail: "/cpuMemCost must be a power of two, below 65536 with a blockSize of 1")
        }
        guard n * blockSize <= 1 << 20, n * blockSize * parallelization <= 1 << 21 else {
            throw .refused(
                .invalidArgument,
                detail:
                    "/cpuMemCost times blockSize must be 1048576 at most, and 2097152 times parallelization: more would take the machine")
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
