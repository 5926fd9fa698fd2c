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
    }

    private let crew: Crew
    private let cost: Cost
    private let random: RandomBytes

    package init(crew: Crew, cost: Cost, random: @escaping RandomBytes) {
        self.crew = crew
        self.cost = cost
        self.random = random
    }

    /// The PHC string to store for `password`.
    package func hash(_ password: String) async throws(ActionError) -> String {
        let salt = random(16)
        let cost = cost
        return try await onCrew { PasswordHash(cost: cost, salt: salt, key: try Self.derive(password, salt: salt, cost: cost)).text }
    }

    /// Whether `password` is the one that was hashed. Without a stored hash the same work is done, and the answer is no.
    package func verify(_ password: String, against stored: String?) async throws(ActionError) -> Bool {
        let known = stored.flatMap(PasswordHash.init)
        let hash = known ?? PasswordHash(cost: cost, salt: [UInt8](repeating: 0, count: 16), key: [UInt8](repeating: 0, count: 32))
        return try await onCrew {
            let key = try Self.derive(password, salt: hash.salt, cost: hash.cost)
            return known != nil && Self.equal(key, hash.key)
        }
    }

    private func onCrew<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws(ActionError) -> T {
        do {
            return try await crew.run(work)
        } catch { throw .unavailable(Unavailable(.passwords, cause: "\(error)")) }
    }

    private static func derive(_ password: String, salt: [UInt8], cost: Cost) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8), salt: Data(salt), outputByteCount: 32, rounds: 1 << cost.logN, blockSize: cost.r, parallelism: cost.p
        )
        return key.withUnsafeBytes { Array($0) }
    }

    /// Looks at every byte, whatever differs (T6).
    private static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.count == b.count && zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
