internal import JSON

/// What a JSON value looks like: as much of JSON Schema as the API needs.
indirect enum Schema: Sendable {
    case text
    case flag
    case integer
    /// A 64-bit integer as Google writes it: its digits in a string.
    case int64
    /// A number that stands as one.
    case number
    case choice([String])
    case list(Schema)
    case object([Property])
    /// An object whose members have names of the caller's choice.
    case map(Schema)
    case shared(Shared)
    case anything

    /// Source: JSON Schema 2020-12, as OpenAPI 3.1 takes it.
    var json: JSON {
        switch self {
        case .text: .object(["type": "string"])
        case .flag: .object(["type": "boolean"])
        case .integer: .object(["type": "integer"])
        case .int64: .object(["type": "string", "format": "int64", "pattern": "^-?[0-9]+$"])
        case .number: .object(["type": "number"])
        case .choice(let names): .object(["type": "string", "enum": .array(names.map { .string($0) })])
        case .list(let items): .object(["type": "array", "items": items.json])
        case .object(let properties): Self.object(of: properties)
        case .map(let values): .object(["type": "object", "additionalProperties": values.json])
        case .shared(let shared): .object(["$ref": .string("#/components/schemas/\(shared.rawValue)")])
        case .anything: .object([:])
        }
    }

    private static func object(of properties: [Property]) -> JSON {
        let required = properties.filter(\.isRequired).map { JSON.string($0.name) }
        return .object([
            "type": "object",
            "properties": .object(properties.map { JSON.Member(name: $0.name, value: $0.json) }),
            "required": required.isEmpty ? nil : .array(required),
        ])
    }
}

/// A member of an object.
struct Property: Sendable {
    let name: String
    let schema: Schema
    /// Nil where the name says all.
    let note: String?
    var isRequired = false

    init(_ name: String, _ schema: Schema, _ note: String? = nil) {
        self.name = name
        self.schema = schema
        self.note = note
    }

    /// The same, always there.
    static func always(_ name: String, _ schema: Schema, _ note: String? = nil) -> Property {
        var property = Property(name, schema, note)
        property.isRequired = true
        return property
    }

    var json: JSON {
        guard let note, case .object(let members) = schema.json else { return schema.json }
        return .object(members + [JSON.Member(name: "description", value: .string(note))])
    }
}
