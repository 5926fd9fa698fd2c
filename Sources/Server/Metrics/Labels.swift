/// The labels of a series in the text format, without braces.
struct Labels: Sendable, Hashable, Comparable {
    struct Member: Sendable, Hashable {
        let name, value: String
    }

    let members: [Member]
    let text: String

    static let none = Labels([])

    init(_ pairs: [(String, String)]) {
        members = pairs.map { Member(name: $0, value: $1) }
        text = pairs.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    }

    func adding(_ name: String, _ value: String) -> String { (text.isEmpty ? "" : text + ",") + "\(name)=\"\(value)\"" }

    static func < (a: Labels, b: Labels) -> Bool { a.text < b.text }

    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { text, character in
            switch character {
            case "\\": text += #"\\"#
            case "\"": text += #"\""#
            case "\n", "\r\n": text += #"\n"#
            default: text.append(character)
            }
        }
    }
}
