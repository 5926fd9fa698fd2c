extension Passwords {
    /// A stored password as another system takes it in.
    package struct Exported: Sendable {
        package let scheme: HashScheme
        package let hash, salt: [UInt8]
    }

    /// Opens what is stored; nil for what was sealed by another secret, or is damaged. Onward's own hashes are plain scrypt.
    package func exported(_ stored: String) -> Exported? {
        switch read(stored) {
        case .own(let hash):
            var fields = HashScheme.Fields(hashAlgorithm: "STANDARD_SCRYPT")
            fields.numbers = [
                .cpuMemCost: 1 << hash.cost.logN, .blockSize: hash.cost.r, .parallelization: hash.cost.p, .dkLen: hash.key.count,
            ]
            return (try? HashScheme(fields)).map { Exported(scheme: $0, hash: hash.key, salt: hash.salt) }
        case .imported(let hash): return Exported(scheme: hash.scheme, hash: hash.scheme.spelledForFirebase(hash.hash), salt: hash.salt)
        case nil: return nil
        }
    }
}

extension HashScheme {
    /// Firebase wants the hex of MD5 and the bytes of all others. Source: firebase-admin-node, test/integration/auth.spec.ts.
    fileprivate func spelledForFirebase(_ hash: [UInt8]) -> [UInt8] {
        guard case .digest(.md5, _, _) = kind else { return hash }
        return hash.flatMap { byte in
            let hex = String(byte, radix: 16)
            return Array(((hex.count == 1 ? "0" : "") + hex).utf8)
        }
    }
}
