import Base
import Yams

/// Checks YAML against a JSON Schema. It knows only the keywords that the schema of the
/// configuration uses; any other keyword is a fault.
struct SchemaCheck {
    private static let known: Set = [
        "$schema", "title", "description", "default", "type", "additionalProperties", "required", "properties", "items", "anyOf", "const",
        "enum", "pattern", "minimum", "maximum",
    ]
    private let schema: JSON

    init(_ schema: JSON) { self.schema = schema }

    func faults(in node: Node) -> [String] { faults(in: node, by: schema, at: "") }

    private func faults(in node: Node, by schema: JSON, at path: String) -> [String] {
        guard case .object(let keywords) = schema else { return ["\(path): the schema is not an object"] }
        if let unknown = keywords.first(where: { !Self.known.contains($0.name) }) { return ["\(path): \(unknown.name) is not checked"] }
        if let forms = schema["anyOf"]?.items {
            return forms.contains { faults(in: node, by: $0, at: path).isEmpty } ? [] : ["\(path) has none of its forms"]
        }
        if let word = schema["const"]?.string { return node.scalar?.string == word ? [] : ["\(path) is not \(word)"] }
        if let words = schema["enum"]?.items {
            return words.contains { $0.string == node.scalar?.string } ? [] : ["\(path) is none of its words"]
        }
        let types = schema["type"]?.items?.compactMap(\.string) ?? [schema["type"]?.string ?? ""]
        guard types.contains(where: { Self.isOf($0, node) }) else { return ["\(path) is not of type \(types.joined(separator: ", "))"] }
        if types == ["integer"] { return numberFaults(node, schema, path) }
        if let pattern = schema["pattern"]?.string {
            guard let regex = try? Regex(pattern) else { return ["\(path): the pattern is not one"] }
            return node.scalar?.string.contains(regex) == true ? [] : ["\(path) does not match its pattern"]
        }
        if let items = schema["items"], let sequence = node.sequence {
            return sequence.enumerated().flatMap { faults(in: $1, by: items, at: "\(path)[\($0)]") }
        }
        return node.mapping.map { keyFaults($0, schema, path) } ?? []
    }

    private func keyFaults(_ mapping: Node.Mapping, _ schema: JSON, _ path: String) -> [String] {
        func join(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
        let names = mapping.map { $0.key.string ?? "" }
        let missing = (schema["required"]?.items ?? []).compactMap(\.string).filter { !names.contains($0) }.map { "\(join($0)) is missing" }
        return missing
            + mapping.flatMap { key, value -> [String] in
                let name = key.string ?? ""
                if let property = schema["properties"]?[name] { return faults(in: value, by: property, at: join(name)) }
                if schema["additionalProperties"] == .bool(false) { return ["\(join(name)) is not known"] }
                return schema["additionalProperties"].map { faults(in: value, by: $0, at: join(name)) } ?? []
            }
    }

    private func numberFaults(_ node: Node, _ schema: JSON, _ path: String) -> [String] {
        guard case .number(let low)? = schema["minimum"], case .number(let high)? = schema["maximum"], let low = Int(low),
            let high = Int(high), let number = node.scalar.flatMap({ Int($0.string) })
        else { return ["\(path) has no bounds"] }
        return (low...high).contains(number) ? [] : ["\(path) is not in \(low)...\(high)"]
    }

    /// The type of a value as YAML 1.2 resolves it.
    private static func isOf(_ type: String, _ node: Node) -> Bool {
        let (text, isPlain) = (node.scalar?.string, node.scalar?.style == .plain)
        let isNumber = isPlain && text.flatMap(Double.init) != nil
        let isFlag = isPlain && ["true", "false"].contains(text)
        return switch type {
        case "object": node.mapping != nil
        case "array": node.sequence != nil
        case "string": text != nil && !isNumber && !isFlag
        case "number": isNumber
        case "integer": isPlain && text.flatMap { Int($0) } != nil
        case "boolean": isFlag
        default: false
        }
    }
}
