/// A JSON value. Numbers keep the text they were sent as, so that 64-bit integers lose nothing, and
/// objects keep the order of their members.
package enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: JSON

        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// Makes an object of the members that are not nil. SDKs tell an absent member from a null.
    package static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    package static func int(_ number: Int) -> JSON { .number(String(number)) }

    /// Nil for nil, so that `object(_:)` leaves the member out.
    package static func string(ifAny string: String?) -> JSON? { string.map { .string($0) } }

    /// The first member of an object with this name; nil if there is none, or if this is not an
    /// object.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text of a string; nil for every other value.
    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The items of an array; nil for every other value.
    package var items: [JSON]? { if case .array(let items) = self { items } else { nil } }

    /// The JSON text in UTF-8.
    package var bytes: [UInt8] { Array(text.utf8) }

    /// The JSON text, without spaces.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number): number
        case .string(let string): Self.quoted(string)
        case .array(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
        case .object(let members): "{" + members.map { Self.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }

    /// Also escapes `<`, `>`, `&` and line separators, so that the text is inert inside HTML and
    /// scripts.
    private static func quoted(_ string: String) -> String {
        string.unicodeScalars.reduce(into: "\"") { text, scalar in
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}"..."\u{1f}", "\u{7f}":
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        } + "\""
    }
}

extension JSON: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
}
