internal import Crypto
internal import CryptoExtras
internal import Foundation
package import Queues

/// Hashes and checks passwords on a bounded crew, so that a burst of them cannot take the machine (S5).
package struct Passwords: Sendable {
    /// The price of one hash; memory is 128 · N · r bytes.
    package struct Cost: Sendable, Hashable {
        /// The binary logarithm of N.
        package let logN: Int
        package let r: Int
        package let p: Int

        package init(logN: Int, r: Int, p: Int) {
            self.logN = logN
            self.r = r
            self.p = p
        }

        /// 16 MiB for a hash. Source: OWASP Password Storage Cheat Sheet, scrypt, the row with N = 2^14.
        package static let owasp = Cost(logN: 14, r: 8, p: 5)
        /// For development and tests, where a hash guards nothing.
        package static let cheap = Cost(logN: 10, r: 8, p: 1)
        /// What a stored hash may ask for at most (S5).
        static let ceiling = Cost(logN: 17, r: 16, p: 16)

        /// Whether it takes less memory or less work.
        func isLess(than other: Cost) -> Bool { r << logN < other.r << other.logN || (p * r) << logN < (other.p * other.r) << other.logN }
    }

    private let workerPool: WorkerPool
    private let cost: Cost
    private let secrets: Secrets
    private let random: RandomBytes

    /// - Parameter secrets: seals the keys of imported hashes.
    package init(workerPool: WorkerPool, cost: Cost, secrets: Secrets, random: @escaping RandomBytes) {
        self.workerPool = workerPool
        self.cost = cost
        self.secrets = secrets
        self.random = random
    }

    /// The string to store for `password`.
    package func hash(_ password: String) async throws(ActionError) -> String {
        let salt = random(16)
        let cost = cost
        return try await onCrew { PasswordHash(cost: cost, salt: salt, key: try Self.derive(password, salt: salt, cost: cost)).text }
    }

    /// The string to store for a password that is known by the hash only that another system made (S4).
    ///
    /// - Parameter hash: the bytes that the scheme makes; for `BCRYPT` the whole string in ASCII, for the plain digests hex, too.
    /// - Parameter salt: empty for none, at most 512 bytes.
    ///
    /// Refuses `INVALID_ARGUMENT` for what could never match.
    package func stored(_ hash: [UInt8], salt: [UInt8], hashedBy scheme: HashScheme) throws(ActionError) -> String {
        let imported = try ImportedHash(hash, salt: salt, scheme: scheme)
        do {
            return try imported.text(sealing: secrets)
        } catch { throw .unavailable(Unavailable(.passwords, cause: "\(error)")) }
    }

    /// Whether `password` is the one that was hashed.
    ///
    /// Without a stored hash, or with one that cannot be read, the same work is done as for Onward's own, and the answer is no. An
    /// imported hash costs that work on top of its own, whatever the answer: here for a no, by hashing anew after a yes. So the cheap
    /// kinds cannot be told from no account by the clock; the dear ones (scrypt, bcrypt, PBKDF2) can, until their owner signs in.
    package func verify(_ password: String, against stored: String?) async throws(ActionError) -> Bool {
        let known = stored.flatMap(read)
        let cost = cost
        return try await onCrew {
            switch known {
            case .own(let hash): return Self.equal(try Self.derive(password, salt: hash.salt, cost: hash.cost), hash.key)
            case .imported(let hash) where try hash.matches(password): return true
            case .imported, nil:
                _ = try Self.derive(password, salt: [UInt8](repeating: 0, count: 16), cost: cost)
                return false
            }
        }
    }

    /// Whether `password`, which has just been verified against `stored`, should be hashed anew: what is stored is another system's hash,
    /// or cheaper than today's. Not if the other system ignored a part of it: then that part may be a slip of the keyboard.
    package func needsRehash(_ stored: String, after password: String) -> Bool {
        switch read(stored) {
        case .own(let hash): hash.cost.isLess(than: cost)
        case .imported(let hash): !hash.ignoresPart(of: password)
        case nil: false
        }
    }

    enum Stored: Sendable {
        case own(PasswordHash)
        case imported(ImportedHash)
    }

    /// The longest that `stored` makes has less than 3,600 bytes; what is longer is not even split.
    func read(_ stored: String) -> Stored? {
        guard stored.utf8.count < 4096 else { return nil }
        return PasswordHash(stored).map(Stored.own) ?? ImportedHash(stored, opening: secrets).map(Stored.imported)
    }

    private func onCrew<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws(ActionError) -> T {
        do {
            return try await workerPool.run(work)
        } catch { throw .unavailable(Unavailable(.passwords, cause: "\(error)")) }
    }

    private static func derive(_ password: String, salt: [UInt8], cost: Cost) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8), salt: Data(salt), outputByteCount: 32, rounds: 1 << cost.logN, blockSize: cost.r, parallelism: cost.p
        )
        return key.withUnsafeBytes { Array($0) }
    }

    /// Looks at every byte, whatever differs (T6).
    static func equal(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
        a.count == b.count && zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
