internal import Crypto
internal import CryptoExtras
internal import Foundation

extension ImportedHash {
    /// Whether the other system would have taken `password`. Blocks for as long as the scheme costs; compares in constant time (T6).
    func matches(_ password: String) throws -> Bool {
        let bytes = Array(password.utf8)
        func isHash(_ made: some Collection<UInt8>) -> Bool { Passwords.equal(made, hash) }
        switch scheme.kind {
        case .firebaseScrypt(let signerKey, let saltSeparator, let rounds, let memoryCost):
            let key = try KDF.Scrypt.deriveKey(
                from: Data(bytes), salt: Data(salt + saltSeparator), outputByteCount: 32, rounds: 1 << memoryCost, blockSize: rounds,
                parallelism: 1)
            let zero = try AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 16))
            return isHash(try AES._CTR.encrypt(Data(signerKey), using: key, nonce: zero))
        case .scrypt(let n, let blockSize, let parallelization, let dkLen):
            let key = try KDF.Scrypt.deriveKey(
                from: Data(bytes), salt: Data(salt), outputByteCount: dkLen, rounds: n, blockSize: blockSize, parallelism: parallelization)
            return key.withUnsafeBytes(isHash)
        case .bcrypt:
            return Bcrypt(hash)?.matches(password) ?? false
        case .pbkdf2(let name, let rounds):
            let key = try KDF.Insecure.PBKDF2.deriveKey(
                from: Data(bytes), salt: Data(salt), using: name == .sha1 ? .insecureSHA1 : .sha256, outputByteCount: hash.count,
                unsafeUncheckedRounds: rounds)
            return key.withUnsafeBytes(isHash)
        case .hmac(let name, let key, let order):
            return isHash(name.authenticate(salted(bytes, order), key: key))
        case .digest(let name, let rounds, let order):
            let first = name.digest(salted(bytes, order))
            return isHash((1..<max(1, rounds)).reduce(first) { last, _ in name.digest(last) })
        }
    }

    /// Whether the scheme looked at a part of `password` only, so that a match proves no more than that part.
    func ignoresPart(of password: String) -> Bool { scheme.kind == .bcrypt && password.utf8.count > Bcrypt.maxPasswordBytes }

    private func salted(_ password: [UInt8], _ order: HashScheme.Order) -> [UInt8] {
        switch order {
        case .saltFirst: salt + password
        case .passwordFirst: password + salt
        }
    }
}

extension HashName {
    var byteCount: Int {
        switch self {
        case .md5: Insecure.MD5Digest.byteCount
        case .sha1: Insecure.SHA1Digest.byteCount
        case .sha256: SHA256Digest.byteCount
        case .sha512: SHA512Digest.byteCount
        }
    }

    func digest(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .md5: Array(Insecure.MD5.hash(data: bytes))
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }

    func authenticate(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: key)
        return switch self {
        case .md5: Array(HMAC<Insecure.MD5>.authenticationCode(for: bytes, using: key))
        case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: key))
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: bytes, using: key))
        }
    }
}
