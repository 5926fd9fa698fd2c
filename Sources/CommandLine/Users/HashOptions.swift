import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation

/// The options for password hashes: those of `firebase auth:import`, and safer ways to pass the
/// key.
struct HashOptions: ParsableArguments {
    @Option(
        name: [.customLong("hash-algo"), .customLong("hash-algorithm")],
        help: ArgumentHelp(
            "The hash algorithm: SCRYPT (Firebase's own), STANDARD_SCRYPT, BCRYPT, PBKDF2_SHA256, PBKDF_SHA1, MD5, SHA1, SHA256, "
                + "SHA512, or HMAC_ and one of the last four.", valueName: "name"))
    var algorithm: String?
    @Option(
        help: ArgumentHelp("A file with the hash_config of the Firebase console, instead of the other options.", valueName: "path")
    )
    var hashConfig: String?
    @Option(help: ArgumentHelp("A file with the key in base64. Alternatively, set ONWARD_HASH_KEY.", valueName: "path"))
    var hashKeyFile: String?
    @Option(
        help: ArgumentHelp("The key in base64. Other users of this machine can see it while the command runs.", valueName: "base64")
    )
    var hashKey: String?
    @Option(help: ArgumentHelp("SCRYPT: the salt separator in base64.", valueName: "base64"))
    var saltSeparator: String?
    @Option(help: ArgumentHelp("SCRYPT, PBKDF2 and the plain hashes: the number of rounds.", valueName: "number")) var rounds: Int?
    @Option(help: ArgumentHelp("SCRYPT: the memory cost; STANDARD_SCRYPT: N.", valueName: "number")) var memCost: Int?
    @Option(help: ArgumentHelp("STANDARD_SCRYPT: p.", valueName: "number")) var parallelization: Int?
    @Option(help: ArgumentHelp("STANDARD_SCRYPT: r.", valueName: "number")) var blockSize: Int?
    @Option(help: ArgumentHelp("STANDARD_SCRYPT: the length of a hash in bytes.", valueName: "number")) var dkLen: Int?
    @Option(help: ArgumentHelp("HMAC and the plain hashes: SALT_FIRST or PASSWORD_FIRST.", valueName: "order")) var hashInputOrder: String?

    /// The hash scheme; nil if no option is given.
    func scheme(_ environment: Configuration.Environment) throws -> HashScheme? {
        guard let fields = try hashConfig.map(Self.fields(inFile:)) ?? fields(environment) else { return nil }
        return try HashScheme(fields)
    }

    private func fields(_ environment: Configuration.Environment) throws -> HashScheme.Parameters? {
        guard let algorithm else { return nil }
        var fields = HashScheme.Parameters(hashAlgorithm: algorithm.uppercased())
        let memory: HashScheme.Parameters.Number = fields.hashAlgorithm == "STANDARD_SCRYPT" ? .cpuMemCost : .memoryCost
        fields.numbers[.rounds] = rounds
        fields.numbers[memory] = memCost
        fields.numbers[.parallelization] = parallelization
        fields.numbers[.blockSize] = blockSize
        fields.numbers[.dkLen] = dkLen
        fields.signerKey = try key(environment).map { try Self.base64($0, "the hash key") }
        fields.saltSeparator = try saltSeparator.map { try Self.base64($0, "--salt-separator") }
        fields.passwordHashOrder = try hashInputOrder.map(Self.order)
        return fields
    }

    private func key(_ environment: Configuration.Environment) throws -> String? {
        if let hashKeyFile { return try SecretFile.content(of: hashKeyFile) }
        if let hashKey {
            FileHandle.standardError.write(
                Data(
                    "Other users can see a key on the command line, and the shell stores it in its history; use --hash-key-file instead.\n"
                        .utf8))
            return hashKey
        }
        return environment("ONWARD_HASH_KEY")
    }

    private static func order(_ name: String) throws -> String {
        switch name.uppercased() {
        case "SALT_FIRST": "SALT_AND_PASSWORD"
        case "PASSWORD_FIRST": "PASSWORD_AND_SALT"
        default: throw ValidationError("--hash-input-order: expected SALT_FIRST or PASSWORD_FIRST.")
        }
    }

    private static func base64(_ text: String, _ what: String) throws -> [UInt8] {
        guard let bytes = Base64URL.decodeAnySpelling(text) else { throw Failure("\(what): expected base64") }
        return bytes
    }

    /// Parses `hash_config { algorithm: SCRYPT, base64_signer_key: …, … }`. The file contains a
    /// key, so it is refused if others can read it (K7).
    private static func fields(inFile path: String) throws -> HashScheme.Parameters {
        let pairs = try SecretFile.content(of: path).matches(of: #/(\w+)\s*:\s*"?([^\s",}]+)/#).map { (String($0.1), String($0.2)) }
        let values = Dictionary(pairs) { first, _ in first }
        guard let algorithm = values["algorithm"] else { throw Failure("\(path) is not a hash_config: the key algorithm is missing") }
        var fields = HashScheme.Parameters(hashAlgorithm: algorithm)
        fields.signerKey = try values["base64_signer_key"].map { try base64($0, "base64_signer_key") }
        fields.saltSeparator = try values["base64_salt_separator"].map { try base64($0, "base64_salt_separator") }
        fields.numbers[.rounds] = values["rounds"].flatMap { Int($0) }
        fields.numbers[.memoryCost] = values["mem_cost"].flatMap { Int($0) }
        return fields
    }
}
