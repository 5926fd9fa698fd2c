import Accounts
import Testing

@Suite struct `A hash scheme` {
    struct Refused: Sendable {
        let refusal: Refusal
        let parameters: HashScheme.Parameters
        init(_ refusal: Refusal, _ parameters: HashScheme.Parameters) { (self.refusal, self.parameters) = (refusal, parameters) }
    }

    static let key = Imports.signerKey
    static let standard: [HashScheme.Parameters.Number: Int] = [.cpuMemCost: 1 << 14, .blockSize: 8, .parallelization: 1, .dkLen: 64]

    private static func scrypt(_ change: [HashScheme.Parameters.Number: Int]) -> HashScheme.Parameters {
        Imports.parameters("STANDARD_SCRYPT", standard.merging(change) { $1 })
    }

    /// S5: what is missing, out of range, or above the limit.
    static let refused: [Refused] = [
        Refused(.missingHashAlgorithm, Imports.parameters(nil)),
        Refused(.invalidHashAlgorithm, Imports.parameters("")),
        Refused(.invalidHashAlgorithm, Imports.parameters("md5", [.rounds: 1])),
        Refused(.invalidHashAlgorithm, Imports.parameters("HMAC_SHA384", key: key)),
        Refused(.invalidHashAlgorithm, Imports.parameters("ARGON2")),
        Refused(.invalidHashAlgorithm, Imports.parameters("PBKDF2_SHA512", [.rounds: 1])),
        Refused(.invalidArgument, Imports.parameters("SCRYPT", [.rounds: 8, .memoryCost: 14])),
        Refused(.invalidArgument, Imports.parameters("SCRYPT", [.rounds: 8, .memoryCost: 14], key: [1])),
        Refused(.invalidArgument, Imports.parameters("SCRYPT", [.rounds: 8, .memoryCost: 15], key: key)),
        Refused(.invalidArgument, Imports.parameters("SCRYPT", [.rounds: 8, .memoryCost: 0], key: key)),
        Refused(.invalidArgument, Imports.parameters("SCRYPT", [.rounds: 8], key: key)),
        Refused(.invalidArgument, Imports.parameters("SCRYPT", [.rounds: 8, .memoryCost: 14], key: key, separator: key + [0])),
        Refused(.invalidHashRounds, Imports.parameters("SCRYPT", [.rounds: 9, .memoryCost: 14], key: key)),
        Refused(.invalidHashRounds, Imports.parameters("SCRYPT", [.memoryCost: 14], key: key)),
        Refused(.invalidArgument, scrypt([.cpuMemCost: 1000])),
        Refused(.invalidArgument, scrypt([.cpuMemCost: 1])),
        Refused(.invalidArgument, scrypt([.cpuMemCost: 1 << 18])),
        Refused(.invalidArgument, scrypt([.cpuMemCost: 1 << 16, .blockSize: 1])),
        Refused(.invalidArgument, scrypt([.cpuMemCost: .max])),
        Refused(.invalidArgument, scrypt([.cpuMemCost: .min])),
        Refused(.invalidArgument, scrypt([.parallelization: 64])),
        Refused(.invalidArgument, scrypt([.parallelization: 0])),
        Refused(.invalidArgument, scrypt([.blockSize: 0])),
        Refused(.invalidArgument, scrypt([.dkLen: 1])),
        Refused(.invalidArgument, Imports.parameters("STANDARD_SCRYPT")),
        Refused(.invalidHashRounds, Imports.parameters("PBKDF2_SHA256")),
        Refused(.invalidHashRounds, Imports.parameters("PBKDF2_SHA256", [.rounds: 0])),
        Refused(.invalidHashRounds, Imports.parameters("PBKDF_SHA1", [.rounds: 1_000_001])),
        Refused(.invalidArgument, Imports.parameters("HMAC_SHA256")),
        Refused(.invalidArgument, Imports.parameters("HMAC_SHA256", key: [])),
        Refused(.invalidArgument, Imports.parameters("HMAC_SHA256", key: key, order: "SALT_FIRST")),
        Refused(.invalidHashRounds, Imports.parameters("MD5")),
        Refused(.invalidHashRounds, Imports.parameters("MD5", [.rounds: -1])),
        Refused(.invalidHashRounds, Imports.parameters("MD5", [.rounds: 8193])),
        Refused(.invalidHashRounds, Imports.parameters("SHA1", [.rounds: 0])),
        Refused(.invalidHashRounds, Imports.parameters("SHA512", [.rounds: 8193])),
        Refused(.invalidArgument, Imports.parameters("SHA256", [.rounds: 1], order: "")),
    ]

    @Test(arguments: refused.indices)
    func `is refused with a reason if a parameter is missing or out of range`(_ index: Int) throws {
        let refused = Self.refused[index]
        let error = #expect(throws: ActionError.self) { try HashScheme(refused.parameters) }
        guard case .refused(let refusal, let detail?) = error else {
            Issue.record("\(index): \(String(describing: error))")
            return
        }
        #expect(refusal == refused.refusal && !detail.isEmpty, "\(refused.parameters)")
    }

    @Test(arguments: [
        scrypt([:]), scrypt([.cpuMemCost: 1 << 17]), scrypt([.parallelization: 16]), scrypt([.cpuMemCost: 1 << 15, .blockSize: 1]),
        Imports.parameters("PBKDF2_SHA256", [.rounds: 1_000_000]), Imports.parameters("MD5", [.rounds: 8192]),
        Imports.parameters("BCRYPT", [.rounds: 99], key: [1], order: "nonsense"),
        Imports.parameters("SCRYPT", [.rounds: 8, .memoryCost: 14], key: key, separator: []),
        Imports.parameters("SCRYPT", [.rounds: 8, .memoryCost: 14], key: key, separator: key),
    ])
    func `is accepted up to its limits, and ignores parameters that it does not need`(_ parameters: HashScheme.Parameters) throws {
        _ = try HashScheme(parameters)
    }

    /// A hash that no password has under its scheme would lock the user out without any message.
    @Test(arguments: [
        (Imports.parameters("SCRYPT", [.rounds: 8, .memoryCost: 14], key: key), 63), (scrypt([:]), 63), (Imports.parameters("BCRYPT"), 60),
        (Imports.parameters("PBKDF2_SHA256", [.rounds: 1]), 15), (Imports.parameters("PBKDF_SHA1", [.rounds: 1]), 129),
        (Imports.parameters("HMAC_SHA1", key: key), 40), (Imports.parameters("MD5", [.rounds: 0]), 32),
        (Imports.parameters("SHA256", [.rounds: 1]), 0),
    ])
    func `refuses a hash that it never makes`(_ parameters: HashScheme.Parameters, _ length: Int) throws {
        let scheme = try HashScheme(parameters)
        #expect(throws: ActionError.self) {
            try Imports.passwords.stored([UInt8](repeating: 0xFE, count: length), salt: [], hashedBy: scheme)
        }
    }

    @Test func `refuses a salt of more than 512 bytes`() throws {
        let scheme = try HashScheme(Imports.parameters("MD5", [.rounds: 1]))
        let hash = [UInt8](repeating: 0, count: 16)
        _ = try Imports.passwords.stored(hash, salt: [UInt8](repeating: 0, count: 512), hashedBy: scheme)
        #expect(throws: ActionError.self) {
            try Imports.passwords.stored(hash, salt: [UInt8](repeating: 0, count: 513), hashedBy: scheme)
        }
    }
}
