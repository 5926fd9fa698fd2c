import Foundation
import Testing
import World

/// A running `onward serve` with its public and its admin listener, each on a port that the system
/// chose.
struct ProductionServer: Sendable {
    static let host = "auth.example.com"

    let program: Program
    let port: UInt16
    let adminPort: UInt16
    /// The path of the configuration file.
    let configuration: String

    /// - Parameters:
    ///   - folder: for the configuration, the secret and the data.
    ///   - listen: the address of the public listener.
    ///   - admins: the address of the admin listener.
    ///   - environment: added to the environment of this process.
    ///   - origin: the public origin.
    ///   - mail: the key `mail` of the configuration.
    ///   - keys: more keys of the configuration, each on its own line.
    ///   - sockets: listening sockets that the server receives, as from systemd.
    ///   - domains: the authorized domains of the project.
    ///   - project: more of the project in the configuration, with a comma before it.
    init(
        in folder: TemporaryFolder, listen: String = "127.0.0.1:0", admins: String = "127.0.0.1:0", environment: [String: String] = [:],
        sockets: [Int32] = [], origin: String = "https://\(host)", mail: String = "none", more keys: String = "",
        domains: String = "example.com", project: String = ""
    ) async throws {
        let all = """
            listen: ["\(listen)"]
            adminListen: ["\(admins)"]
            publicOrigin: \(origin)
            mail: \(mail)
            projects:
              - {id: shop, displayName: Shop, apiKeys: [shop-key-1], authorizedDomains: [\(domains)], confirmBy: press\(project)}
            \(keys)
            """
        configuration = try Self.configure(folder, all)
        // The log arrives in the same pipe as other output. Sockets are for the process whose
        // number LISTEN_PID names.
        program = try Program(
            "/bin/sh", ["-c", #"LISTEN_PID=$$ exec "$0" serve --config "$1""#, DevServer.executable, configuration],
            environment: environment, descriptors: sockets)
        port = try #require(UInt16(try await program.first(#/"message":"listening","addresses":\["127\.0\.0\.1:(\d+)"\]/#)))
        adminPort = try #require(
            UInt16(try await program.first(#/"message":"admin listener started[^"]*","addresses":\["127\.0\.0\.1:(\d+)"\]/#)))
    }

    /// Another command of the same program, on the same configuration.
    func command(_ words: [String]) throws -> Program {
        try Program(DevServer.executable, words + ["--config", configuration], errors: configuration + ".log")
    }

    /// Changes the configuration file and makes the server read it again.
    func reload(replacing old: String, with new: String) throws {
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        try #require(text.contains(old))
        try text.replacing(old, with: new).write(toFile: configuration, atomically: true, encoding: .utf8)
        program.signal(SIGHUP)
    }

    /// The lines that a command prints; throws if it fails.
    func output(of words: String...) async throws -> [String] {
        try await command(words).linesToEnd()
    }

    /// The records that `onward audit` prints.
    func audit(_ options: String...) async throws -> [JSON] {
        try await command(["audit"] + options).linesToEnd().map { try JSONDecoder().decode(JSON.self, from: Data($0.utf8)) }
    }

    /// Calls the API as an admin SDK does in emulator mode.
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

    /// Creates an account without a password, as an admin.
    func createAccount(_ email: String) async throws {
        try #require(try await call("accounts", ["email": .text(email)], at: adminPort).status == 200)
    }

    /// Asks for a password reset by mail, as an admin's back end does.
    func askForReset(of email: String) async throws -> HTTP.Reply {
        try await call("accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": .text(email)], at: adminPort)
    }

    /// Writes the configuration with these keys, a secret and a database; returns the file's path.
    private static func configure(_ folder: TemporaryFolder, _ keys: String) throws -> String {
        let (file, secret) = (folder.path + "/onward.yaml", folder.path + "/secret")
        try #require(
            FileManager.default.createFile(
                atPath: secret, contents: Data(String(repeating: "s", count: 40).utf8), attributes: [.posixPermissions: 0o600]))
        let yaml = """
            secret: {file: "\(secret)"}
            database: \(try ChosenEngine.setting(at: "\(folder.path)/onward.sqlite"))
            \(keys)
            """
        try yaml.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }
}
