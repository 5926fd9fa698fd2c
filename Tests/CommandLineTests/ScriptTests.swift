import Foundation
import Testing
import World

/// The scripts that every developer runs, in a shell as Debian starts it for an ordinary user.
@Suite struct `A script` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").path

    private func output(of command: String) throws -> String {
        let shell = "cd '\(Self.root)'; PATH=/usr/local/bin:/usr/bin:/bin; ulimit -S -n 256; "
        return try Program.output(of: "/bin/bash", ["-c", shell + command])
    }

    @Test func `may open as many files as the system allows, and finds servers`() throws {
        #expect(try output(of: #"source Scripts/machine; [ "$(ulimit -S -n)" = "$(ulimit -H -n)" ] && echo raised"#) == "raised\n")
        #expect(try output(of: "source Scripts/machine; echo $PATH").contains(":/usr/sbin:"))
    }

    @Test func `that runs the tests explains its steps, and refuses others before it installs anything`() throws {
        let help = try output(of: "Scripts/test --help && echo done")
        #expect(help.hasPrefix("Runs everything") && help.contains("\n  format ") && help.hasSuffix("done\n"))
        for wrong in ["--format", "format", "--only", "--only all"] {
            let refusal = try output(of: "Scripts/test \(wrong) || echo refused")
            #expect(refusal.hasPrefix("error: ") && refusal.hasSuffix("refused\n"))
        }
    }
}
