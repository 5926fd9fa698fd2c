import Foundation

/// Another program of this machine, whose lines of output can be read.
package struct Program: Sendable {
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// Ends when the program, and whatever it started, has closed its output.
    package let lines: AsyncStream<String>
    private let path: String
    private let pid: pid_t
    private let exit: Task<Int32, Never>

    /// Runs it. Threads of its own read and wait, so nothing of it stands in anyone's way.
    /// - Parameters:
    ///   - errors: the file that its error output is added to. Nil: it goes where the other output goes.
    ///   - environment: beside this process's own.
    ///   - descriptors: what it finds as 3, 4 and so on. It inherits no others.
    package init(
        _ path: String, _ arguments: [String], errors: String? = nil, environment: [String: String] = [:], descriptors: [Int32] = []
    ) throws {
        let child = try Child(path, arguments, input: nil, errors: errors, environment: environment, descriptors: descriptors)
        (self.path, pid) = (path, child.pid)
        let (lines, read) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        Thread.detachNewThread {
            var rest: [UInt8] = []
            while case let bytes = child.read(), !bytes.isEmpty {
                rest += bytes
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    read.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
            read.finish()
            close(child.output)
        }
        let (exits, ended) = AsyncStream.makeStream(of: Int32.self)
        Thread.detachNewThread { ended.yield(child.wait()) }
        exit = Task { await exits.first { _ in true } ?? -1 }
    }

    /// Runs a program to its end, and says what it said on both of its outputs.
    /// - Parameter input: what it reads, at most 64 KiB. Nil: nothing.
    package static func output(of path: String, _ arguments: [String], input: String? = nil) throws -> String {
        let child = try Child(path, arguments, input: input, errors: nil, environment: [:], descriptors: [])
        var said: [UInt8] = []
        while case let bytes = child.read(), !bytes.isEmpty { said += bytes }
        close(child.output)
        _ = child.wait()
        return String(decoding: said, as: UTF8.self)
    }

    /// The first of these names that the shell would find.
    package static func path(to names: String...) throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        for path in names.flatMap({ name in folders.map { "\($0)/\(name)" } }) where FileManager.default.isExecutableFile(atPath: path) {
            return path
        }
        throw Missing(description: "There is no \(names.joined(separator: " or ")). Scripts/test installs what these tests need.")
    }

    /// The exit status once it has ended; above 256: the signal that ended it.
    package var status: Int32 { get async { await exit.value } }

    package func signal(_ signal: Int32) { kill(pid, signal) }

    /// What `pattern` captures in the first line of output that it matches; throws when the program ends without one.
    package func first(_ pattern: Regex<(Substring, Substring)>) async throws -> String {
        var last = ""
        for await line in lines {
            if let match = line.firstMatch(of: pattern) { return String(match.1) }
            last = line
        }
        throw Missing(description: "\(path) ended with \(await status) before it was ready; its last words: \(last)")
    }
}
