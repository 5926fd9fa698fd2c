import Foundation
import Testing
import World

/// A running `onward serve` with an Android app whose versions it knows, and with a link domain on
/// the same port.
struct AppServer: Sendable {
    /// The public origin, and that of the link domain.
    let origin, linkOrigin: String
    private let program: Program

    /// - Parameter folder: for its configuration, its secret and its data.
    init(in folder: TemporaryFolder) async throws {
        let port = try FrontDoor.freePort()
        (origin, linkOrigin) = ("http://localhost:\(port)", "http://127.0.0.1:\(port)")
        let (file, secret) = (folder.path + "/apps.yaml", folder.path + "/secret")
        try #require(
            FileManager.default.createFile(
                atPath: secret, contents: Data(String(repeating: "s", count: 40).utf8), attributes: [.posixPermissions: 0o600]))
        let yaml = """
            listen: ["127.0.0.1:\(port)"]
            publicOrigin: \(origin)
            secret: {file: "\(secret)"}
            database: \(try ChosenEngine.setting(at: "\(folder.path)/apps.sqlite"))
            mail: none
            projects:
              - id: shop
                displayName: Shop
                apiKeys: [shop-key-1]
                authorizedDomains: [localhost]
                linkDomains: ["127.0.0.1:\(port)"]
                apps: {android: [{packageName: com.example.shop, versionCodes: {"1.0": 100, "1.1": 110}}]}
            """
        try yaml.write(toFile: file, atomically: true, encoding: .utf8)
        program = try Program("/bin/sh", ["-c", #"exec "$0" serve --config "$1""#, DevServer.executable, file])
        _ = try await program.first(#/"message":"listening","addresses":\["(127\.0\.0\.1:\d+)"\]/#)
    }

    func kill() async {
        program.signal(SIGKILL)
        _ = await program.status
    }
}
