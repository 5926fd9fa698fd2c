internal import Base

extension Passwords {
    /// A stored password in the form in which another system imports it.
    public struct Exported: Sendable {
        public let scheme: HashScheme
        public let hash, salt: [UInt8]
    }

    /// The exported form of a stored password; nil if it is damaged, or its key is
    /// from before the secret was replaced. Onward's own hashes are standard scrypt.
    public func exported(_ stored: String) -> Exported? {
        switch read(stored) {
        case .own(let hash):
            var parameters = HashScheme.Parameters(hashAlgorithm: "STANDARD_SCRYPT")
            parameters.numbers = [
                .cpuMemCost: 1 << hash.cost.logN, .blockSize: hash.cost.r, .parallelization: hash.cost.p, .dkLen: hash.key.count,
            ]
            return (try? HashScheme(parameters)).map { Exported(scheme: $0, hash: hash.key, salt: hash.salt) }
        case .imported(let hash): return Exported(scheme: hash.scheme, hash: hash.scheme.firebaseSpelling(of: hash.hash), salt: hash.salt)
        case nil: return nil
        }
    }
}

extension HashScheme {
    /// The hash as Firebase expects it: MD5 in hex, all others as bytes. Source:
    /// firebase-admin-node, test/integration/auth.spec.ts.
    fileprivate func firebaseSpelling(of hash: [UInt8]) -> [UInt8] {
        guard case .digest(.md5, _, _) = kind else { return hash }
        return Array(hash.hexadecimal.utf8)
    }
}
