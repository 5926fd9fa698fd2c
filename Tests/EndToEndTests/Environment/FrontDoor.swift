import Foundation
import Testing
import World

/// A running `onward serve` without its own accounts, in front of a second Onward that plays
/// Firebase.
struct FrontDoor: Sendable {
    /// `http://localhost:<port>`.
    let origin: String
    private let program: Program

    /// - Parameters:
    ///   - folder: for its configuration, its secret and its data.
    ///   - upstream: the server that has the accounts.
    ///   - helpers: the origin of Firebase's pages for its SDK.
    init(in folder: TemporaryFolder, upstream: DevServer, helpers: String? = nil) async throws {
        let port = try Self.freePort()
        origin = "http://localhost:\(port)"
        let (file, secret) = (folder.path + "/front.yaml", folder.path + "/secret")
        try #require(
            FileManager.default.createFile(
                atPath: secret, contents: Data(String(repeating: "s", count: 40).utf8), attributes: [.posixPermissions: 0o600]))
        let yaml = """
            listen: ["127.0.0.1:\(port)"]
            publicOrigin: \(origin)
            secret: {file: "\(secret)"}
            database: \(try ChosenEngine.setting(at: "\(folder.path)/front.sqlite"))
            projects:
              - id: shop
                displayName: Shop
                apiKeys: [demo-api-key]
                authority: \(upstream.origin)/identitytoolkit.googleapis.com
                authorizedDomains: upstream
                confirmBy: press
                firebaseHelpers: \(helpers.map { "\"\($0)\"" } ?? "false")
            """
        try yaml.write(toFile: file, atomically: true, encoding: .utf8)
        program = try Program("/bin/sh", ["-c", #"exec "$0" serve --config "$1""#, DevServer.executable, file])
        _ = try await program.first(#/"message":"listening","addresses":\["(127\.0\.0\.1:\d+)"\]/#)
    }

    /// The link that Firebase sends once its custom action URL is set to this server.
    func link(_ mode: String, _ code: String, goingOnTo goal: String) -> String {
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let url = goal.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
        return "\(origin)/__/auth/action?mode=\(mode)&oobCode=\(code)&apiKey=demo-api-key&continueUrl=\(url)&lang=en"
    }

    func kill() async {
        program.signal(SIGKILL)
        _ = await program.status
    }

    /// A free port. It must be known before the start, because the configuration contains the
    /// origin.
    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        try #require(isBound)
        return UInt16(bigEndian: name.sin_port)
    }
}
