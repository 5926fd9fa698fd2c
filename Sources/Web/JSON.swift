internal import Foundation

/// A JSON value, read with a bound on its depth and written with its keys in the order given.
enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    /// As it was written, so that 64-bit integers lose nothing.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    struct Member: Sendable, Equatable {
        let name: String
        let value: JSON
    }

    /// An object of what is there: nil values are left out, as SDKs need it (an absent key and a null differ).
    static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// A member of an object, the first of its name.
    subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    static func int(_ number: Int) -> JSON { .number(String(number)) }

    /// Nil for nil, so that the key is left out.
    static func string(ifAny string: String?) -> JSON? { string.map { .string($0) } }

    var bytes: [UInt8] { Array(text.utf8) }

    var text: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number): number
        case .string(let string): Self.quoted(string)
        case .array(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
        case .object(let members): "{" + members.map { Self.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }

    /// Escaped so that it is also inert inside a script or a page.
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
    init(stringLiteral value: String) { self = .string(value) }
}
