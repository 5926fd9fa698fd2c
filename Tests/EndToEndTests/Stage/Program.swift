import Foundation

/// Another program of this machine, whose lines of output can be read.
struct Program: Sendable {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// Ends when the program closes its output.
    let lines: AsyncStream<String>
    private let process: Process
    private let exit: Task<Int32, Never>

    /// - Parameter errors: the file that its error output is added to.
    init(_ path: String, _ arguments: [String], errors: String) throws {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Missing(description: "\(path) is missing. Scripts/test installs and builds what these tests need.")
        }
        process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let file = open(errors, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Missing(description: "\(errors) cannot be written.") }
        process.standardError = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        let output = Pipe()
        process.standardOutput = output

        let (exits, ended) = AsyncStream.makeStream(of: Int32.self)
        // Above 255: ended by that signal.
        process.terminationHandler = { ended.yield($0.terminationStatus + ($0.terminationReason == .uncaughtSignal ? 256 : 0)) }
        exit = Task { await exits.first { _ in true } ?? -1 }

        let (lines, read) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        let rest = Rest()
        output.fileHandleForReading.readabilityHandler = { handle in
            let bytes = handle.availableData
            rest.text += String(decoding: bytes, as: UTF8.self)
            while let end = rest.text.firstIndex(of: "\n") {
                read.yield(String(rest.text[..<end]))
                rest.text.removeSubrange(...end)
            }
            if bytes.isEmpty {
                handle.readabilityHandler = nil
                read.finish()
            }
        }
        try Self.holdingNoSignals { try process.run() }
    }

    /// A child inherits what the thread that makes it holds back, and Dispatch's threads hold back every signal.
    private static func holdingNoSignals<Value>(_ work: () throws -> Value) rethrows -> Value {
        var (held, none) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &held)
        defer { pthread_sigmask(SIG_SETMASK, &held, nil) }
        return try work()
    }

    /// The first of these names that the shell would find.
    static func path(to names: String...) throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        for path in names.flatMap({ name in folders.map { "\($0)/\(name)" } }) where FileManager.default.isExecutableFile(atPath: path) {
            return path
        }
        throw Missing(description: "There is no \(names.joined(separator: " or ")). Scripts/test installs what these tests need.")
    }

    /// The exit status once it has ended; above 256: the signal that ended it.
    var status: Int32 { get async { await exit.value } }

    func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// What `pattern` captures in the first line of output that it matches; throws when the program ends without one.
    func first(_ pattern: Regex<(Substring, Substring)>) async throws -> String {
        for await line in lines {
            if let match = line.firstMatch(of: pattern) { return String(match.1) }
        }
        throw Missing(description: "\(process.executableURL?.path ?? "") ended with \(await status) before it was ready.")
    }

    /// Only the handler touches it, one call at a time.
    private final class Rest: @unchecked Sendable {
        var text = ""
    }
}
