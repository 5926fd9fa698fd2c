import Foundation
import Testing
import World

extension `Onward from end to end` {
    /// A server reads a language when it is first shown, and shows English in place of one that is
    /// damaged. So the commands that judge an installation read all of them (W2).
    @Suite struct `A release with a damaged language` {
        @Test(arguments: ["check-config", "self-check", "doctor"])
        func `a command that judges an installation refuses a release with a damaged language`(_ command: String) throws {
            let folder = try TemporaryFolder()
            let files = FileManager.default
            try files.createDirectory(atPath: "\(folder.path)/bin", withIntermediateDirectories: true)
            for part in ["Config", "Public"] {
                try files.copyItem(atPath: Repository.root + part, toPath: "\(folder.path)/\(part)")
            }
            let (executable, language) = (folder.path + "/bin/onward", folder.path + "/Config/languages/pl.json")
            try files.copyItem(atPath: DevServer.executable, toPath: executable)
            let configuration = folder.path + "/onward.yaml"
            try """
            publicOrigin: https://auth.shop.test
            mail: none
            database: {path: \(folder.path)/onward.sqlite}
            secret: {file: \(folder.path)/secret}
            projects: [{id: shop, displayName: Shop, apiKeys: [shop-key-1], authorizedDomains: [shop.test]}]
            """.write(toFile: configuration, atomically: true, encoding: .utf8)
            let secret = Data(String(repeating: "s", count: 40).utf8)
            try #require(files.createFile(atPath: folder.path + "/secret", contents: secret, attributes: [.posixPermissions: 0o600]))

            func output() throws -> String { try Program.output(of: executable, [command, "--config", configuration]) }
            #expect(try output().firstMatch(of: /pl\.json|cannot be read/) == nil)
            let words = try String(contentsOfFile: language, encoding: .utf8)
            try words.replacing(#""words""#, with: #""wordz""#).write(toFile: language, atomically: true, encoding: .utf8)
            #expect(try output().contains("Config/languages/pl.json"))
        }
    }
}
