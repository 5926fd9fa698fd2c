import ArgumentParser
import Base
import Server

/// The manual page of the commands, onward(1).
struct CommandManual {
    /// The description of a command that ArgumentParser gives.
    private struct Command {
        let json: JSON
        /// The words that call it, such as `onward mail trace`.
        let call: String

        var abstract: String { json["abstract"]?.string ?? "" }
        var discussion: String { json["discussion"]?.string ?? "" }
        var arguments: [JSON] { (json["arguments"]?.items ?? []).filter { $0["shouldDisplay"] == .bool(true) } }
        /// The commands below it, without `help`, which each has.
        var subcommands: [Command] {
            (json["subcommands"]?.items ?? []).filter { $0["shouldDisplay"] != .bool(false) }.compactMap { json in
                guard let name = json["commandName"]?.string, name != "help" else { return nil }
                return Command(json: json, call: "\(call) \(name)")
            }
        }
        var all: [Command] { [self] + subcommands.flatMap(\.all) }
    }

    private let root: Command

    init(of command: any ParsableCommand.Type) throws(JSON.Malformed) {
        let description = try JSON(Array(command._dumpHelp().utf8), within: JSON.ReadingLimits(maxMembers: 1000, maxValues: 100_000))
        root = Command(json: description["command"] ?? .null, call: command._commandName)
    }

    var text: String {
        var page = ManualPage(title: root.call.uppercased(), section: 1, version: Version.current)
        page.heading("NAME")
        page.paragraph("\(root.call) - server for the links that accounts send by e-mail")
        page.heading("SYNOPSIS")
        page.paragraph("\(root.call) <command> [<options>]")
        page.heading("DESCRIPTION")
        page.discussion(root.discussion)
        page.heading("COMMANDS")
        for command in root.all.dropFirst() { describe(command, on: &page) }
        page.heading("FILES")
        page.entry("/etc/onward/onward.yaml", ["The configuration, see onward.yaml(5)."])
        page.entry("/etc/onward/secret", ["The secret that `onward init` creates. Keep a copy of it."])
        page.entry("/var/lib/onward/onward.sqlite", ["The database."])
        page.entry("/usr/share/onward", ["Templates, languages and the files of pages."])
        page.heading("SEE ALSO")
        page.paragraph("onward.yaml(5), systemctl(1), and the documents in /usr/share/doc/onward")
        return page.text
    }

    private func describe(_ command: Command, on page: inout ManualPage) {
        page.subheading(command.call)
        page.paragraph(command.abstract)
        if command.subcommands.isEmpty {
            page.paragraph(
                "Usage: " + ([command.call] + command.arguments.filter { !Self.isCommon($0) }.map(Self.usage)).joined(separator: " "))
        }
        page.discussion(command.discussion)
        for argument in command.arguments where !Self.isCommon(argument) {
            let value = argument["defaultValue"]?.string.map { [" (default: \($0))"] } ?? []
            page.entry(Self.tag(argument), [(argument["abstract"]?.string ?? "") + value.joined()])
        }
    }

    /// Whether every command has it.
    private static func isCommon(_ argument: JSON) -> Bool {
        ["help", "version"].contains(argument["preferredName"]?["name"]?.string)
    }

    private static func tag(_ argument: JSON) -> String {
        let names = (argument["names"]?.items ?? []).compactMap { name in
            name["name"]?.string.map { (name["kind"]?.string == "short" ? "-" : "--") + $0 }
        }
        let value = "<\(argument["valueName"]?.string ?? "value")>"
        switch argument["kind"]?.string {
        case "positional": return value
        case "flag": return names.joined(separator: ", ")
        default: return names.joined(separator: ", ") + " " + value
        }
    }

    private static func usage(_ argument: JSON) -> String {
        let tag = tag(argument) + (argument["isRepeating"] == .bool(true) ? " ..." : "")
        return argument["isOptional"] == .bool(true) ? "[\(tag)]" : tag
    }
}
