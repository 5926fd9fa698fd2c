import Foundation
import Testing
import World

/// A running `onward dev`: the real program, on a port that the system chose.
struct DevServer: Sendable {
    let program: Program
    /// `http://localhost:<port>`.
    let origin: String
    let port: UInt16

    /// - Parameters:
    ///   - folder: for its data and its log.
    ///   - environment: added to the environment of this process.
    ///   - options: further options of `onward dev`.
    init(in folder: TemporaryFolder, environment: [String: String] = [:], _ options: String...) async throws {
        let database = try ChosenEngine.url(at: folder.path).map { ["--database", $0] } ?? []
        let arguments = ["dev", "--port", "0", "--data", folder.path] + database + options
        program = try Program(Self.executable, arguments, errors: folder.path + "/log", environment: environment)
        do {
            origin = try await program.first(#/Start here +(http://localhost:\d+)\//#)
            port = try #require(origin.split(separator: ":").last.flatMap { UInt16($0) })
        } catch {
            print(folder.log)
            throw error
        }
    }

    /// Ends the server with SIGTERM, as an operator would, and returns its exit status.
    func stop() async -> Int32 {
        program.signal(SIGTERM)
        return await program.status
    }

    /// Ends the server with SIGKILL, as a power failure would.
    func kill() async {
        program.signal(SIGKILL)
        _ = await program.status
    }

    /// The program that the build put beside the test bundle.
    static let executable: String = {
        let places = [Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()]
        let found = places.map { $0.appending(path: "onward").path }.first { FileManager.default.isExecutableFile(atPath: $0) }
        return found ?? places[0].appending(path: "onward").path
    }()
}

/// A folder in the system's temporary directory, removed with the last reference to this object.
final class TemporaryFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "onward-end-to-end-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    /// The text of the file `log`, which several programs may have written to.
    var log: String { String(decoding: FileManager.default.contents(atPath: path + "/log") ?? Data(), as: UTF8.self) }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("\(path) was not removed: \(error)") }
    }
}
