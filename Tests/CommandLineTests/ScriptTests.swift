import Foundation
import Testing
import World

/// The scripts that every developer runs, in a shell as Debian starts it for an ordinary user.
@Suite struct `A script` {
    private func output(of command: String) throws -> String {
        let shell = "cd '\(Repository.root)'; PATH=/usr/local/bin:/usr/bin:/bin; ulimit -S -n 256; "
        return try Program.output(of: "/bin/bash", ["-c", shell + command])
    }

    @Test func `a script may open as many files as the system allows, and finds servers`() throws {
        #expect(try output(of: #"source Scripts/machine; [ "$(ulimit -S -n)" = "$(ulimit -H -n)" ] && echo raised"#) == "raised\n")
        #expect(try output(of: "source Scripts/machine; echo $PATH").contains(":/usr/sbin:"))
    }

    @Test func `the script that runs the tests explains its steps, and refuses others before it installs anything`() throws {
        let help = try output(of: "Scripts/test --help && echo done")
        #expect(help.hasPrefix("Runs everything") && help.contains("\n  format ") && help.hasSuffix("done\n"))
        for wrong in ["--format", "format", "--only", "--only all"] {
            let refusal = try output(of: "Scripts/test \(wrong) || echo refused")
            #expect(refusal.hasPrefix("error: ") && refusal.hasSuffix("refused\n"))
        }
    }

    @Test func `the script that checks a change explains itself, and runs steps that the script of all tests has`() throws {
        let help = try output(of: "Scripts/check --help && echo done")
        #expect(help.hasPrefix("Runs what") && help.contains("no other server") && help.hasSuffix("done\n"))
        for wrong in ["--only format", "format"] {
            let refusal = try output(of: "Scripts/check \(wrong) || echo refused")
            #expect(refusal.hasPrefix("error: ") && refusal.hasSuffix("refused\n"))
        }
        let script = try String(contentsOfFile: Repository.root + "/Scripts/check", encoding: .utf8)
        let steps = script.matches(of: #/--only (\w+)/#).map { String($0.1) }
        #expect(steps == ["format", "build", "check"])
        let all = try output(of: "Scripts/test --help")
        for name in steps { #expect(all.contains("\n  \(name) "), "\(name)") }
    }
}
