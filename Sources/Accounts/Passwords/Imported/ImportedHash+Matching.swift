internal import Crypto
internal import CryptoExtras
internal import Foundation

extension ImportedHash {
    /// Whether the other system would have taken `password`. Blocks for as long as the scheme costs; compares in constant time (T6).
    func matches(_ password: String) throws -> Bool {
        if case .bcrypt = scheme.kind { return Bcrypt(hash)?.matches(password) ?? false }
        return Passwords.equal(try derive(Array(password.utf8)), hash)
    }

    /// Whether the scheme looked at a part of `password` only, so that a match proves no more than that part.
    func ignoresPart(of password: String) -> Bool { scheme.kind == .bcrypt && password.utf8.count > Bcrypt.maxPasswordBytes }

    private func derive(_ password: [UInt8]) throws -> [UInt8] {
        switch scheme.kind {
        case .firebaseScrypt(let signerKey, let saltSeparator, let rounds, let memoryCost):
            let key = try KDF.Scrypt.deriveKey(
                from: Data(password), salt: Data(salt + saltSeparator), outputByteCount: 32, rounds: 1 << memoryCost, blockSize: rounds,
                parallelism: 1)
            let zero = try AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 16))
            return Array(try AES._CTR.encrypt(Data(signerKey), using: key, nonce: zero))
        case .scrypt(let n, let blockSize, let parallelization, let dkLen):
            return try KDF.Scrypt.deriveKey(
                from: Data(password), salt: Data(salt), outputByteCount: dkLen, rounds: n, blockSize: blockSize,
                parallelism: parallelization
            ).withUnsafeBytes { Array($0) }
        case .bcrypt:
            return []
        case .pbkdf2(let name, let rounds):
            return try KDF.Insecure.PBKDF2.deriveKey(
                from: Data(password), salt: Data(salt), using: name == .sha1 ? .insecureSHA1 : .sha256, outputByteCount: hash.count,
                unsafeUncheckedRounds: rounds
            ).withUnsafeBytes { Array($0) }
        case .hmac(let name, let key, let order):
            return name.authenticate(order == .saltFirst ? salt + password : password + salt, key: key)
        case .digest(let name, let rounds, let order):
            let first = name.digest(order == .saltFirst ? salt + password : password + salt)
            return (1..<max(1, rounds)).reduce(first) { last, _ in name.digest(last) }
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
