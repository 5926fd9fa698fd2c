internal import Foundation

/// A custom claim: any JSON value, as an admin set it. Source: Firebase `Control Access with Custom Claims`.
package enum Claim: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([Claim])
    case object([String: Claim])

    /// In a token, what holds the claims included; the API reads no deeper JSON either. Each try below costs as much as the place is deep.
    private static let maxDepth = 33

    package init(from decoder: any Decoder) throws {
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

    package func encode(to encoder: any Encoder) throws {
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
    /// The names that custom claims must not have, because ID tokens say them, or might. Source: Firebase `Control Access with Custom Claims`.
    package static let reserved: Set<String> = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "c_hash", "cnf", "exp", "firebase", "iat", "iss", "jti", "nbf", "nonce", "sub",
    ]

    /// The members of a stored JSON object; none where there is no such object.
    static func object(_ text: String?) -> [String: Claim] {
        text.flatMap { try? JSONDecoder().decode([String: Claim].self, from: Data($0.utf8)) } ?? [:]
    }

    /// Whether ID tokens can repeat what a JSON object says: a number beyond all bounds, or more depth than theirs, they cannot.
    package static func canRepeat(_ text: String) -> Bool {
        (try? JSONDecoder().decode([String: Claim].self, from: Data(text.utf8))) != nil
    }

    /// What `object` reads, always spelled alike.
    static func text(_ object: [String: Claim]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(object), as: UTF8.self)
    }
}

extension IDToken {
    /// The custom claims beside the token's own; none has the name of one of those.
    package func encode(to encoder: any Encoder) throws {
        try claims.encode(to: encoder)
        var own = encoder.container(keyedBy: CodingKeys.self)
        try own.encode(iss, forKey: .iss)
        try own.encode(aud, forKey: .aud)
        try own.encode(sub, forKey: .sub)
        try own.encode(iat, forKey: .iat)
        try own.encode(exp, forKey: .exp)
        try own.encode(authTime, forKey: .authTime)
        try own.encode(userID, forKey: .userID)
        try own.encode(validSince, forKey: .validSince)
        try own.encodeIfPresent(name, forKey: .name)
        try own.encodeIfPresent(picture, forKey: .picture)
        try own.encodeIfPresent(email, forKey: .email)
        try own.encodeIfPresent(emailVerified, forKey: .emailVerified)
        try own.encodeIfPresent(phoneNumber, forKey: .phoneNumber)
        try own.encodeIfPresent(providerID, forKey: .providerID)
        try own.encode(firebase, forKey: .firebase)
    }
}
