import Foundation
import Network

/// Another program of this machine, whose lines of output can be read. Separate threads read and
/// wait for it, so no thread of Swift's pool is ever blocked. Every wait has a deadline: the
/// program is killed when it passes.
package struct Program: Sendable {
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// Ends when the program, and whatever it started, has closed its output.
    private let lines: AsyncStream<String>
    private let path: String
    private let pid: pid_t
    private let exit: Task<Int32, Never>
    private let hasEnded = Latch()

    /// Starts the program.
    /// - Parameters:
    ///   - errors: the file that its error output is appended to. Nil: it goes where the other
    ///     output goes.
    ///   - environment: added to the environment of this process.
    ///   - descriptors: what the program finds as descriptors 3, 4 and so on. It inherits no
    ///     others.
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
        Thread.detachNewThread { [hasEnded] in
            ended.yield(child.wait())
            hasEnded.open()
        }
        exit = Task { await exits.first { _ in true } ?? -1 }
    }

    /// Runs a program to its end and returns what it wrote to both of its outputs. It blocks the
    /// calling thread, so it is only for programs that need nothing from this process; they are
    /// killed if they hang.
    /// - Parameter input: what the program reads, at most 64 KiB. Nil: nothing.
    package static func output(of path: String, _ arguments: [String], input: String? = nil) throws -> String {
        let limited = ["--signal=KILL", "\(Duration.patientSeconds)", path] + arguments
        let child = try Child("/usr/bin/timeout", limited, input: input, errors: nil, environment: [:], descriptors: [])
        defer {
            close(child.output)
            _ = child.wait()
        }
        // What the program has started, and leaves behind, may still hold the pipe.
        let deadline = ContinuousClock.now + .patience + .seconds(5)
        var output: [UInt8] = []
        while child.hasOutput(before: deadline) {
            let bytes = child.read()
            if bytes.isEmpty { return String(decoding: output, as: UTF8.self) }
            output += bytes
        }
        throw Missing(description: "the output of \(path) \(arguments.joined(separator: " ")) did not end")
    }

    /// The first of these names that is found in a folder of `PATH`, or in a folder for servers,
    /// which the `PATH` of an ordinary user lacks.
    package static func path(to names: String...) throws -> String {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin") + ":/usr/local/sbin:/usr/sbin:/sbin"
        let folders = path.split(separator: ":")
        for path in names.flatMap({ name in folders.map { "\($0)/\(name)" } }) where FileManager.default.isExecutableFile(atPath: path) {
            return path
        }
        throw Missing(description: "There is no \(names.joined(separator: " or ")). Scripts/test installs what these tests need.")
    }

    /// The exit status once the program has ended; above 256: the signal that ended it.
    package var status: Int32 { get async { await withinPatience { await exit.value } } }

    /// Sends a signal; does nothing once the program has ended.
    package func signal(_ signal: Int32) { if !hasEnded.isOpen { kill(pid, signal) } }

    /// The capture of `pattern` in the next line of output that it matches; throws when the program
    /// ends without one.
    package func first(_ pattern: Regex<(Substring, Substring)>) async throws -> String {
        var last = ""
        let match = await withinPatience {
            for await line in lines {
                if let match = line.firstMatch(of: pattern) { return String?(String(match.1)) }
                last = line
            }
            return nil
        }
        if let match { return match }
        throw Missing(description: "\(path) ended with \(await status) and without the expected line; its last line: \(last)")
    }

    /// The remaining lines of output, once the program has ended well.
    package func linesToEnd() async throws -> [String] {
        let all = await withinPatience { await lines.reduce(into: [String]()) { $0.append($1) } }
        let status = await status
        guard status == 0 else { throw Missing(description: "\(path) ended with \(status): \(all.last ?? "")") }
        return all
    }

    private func withinPatience<Value>(_ wait: () async -> Value) async -> Value {
        let watchdog = Task {
            try await Task.sleep(for: .patience)
            signal(SIGKILL)
        }
        defer { watchdog.cancel() }
        return await wait()
    }
}
