import ArgumentParser
import Foundation
import Testing
import World
@testable import CommandLine

/// The commands that the documents and the manual show, up to the point at which they would run.
/// `Scripts/documents` runs those of the README and of the operators' manual.
@Suite struct `A documented command` {
    /// Every `onward …` in an indented or fenced block, or in backticks, with its continued lines.
    static let documented: [String] = {
        let names =
            ["README.md"]
            + (FileManager.default.enumerator(atPath: Repository.root + "Docs")?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".md") && !$0.hasPrefix("internal/Decisions/") }.map { "Docs/" + $0 }
        return names.flatMap { name -> [String] in
            let text = ((try? String(contentsOfFile: Repository.root + name, encoding: .utf8)) ?? "").replacing(#/\\\n\s*/#, with: "")
            return commands(in: text)
        }
    }()

    static func commands(in text: String) -> [String] {
        let lines = text.matches(of: #/(?m)^(?: {2,}|sudo -u onward |)(?:sudo -u onward )?(onward [a-z][^\n]*)/#).map { String($0.1) }
        let inline = text.matches(of: #/`(?:sudo -u onward )?(onward [a-z][^`\n]*)`/#).map { String($0.1) }
        return lines + inline
    }

    /// The words as a shell splits them, up to a comment or the next command.
    static func words(of command: String) -> [String] {
        let words = command.matches(of: #/'([^']*)'|"([^"]*)"|(\S+)/#).map { String($0.1 ?? $0.2 ?? $0.3 ?? "") }
        return Array(words.dropFirst().prefix { !["#", "|", "&&", ">", "…"].contains($0) && !$0.hasPrefix("  ") })
    }

    private static func refusal(of command: String) -> String? {
        // An explanation follows after several spaces.
        let words = words(of: command.replacing(#/  +.*/#, with: ""))
        do {
            _ = try OnwardCommand.parseAsRoot(words + (words.last == "--config" ? ["onward.yaml"] : []))
            return nil
        } catch {
            // A command that is only named, without its arguments.
            return words.count == 1 || words.allSatisfy { !$0.hasPrefix("-") } ? nil : OnwardCommand.message(for: error)
        }
    }

    @Test func `is one that there is`() {
        #expect(Self.documented.count > 40)
        for command in Self.documented {
            let refusal = Self.refusal(of: command)
            #expect(refusal == nil, "\(command): \(refusal ?? "")")
        }
    }

    static func all(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap(all)
    }

    /// Lines that begin with spaces are not for wrapping: a command that is wrapped cannot be
    /// copied.
    @Test func `is shown whole by a terminal of 80 columns, and accepted as it is shown`() {
        for command in Self.all(of: OnwardCommand.self) {
            let discussion = command.configuration.discussion
            for line in discussion.split(separator: "\n") where line.hasPrefix(" ") {
                #expect(line.count <= 80, "\(command._commandName): \(line)")
            }
            for example in Self.commands(in: discussion.replacing(#/\\\n\s*/#, with: "")) {
                let refusal = Self.refusal(of: example)
                #expect(refusal == nil, "\(example): \(refusal ?? "")")
            }
        }
    }
}
