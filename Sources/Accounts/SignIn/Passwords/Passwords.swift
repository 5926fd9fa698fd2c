public import Base
internal import Cryptography
public import Network

/// Hashes and verifies passwords on a worker pool of bounded size, so that a burst of sign-ins
/// cannot occupy the machine (S5).
public struct Passwords: Sendable {
    /// The parameters of scrypt. A hash takes 128 · N · r bytes of memory.
    public struct Cost: Sendable, Hashable {
        /// The binary logarithm of N.
        public let logN: Int
        public let r: Int
        public let p: Int

        public init(logN: Int, r: Int, p: Int) {
            self.logN = logN
            self.r = r
            self.p = p
        }

        /// The default, 16 MiB for a hash. Source: OWASP Password Storage Cheat Sheet, scrypt, the
        /// row with N = 2^14.
        public static let owasp = Cost(logN: 14, r: 8, p: 5)
        /// The cost in development and tests, where hashes protect nothing.
        public static let cheap = Cost(logN: 10, r: 8, p: 1)
        /// The highest cost that a stored hash may ask for (S5).
        static let ceiling = Cost(logN: 17, r: 16, p: 16)

        /// Whether a hash takes less memory or less work.
        func isLess(than other: Cost) -> Bool { r << logN < other.r << other.logN || (p * r) << logN < (other.p * other.r) << other.logN }
    }

    private let workerPool: WorkerPool
    private let cost: Cost
    private let secrets: Secrets
    private let random: RandomBytes

    /// - Parameter secrets: seals the keys of imported hashes.
    public init(workerPool: WorkerPool, cost: Cost, secrets: Secrets, random: @escaping RandomBytes) {
        self.workerPool = workerPool
        self.cost = cost
        self.secrets = secrets
        self.random = random
    }

    /// The string to store for `password`.
    public func hash(_ password: String) async throws(ActionError) -> String {
        let salt = random(16)
        let cost = cost
        return try await onPool { PasswordHash(cost: cost, salt: salt, key: try Self.derive(password, salt: salt, cost: cost)).text }
    }

    /// The string to store for a password that is only known by another system's hash (S4).
    ///
    /// Refuses `INVALID_ARGUMENT` for a hash that no password has under this scheme.
    /// - Parameters:
    ///   - hash: the bytes that the scheme makes; for `BCRYPT` the whole string in ASCII; for plain
    ///     digests, bytes or hex.
    ///   - salt: at most 512 bytes; empty for none.
    public func stored(_ hash: [UInt8], salt: [UInt8], hashedBy scheme: HashScheme) throws(ActionError) -> String {
        try ImportedHash(hash, salt: salt, scheme: scheme).text(sealing: secrets)
    }

    /// Whether `password` is the one that was hashed.
    ///
    /// Without a stored hash, or with an unreadable one, the work of an Onward hash is done and the
    /// result is false. An imported hash costs that work in addition to its own: here if the
    /// password is wrong, or by rehashing if it is right. So an account with a cheap imported hash
    /// takes as long as no account. One with an expensive hash (scrypt, bcrypt, PBKDF2) takes
    /// longer until its user signs in.
    public func verify(_ password: String, against stored: String?) async throws(ActionError) -> Bool {
        let known = stored.flatMap(read)
        let cost = cost
        return try await onPool {
            switch known {
            case .own(let hash): return ConstantTime.equal(try Self.derive(password, salt: hash.salt, cost: hash.cost), hash.key)
            case .imported(let hash) where try hash.matches(password): return true
            case .imported, nil:
                _ = try Self.derive(password, salt: [UInt8](repeating: 0, count: 16), cost: cost)
                return false
            }
        }
    }

    /// Whether `password`, which has just been verified against `stored`, should be hashed again:
    /// `stored` is another system's hash, or cheaper than today's. False if the other system
    /// ignores a part of the password, because that part may be a typing error.
    public func needsRehash(_ stored: String, after password: String) -> Bool {
        switch read(stored) {
        case .own(let hash): hash.cost.isLess(than: cost)
        case .imported(let hash): !hash.ignoresPart(of: password)
        case nil: false
        }
    }

    /// A stored hash, parsed.
    enum Stored: Sendable {
        case own(PasswordHash)
        case imported(ImportedHash)
    }

    /// Parses a stored string. The longest valid one has less than 3,600 bytes; longer ones are not
    /// parsed.
    func read(_ stored: String) -> Stored? {
        guard stored.utf8.count < 4096 else { return nil }
        return PasswordHash(stored).map(Stored.own) ?? ImportedHash(stored, opening: secrets).map(Stored.imported)
    }

    private func onPool<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws(ActionError) -> T {
        do {
            return try await workerPool.run(work)
        } catch { throw .unavailable(Unavailable(.passwords, cause: "\(error)")) }
    }

    private static func derive(_ password: String, salt: [UInt8], cost: Cost) throws -> [UInt8] {
        try KeyDerivation.scrypt(Array(password.utf8), salt: salt, n: 1 << cost.logN, r: cost.r, p: cost.p, count: 32)
            .withUnsafeBytes(Array.init)
    }
}
