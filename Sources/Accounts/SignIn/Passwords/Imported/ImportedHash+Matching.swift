internal import Cryptography

extension ImportedHash {
    /// Whether the other system would have accepted `password`. Blocks for as long as the scheme
    /// costs; compares in constant time (T6).
    func matches(_ password: String) throws -> Bool {
        let bytes = Array(password.utf8)
        func isHash(_ made: [UInt8]) -> Bool { ConstantTime.equal(made, hash) }
        func isHash(_ made: SecretBytes) -> Bool { isHash(made.withUnsafeBytes(Array.init)) }
        switch scheme.kind {
        case .firebaseScrypt(let signerKey, let saltSeparator, let rounds, let memoryCost):
            let key = try KeyDerivation.scrypt(bytes, salt: salt + saltSeparator, n: 1 << memoryCost, r: rounds, p: 1, count: 32)
            return isHash(AES256CTR.encrypt(signerKey, key: key, counter: [UInt8](repeating: 0, count: 16)))
        case .scrypt(let n, let blockSize, let parallelization, let dkLen):
            return isHash(try KeyDerivation.scrypt(bytes, salt: salt, n: n, r: blockSize, p: parallelization, count: dkLen))
        case .bcrypt:
            return BcryptHash(hash, maxCost: HashScheme.maxBcryptCost)?.matches(password) ?? false
        case .pbkdf2(let name, let rounds):
            return isHash(try KeyDerivation.pbkdf2(bytes, salt: salt, name.function, rounds: rounds, count: hash.count))
        case .hmac(let name, let key, let order):
            return isHash(HMACKey(key, name.function).authenticate(salted(bytes, order)))
        case .digest(let name, let rounds, let order):
            let first = name.function.hash(salted(bytes, order))
            return isHash((1..<max(1, rounds)).reduce(first) { last, _ in name.function.hash(last) })
        }
    }

    /// Whether the scheme ignored a part of `password`, so that a match proves only the rest.
    func ignoresPart(of password: String) -> Bool { scheme.kind == .bcrypt && password.utf8.count > BcryptHash.maxPasswordBytes }

    private func salted(_ password: [UInt8], _ order: HashScheme.Order) -> [UInt8] {
        switch order {
        case .saltFirst: salt + password
        case .passwordFirst: password + salt
        }
    }
}

extension HashName {
    var function: HashFunction {
        switch self {
        case .md5: .md5
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}
