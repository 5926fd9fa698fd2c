import Accounts
import Configuration
import Foundation

/// A file of users whose passwords have the same hash algorithm and parameters, as the Firebase CLI
/// requires.
struct ExportedFile {
    private let file: PrivateFile
    private let encoder = JSONEncoder()
    /// The hash algorithm; nil as long as no user in the file has a password.
    private(set) var scheme: HashScheme?
    private(set) var users = 0
    private(set) var passwords = 0
    private var text = #"{"users": ["#

    var path: String { file.path }
    private var keyPath: String { path + ".hash-key" }

    init(new path: String) throws(Failure) {
        file = try PrivateFile(new: path)
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    func takes(_ other: HashScheme?) -> Bool { other == nil || scheme == nil || scheme == other }

    mutating func write(_ user: ExportedUser, hashedBy other: HashScheme?) throws {
        scheme = scheme ?? other
        text += (users > 0 ? ",\n" : "\n") + String(decoding: try encoder.encode(user), as: UTF8.self)
        users += 1
        passwords += other == nil ? 0 : 1
        if text.utf8.count > 1 << 18 { try flush() }
    }

    /// Ends the file, and puts its key, if there is one, into another beside it, so that it need
    /// not stand on a command line.
    mutating func finish() throws {
        text += "\n]}\n"
        try flush()
        try file.close()
        guard let key = scheme?.parameters.signerKey else { return }
        let keyFile = try PrivateFile(new: keyPath)
        try keyFile.write(Data(key).base64EncodedString() + "\n")
        try keyFile.close()
    }

    /// Removes the files of an export that failed.
    func discard() throws {
        for path in [path, keyPath] where FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }

    private mutating func flush() throws {
        try file.write(text)
        text = ""
    }

    /// The command that imports the file.
    /// - Parameter isComplete: whether the file has what only Onward imports, and the Firebase CLI
    ///   leaves out or refuses.
    func command(isComplete: Bool) -> String {
        let program = isComplete ? "onward users import" : "firebase auth:import"
        return ([program, path.quotedForShell] + options(isComplete: isComplete)).joined(separator: " ")
    }

    private func options(isComplete: Bool) -> [String] {
        guard let fields = scheme?.parameters else { return [] }
        let order = fields.passwordHashOrder.map { $0 == "SALT_AND_PASSWORD" ? "SALT_FIRST" : "PASSWORD_FIRST" }
        let options: [(String, String?)] = [
            ("hash-algo", fields.hashAlgorithm),
            isComplete
                ? ("hash-key-file", fields.signerKey.map { _ in keyPath.quotedForShell })
                : ("hash-key", fields.signerKey.map { _ in #""$(cat \#(keyPath.quotedForShell))""# }),
            ("salt-separator", fields.saltSeparator.map { Data($0).base64EncodedString() }),
            ("rounds", fields.numbers[.rounds].map { String($0) }),
            ("mem-cost", (fields.numbers[.memoryCost] ?? fields.numbers[.cpuMemCost]).map { String($0) }),
            ("parallelization", fields.numbers[.parallelization].map { String($0) }),
            ("block-size", fields.numbers[.blockSize].map { String($0) }),
            ("dk-len", fields.numbers[.dkLen].map { String($0) }),
            ("hash-input-order", order),
        ]
        return options.compactMap { name, value in value.map { "--\(name)=\($0)" } }
    }
}

extension String {
    /// The text as a single word of a shell command.
    var quotedForShell: String {
        wholeMatch(of: #/[\w.\/\-]+/#) != nil ? self : "'" + replacing("'", with: #"'\''"#) + "'"
    }
}
