internal import Foundation

/// A custom claim: any JSON value, as an admin set it. Source: Firebase `Control Access with Custom
/// Claims`.
public enum Claim: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([Claim])
    case object([String: Claim])

    /// The maximum depth of a token's JSON, which is also the API's. Each `try` below costs time in
    /// proportion to the depth.
    private static let maxDepth = 33

    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard decoder.codingPath.count <= Self.maxDepth else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "nested too deeply")
        }
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let int = try? value.decode(Int64.self) {
            self = .int(int)
        } else if let double = try? value.decode(Double.self) {
            self = .double(double)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([Claim].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: Claim].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .int(let int): try value.encode(int)
        case .double(let double): try value.encode(double)
        case .string(let string): try value.encode(string)
        case .array(let array): try value.encode(array)
        case .object(let object): try value.encode(object)
        }
    }
}

extension Claim {
    /// The names that custom claims must not have, because ID tokens use them or may use them.
    /// Source: Firebase `Control Access with Custom Claims`.
    public static let reserved: Set<String> = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "c_hash", "cnf", "exp", "firebase", "iat", "iss", "jti", "nbf", "nonce", "sub",
    ]

    /// The members of a stored JSON object; none if `text` is not one.
    static func object(_ text: String?) -> [String: Claim] {
        text.flatMap { try? JSONDecoder().decode([String: Claim].self, from: Data($0.utf8)) } ?? [:]
    }

    /// Whether ID tokens can contain the members of a JSON object: they cannot if a number is out
    /// of range or the nesting is too deep.
    public static func isRepresentable(_ text: String) -> Bool {
        (try? JSONDecoder().decode([String: Claim].self, from: Data(text.utf8))) != nil
    }

    /// The JSON that `object` reads, always in the same spelling.
    static func text(_ object: [String: Claim]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(object), as: UTF8.self)
    }
}
