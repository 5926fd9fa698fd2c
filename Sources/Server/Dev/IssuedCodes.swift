import Accounts
import Base
import Dispatch
import Foundation
import Network

/// The issued codes, stored unhashed in development only, for the emulator's list of codes. A file
/// beside the database keeps them over restarts.
actor IssuedCodes {
    /// The number of codes kept.
    private static let maxCodes = 10_000

    private let executor = QueueExecutor(label: "onward.issued")
    private var codes: [IssuedCode]
    /// Has one line for each code; nil if they are not kept.
    private let file: FileHandle?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Codes that are lost when the process ends.
    init() { (codes, file) = ([], nil) }

    /// Reads the codes of a file, and writes new ones to it.
    /// - Parameter path: the file, created if it does not exist.
    init(file path: String) throws {
        let lines = (FileManager.default.contents(atPath: path) ?? Data()).split(separator: UInt8(ascii: "\n"))
        codes = lines.suffix(Self.maxCodes).compactMap { IssuedCode(line: Array($0)) }
        // Created with its final mode, so that others can never read it.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        for code in codes { try file.write(contentsOf: Data(code.line)) }
        self.file = file
    }

    /// Adds a code without waiting. A later call of `all` includes it, because the queue is serial.
    nonisolated func add(_ code: IssuedCode) {
        executor.queue.async { self.assumeIsolated { $0.keep(code) } }
    }

    /// Forgets all codes, as those of the samples, which no test asked for.
    func forget() {
        codes = []
        try? file?.truncate(atOffset: 0)
    }

    /// The codes of a project, oldest first.
    func all(of project: ProjectID) -> [IssuedCode] { codes.filter { $0.project == project } }

    private func keep(_ code: IssuedCode) {
        codes = codes.suffix(Self.maxCodes - 1) + [code]
        // A full disk must not stop the server; the list of this run is complete.
        try? file?.write(contentsOf: Data(code.line))
    }
}

extension IssuedCode {
    fileprivate var line: [UInt8] {
        JSON.object([
            "action": .string(action.rawValue), "project": .string(project.rawValue), "code": .string(code.text),
            "email": .string(email.value), "newEmail": .string(ifAny: newEmail?.value), "link": .string(link),
            "expiresAt": .string(String(expiresAt.milliseconds)),
        ]).bytes + [UInt8(ascii: "\n")]
    }

    /// Nil for a line that was not written whole.
    fileprivate init?(line: [UInt8]) {
        guard let json = try? JSON(line), let action = json["action"]?.string.flatMap({ Action(rawValue: $0) }),
            let project = json["project"]?.string,
            let code = json["code"]?.string.flatMap({ OobCode($0) }), let email = json["email"]?.string.flatMap({ EmailAddress($0) }),
            let link = json["link"]?.string, let end = json["expiresAt"]?.string.flatMap({ Int64($0) })
        else { return nil }
        self.init(
            action: action, project: ProjectID(rawValue: project), code: code, email: email,
            newEmail: json["newEmail"]?.string.flatMap { EmailAddress($0) }, link: link, expiresAt: Timestamp(milliseconds: end))
    }
}
