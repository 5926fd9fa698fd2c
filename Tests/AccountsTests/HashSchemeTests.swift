import Accounts
import Testing

@Suite struct `A scheme of hashes` {
    struct Refused: Sendable {
        let refusal: Refusal
        let fields: HashScheme.Fields
        init(_ refusal: Refusal, _ fields: HashScheme.Fields) { (self.refusal, self.fields) = (refusal, fields) }
    }

    static let key = Imports.signerKey
    static let standard: [HashScheme.Fields.Number: Int] = [.cpuMemCost: 1 << 14, .blockSize: 8, .parallelization: 1, .dkLen: 64]

    private static func scrypt(_ change: [HashScheme.Fields.Number: Int]) -> HashScheme.Fields {
        Imports.fields("STANDARD_SCRYPT", standard.merging(change) { $1 })
    }

    /// S5: what is missing, out of range, or above the ceiling.
    static let refused: [Refused] = [
        Refused(.missingHashAlgorithm, Imports.fields(nil)),
        Refused(.invalidHashAlgorithm, Imports.fields("")),
        Refused(.invalidHashAlgorithm, Imports.fields("md5", [.rounds: 1])),
        Refused(.invalidHashAlgorithm, Imports.fields("HMAC_SHA384", key: key)),
        Refused(.invalidHashAlgorithm, Imports.fields("ARGON2")),
        Refused(.invalidHashAlgorithm, Imports.fields("PBKDF2_SHA512", [.rounds: 1])),
        Refused(.invalidArgument, Imports.fields("SCRYPT", [.rounds: 8, .memoryCost: 14])),
        Refused(.invalidArgument, Imports.fields("SCRYPT", [.rounds: 8, .memoryCost: 14], key: [1])),
        Refused(.invalidArgument, Imports.fields("SCRYPT", [.rounds: 8, .memoryCost: 15], key: key)),
        Refused(.invalidArgument, Imports.fields("SCRYPT", [.rounds: 8, .memoryCost: 0], key: key)),
        Refused(.invalidArgument, Imports.fields("SCRYPT", [.rounds: 8], key: key)),
        Refused(.invalidArgument, Imports.fields("SCRYPT", [.rounds: 8, .memoryCost: 14], key: key, separator: key + [0])),
        Refused(.invalidHashRounds, Imports.fields("SCRYPT", [.rounds: 9, .memoryCost: 14], key: key)),
        Refused(.invalidHashRounds, Imports.fields("SCRYPT", [.memoryCost: 14], key: key)),
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
        Refused(.invalidArgument, Imports.fields("STANDARD_SCRYPT")),
        Refused(.invalidHashRounds, Imports.fields("PBKDF2_SHA256")),
        Refused(.invalidHashRounds, Imports.fields("PBKDF2_SHA256", [.rounds: 0])),
        Refused(.invalidHashRounds, Imports.fields("PBKDF_SHA1", [.rounds: 1_000_001])),
        Refused(.invalidArgument, Imports.fields("HMAC_SHA256")),
        Refused(.invalidArgument, Imports.fields("HMAC_SHA256", key: [])),
        Refused(.invalidArgument, Imports.fields("HMAC_SHA256", key: key, order: "SALT_FIRST")),
        Refused(.invalidHashRounds, Imports.fields("MD5")),
        Refused(.invalidHashRounds, Imports.fields("MD5", [.rounds: -1])),
        Refused(.invalidHashRounds, Imports.fields("MD5", [.rounds: 8193])),
        Refused(.invalidHashRounds, Imports.fields("SHA1", [.rounds: 0])),
        Refused(.invalidHashRounds, Imports.fields("SHA512", [.rounds: 8193])),
        Refused(.invalidArgument, Imports.fields("SHA256", [.rounds: 1], order: "")),
    ]

    @Test(arguments: refused.indices)
    func `is refused with a sentence`(_ index: Int) throws {
        let refused = Self.refused[index]
        let error = #expect(throws: ActionError.self) { try HashScheme(refused.fields) }
        guard case .refused(let refusal, let detail?) = error else {
            Issue.record("\(index): \(String(describing: error))")
            return
        }
        #expect(refusal == refused.refusal && !detail.isEmpty, "\(refused.fields)")
    }

    @Test(arguments: [
        scrypt([:]), scrypt([.cpuMemCost: 1 << 17]), scrypt([.parallelization: 16]), scrypt([.cpuMemCost: 1 << 15, .blockSize: 1]),
        Imports.fields("PBKDF2_SHA256", [.rounds: 1_000_000]), Imports.fields("MD5", [.rounds: 8192]),
        Imports.fields("BCRYPT", [.rounds: 99], key: [1], order: "nonsense"),
        Imports.fields("SCRYPT", [.rounds: 8, .memoryCost: 14], key: key, separator: []),
    ])
    func `is taken up to its ceiling, and fields that it does not need are not looked at`(_ fields: HashScheme.Fields) throws {
        _ = try HashScheme(fields)
    }

    /// A hash that is of no password under its scheme would lock its owner out without a word.
    @Test(arguments: [
        (Imports.fields("SCRYPT", [.rounds: 8, .memoryCost: 14], key: key), 63), (scrypt([:]), 63), (Imports.fields("BCRYPT"), 60),
        (Imports.fields("PBKDF2_SHA256", [.rounds: 1]), 15), (Imports.fields("PBKDF_SHA1", [.rounds: 1]), 129),
        (Imports.fields("HMAC_SHA1", key: key), 40), (Imports.fields("MD5", [.rounds: 0]), 32), (Imports.fields("SHA256", [.rounds: 1]), 0),
    ])
    func `refuses a hash that it never makes`(_ fields: HashScheme.Fields, _ length: Int) throws {
        let scheme = try HashScheme(fields)
        #expect(throws: ActionError.self) {
            try Imports.passwords.stored([UInt8](repeating: 0xFE, count: length), salt: [], hashedBy: scheme)
        }
    }

    @Test func `refuses a salt of more than 512 bytes`() throws {
        let scheme = try HashScheme(Imports.fields("MD5", [.rounds: 1]))
        let hash = [UInt8](repeating: 0, count: 16)
        _ = try Imports.passwords.stored(hash, salt: [UInt8](repeating: 0, count: 512), hashedBy: scheme)
        #expect(throws: ActionError.self) {
            try Imports.passwords.stored(hash, salt: [UInt8](repeating: 0, count: 513), hashedBy: scheme)
        }
    }
}
