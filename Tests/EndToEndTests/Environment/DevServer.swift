import Foundation
import Testing
import World

/// A running `onward dev`: the real program, on a port of its own.
struct Onward: Sendable {
    let program: Program
    /// `http://localhost:<port>`.
    let origin: String
    let port: UInt16

    /// - Parameter folder: where it keeps its data, and its log.
    init(in folder: Folder) async throws {
        program = try Program(Self.executable, ["dev", "--port", "0", "--data", folder.path], errors: folder.path + "/log")
        do {
            origin = try await program.first(#/Start here +(http://localhost:\d+)\//#)
            port = try #require(origin.split(separator: ":").last.flatMap { UInt16($0) })
        } catch {
            print(folder.log)
            throw error
        }
    }

    /// Ends it as an operator would, and says how that went.
    func stop() async -> Int32 {
        program.signal(SIGTERM)
        return await program.status
    }

    /// Ends it as a power switch would.
    func kill() async {
        program.signal(SIGKILL)
        _ = await program.status
    }

    /// Beside the test bundle, where the build has put it.
    static let executable: String = {
        let places = [Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()]
        let found = places.map { $0.appending(path: "onward").path }.first { FileManager.default.isExecutableFile(atPath: $0) }
        return found ?? places[0].appending(path: "onward").path
    }()
}

/// A folder of the system's temporary place, gone with its last user.
final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "onward-end-to-end-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    /// What was written there as `log`, by however many programs.
    var log: String { String(decoding: FileManager.default.contents(atPath: path + "/log") ?? Data(), as: UTF8.self) }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("\(path) stays: \(error)") }
    }
}
