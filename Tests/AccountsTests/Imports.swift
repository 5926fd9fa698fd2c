import Accounts
import Network

/// Shorthands for imported hashes: schemes by their parameters, bytes in hex.
enum Imports {
    static let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
    static let passwords = passwords(cost: .cheap)
    static let signerKey = Array(UInt8(0)..<64)

    static func passwords(cost: Passwords.Cost, secrets: Secrets = secrets) -> Passwords {
        Passwords(workerPool: WorkerPool(label: "test", width: 2, maxWaiting: 100), cost: cost, secrets: secrets) {
            [UInt8](repeating: 5, count: $0)
        }
    }

    static func parameters(
        _ algorithm: String?, _ numbers: [HashScheme.Parameters.Number: Int] = [:], key: [UInt8]? = nil, separator: [UInt8]? = nil,
        order: String? = nil
    ) -> HashScheme.Parameters {
        var parameters = HashScheme.Parameters(hashAlgorithm: algorithm)
        parameters.numbers = numbers
        parameters.signerKey = key
        parameters.saltSeparator = separator
        parameters.passwordHashOrder = order
        return parameters
    }

    static func bytes(hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count - 1, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }
}
