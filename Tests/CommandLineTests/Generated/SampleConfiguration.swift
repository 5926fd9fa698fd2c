@testable import Configuration

/// The sample configuration Config/onward.yaml: every key with its explanation, and its default or
/// an example.
struct SampleConfiguration {
    static let introduction = [
        "Onward's configuration.",
        "A line that starts with \"#key:\" is a setting at its default: remove the # to change it. Lines that are not commented out "
            + "have no default and are required, or are examples to replace with your own. A line that starts with \"# key:\" is an "
            + "example, too: remove \"# \" to use it.",
        "`onward check-config --config Config/onward.yaml` reports every error with file, line and key. `onward serve --config "
            + "Config/onward.yaml` refuses to start while there is one.",
        "SIGHUP (`systemctl reload onward`) reloads this file: as a whole, or not at all if anything is wrong. The log says which. These "
            + "settings need a restart: listen, listenTLS, redirectFrom, adminListen, consoleListen, secret, database, log, limits, and the scheme of "
            + "publicOrigin.",
        "Durations are whole numbers with a unit: ms, s, m, h or d, such as 90s, 1h or 3d. Sizes are in bytes. Relative paths start at "
            + "the folder in which the server is started. This file contains no secret: it names where the secrets are.",
    ]

    let keys: [KeyDescription]

    var text: String {
        let introduction = Self.introduction.map { Self.comment($0, width: 100) }.joined(separator: ["#"])
        return ([Array(introduction)] + keys.map { Self.lines(of: $0, width: 100) }).map { $0.joined(separator: "\n") + "\n" }
            .joined(separator: "\n")
    }

    /// The comment and the value of a key; no lines for one that the sample does not show.
    private static func lines(of key: KeyDescription, width: Int) -> [String] {
        let members = key.isShownInline ? [] : key.shapes.first { !$0.members.isEmpty }?.members ?? []
        let lines = members.map { Self.lines(of: $0, width: width - (key.isList ? 4 : 3)) }
        let body = lines.flatMap(\.self)
        let value: [String]
        switch key.sample {
        case .standard(let text): value = ["#\(key.name): \(text)"]
        case .shown(let text): value = ["\(key.name): \(text)"]
        case .example(let text): value = ["# \(key.name): \(text)"]
        case .hidden where body.isEmpty: return []
        case .hidden where body.contains { !$0.hasPrefix("#") }:
            value = ["\(key.name):"] + (key.isList ? item(body) : body.map { "  \($0)" })
        case .hidden: value = ["#\(key.name):"] + body.map { "#  \($0.hasPrefix("# ") ? $0[...] : $0.dropFirst())" }
        }
        let shown = zip(members, lines).filter { !$1.isEmpty }.map(\.0.name)
        let others = list(key.members.filter { !shown.contains($0.name) })
        let heading = others.isEmpty ? "" : shown.isEmpty ? " Keys:" : " More keys:"
        return ([key.explanation + heading] + others).filter { !$0.isEmpty }.flatMap { comment($0, width: width) } + value
    }

    /// The explanations of keys that do not have their own lines.
    private static func list(_ keys: [KeyDescription], of section: String = "") -> [String] {
        keys.filter { !$0.text.isEmpty }.flatMap { key in
            let name = section + key.name
            return ["\(name): \(key.explanation)\(key.standard.map { " Default: \($0)." } ?? "")"] + list(key.members, of: "\(name).")
        }
    }

    /// The lines of the only item of a list. Its dash is before the first key.
    private static func item(_ lines: [String]) -> [String] {
        let first = lines.firstIndex { !$0.hasPrefix("#") } ?? 0
        return lines.enumerated().map { index, line in (index < first ? "  " : index == first ? "  - " : "    ") + line }
    }

    private static func comment(_ text: String, width: Int) -> [String] {
        var lines = ["#"]
        // A command in backticks stays in one line.
        for word in text.matches(of: #/(?:`[^`]+`|\S)+/#) {
            if let line = lines.last, line != "#", line.count + 1 + word.output.count > width { lines.append("#") }
            lines[lines.count - 1] += " \(word.output)"
        }
        return lines
    }
}
