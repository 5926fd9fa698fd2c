import Foundation
import Testing
import World

/// A running `onward serve` with both of its listeners, each on a port of its own.
struct Production: Sendable {
    static let host = "auth.example.com"

    let program: Program
    let port: UInt16
    let adminPort: UInt16
    /// The path of its configuration.
    let configuration: String

    /// - Parameters:
    ///   - folder: where it keeps its configuration, its secret and its data.
    ///   - listen: where it listens for everyone.
    ///   - admins: where it listens for them.
    ///   - environment: beside this process's own.
    ///   - sockets: what it is handed over.
    init(
        in folder: Folder, listen: String = "127.0.0.1:0", admins: String = "127.0.0.1:0", environment: [String: String] = [:],
        sockets: [Int32] = []
    ) async throws {
        configuration = try Self.configure(folder, listen: listen, admins: admins)
        // The log comes by the same pipe as the rest. Sockets are meant for whom their number is said to be meant for.
        program = try Program(
            "/bin/sh", ["-c", #"LISTEN_PID=$$ exec "$0" serve --config "$1""#, Onward.executable, configuration],
            environment: environment, descriptors: sockets)
        port = try #require(UInt16(try await program.first(#/"message":"listening","addresses":\["127\.0\.0\.1:(\d+)"\]/#)))
        adminPort = try #require(
            UInt16(try await program.first(#/"message":"listening for admins[^"]*","addresses":\["127\.0\.0\.1:(\d+)"\]/#)))
    }

    /// Another command of the same program, on the same configuration.
    func command(_ words: [String]) throws -> Program {
        try Program(Onward.executable, words + ["--config", configuration], errors: configuration + ".log")
    }

    /// Changes its configuration, and has it read again.
    func reload(replacing old: String, with new: String) throws {
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        try #require(text.contains(old))
        try text.replacing(old, with: new).write(toFile: configuration, atomically: true, encoding: .utf8)
        program.signal(SIGHUP)
    }

    /// What a command prints, when it has ended well.
    func output(of words: String...) async throws -> [String] {
        let program = try command(words)
        var lines: [String] = []
        for await line in program.lines { lines.append(line) }
        try #require(await program.status == 0)
        return lines
    }

    /// What admins did, by `onward audit`.
    func audit(_ options: String...) async throws -> [JSON] {
        let program = try command(["audit"] + options)
        var records: [JSON] = []
        for await line in program.lines { records.append(try JSONDecoder().decode(JSON.self, from: Data(line.utf8))) }
        try #require(await program.status == 0)
        return records
    }

    /// As an admin SDK calls in emulator mode.
    func call(
        _ method: String, _ body: JSON, at port: UInt16, host: String? = nil, authorization: String = "Bearer owner",
        headers: [String: String] = [:]
    ) async throws -> HTTP.Reply {
        var headers = headers
        headers["Authorization"] = authorization
        headers["Host"] = host
        let address = "http://127.0.0.1:\(port)/identitytoolkit.googleapis.com/v1/projects/shop/\(method)"
        return try await HTTP.send("POST", address, json: body, headers: headers)
    }

    private static func configure(_ folder: Folder, listen: String, admins: String) throws -> String {
        let (file, secret) = (folder.path + "/onward.yaml", folder.path + "/secret")
        try #require(
            FileManager.default.createFile(
                atPath: secret, contents: Data(String(repeating: "s", count: 40).utf8), attributes: [.posixPermissions: 0o600]))
        let yaml = """
            listen: ["\(listen)"]
            adminListen: ["\(admins)"]
            publicOrigin: https://\(host)
            secret: {file: "\(secret)"}
            database: {path: "\(folder.path)/onward.sqlite"}
            projects:
              - {id: shop, displayName: Shop, apiKeys: [shop-key-1], authorizedDomains: [example.com]}
            """
        try yaml.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }
}
