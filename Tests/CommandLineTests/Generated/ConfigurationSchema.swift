import Base
import Yams

@testable import Configuration

/// The JSON Schema of the configuration file. Editors use it to complete keys and mark errors.
///
/// Source: JSON Schema draft 7, which the YAML language servers of editors read.
struct ConfigurationSchema {
    let keys: [KeyDescription]

    var json: JSON {
        .object(
            [
                .init(name: "$schema", value: "http://json-schema.org/draft-07/schema#"),
                .init(name: "title", value: "The configuration file of Onward"),
            ] + Self.members(for: keys))
    }

    private static func members(for keys: [KeyDescription]) -> [JSON.Member] {
        let required = keys.filter(\.isRequired).map { JSON.string($0.name) }
        let properties = JSON.object(keys.map { JSON.Member(name: $0.name, value: .object(members(for: $0))) })
        return [.init(name: "type", value: "object"), .init(name: "additionalProperties", value: .bool(false))]
            + (required.isEmpty ? [] : [.init(name: "required", value: .array(required))]) + [.init(name: "properties", value: properties)]
    }

    private static func members(for key: KeyDescription) -> [JSON.Member] {
        let description = key.explanation.isEmpty ? [] : [JSON.Member(name: "description", value: .string(key.explanation))]
        let standard = key.standard.flatMap { try? Yams.compose(yaml: $0) }.map { [JSON.Member(name: "default", value: JSON($0))] }
        return description + (standard ?? []) + members(for: key.shapes)
    }

    private static func members(for shapes: [ValueShape]) -> [JSON.Member] {
        if shapes.count == 1 { return members(for: shapes[0]) }
        return [.init(name: "anyOf", value: .array(shapes.map { .object(members(for: $0)) }))]
    }

    private static func members(for shape: ValueShape) -> [JSON.Member] {
        let members: KeyValuePairs<String, JSON> =
            switch shape {
            case .text: ["type": .array(["string", "number", "boolean"])]
            case .word(let word): ["const": .string(word)]
            case .boolean: ["type": "boolean"]
            case .count(let range): ["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)]
            case .duration: ["type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$"]
            case .choice(let words): ["enum": .array(words.map { .string($0) })]
            case .list(let items): ["type": "array", "items": .object(Self.members(for: items))]
            case .entries(let values): ["type": "object", "additionalProperties": .object(Self.members(for: values))]
            case .section: [:]
            }
        if case .section(let keys) = shape { return Self.members(for: keys) }
        return members.map { JSON.Member(name: $0.key, value: $0.value) }
    }
}

extension JSON {
    /// A value of YAML, as its plain scalars are understood by editors.
    fileprivate init(_ node: Node) {
        switch node {
        case .mapping(let members): self = .object(members.map { .init(name: $0.key.string ?? "", value: JSON($0.value)) })
        case .sequence(let items): self = .array(items.map { JSON($0) })
        default:
            let text = node.scalar?.string ?? ""
            switch (node.scalar?.style, text) {
            case (.plain?, "true"), (.plain?, "false"): self = .bool(text == "true")
            case (.plain?, _) where Int(text) != nil: self = .number(text)
            default: self = .string(text)
            }
        }
    }

    /// The JSON text with a line for each member and item, as people read it.
    func indented(by depth: Int = 0) -> String {
        let (outer, inner) = (String(repeating: "  ", count: depth), String(repeating: "  ", count: depth + 1))
        switch self {
        case .object(let members) where !members.isEmpty:
            let lines = members.map { "\(inner)\(JSON.string($0.name).text): \($0.value.indented(by: depth + 1))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
        case .array(let items) where items.contains(where: { if case .object = $0 { true } else { false } }):
            return "[\n\(items.map { inner + $0.indented(by: depth + 1) }.joined(separator: ",\n"))\n\(outer)]"
        case .array(let items): return "[\(items.map { $0.indented() }.joined(separator: ", "))]"
        default: return text
        }
    }
}
