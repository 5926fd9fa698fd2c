import Base
import Yams

/// The JSON Schema of the configuration file, by which editors complete keys and mark errors.
///
/// Source: JSON Schema draft 7, which the YAML language servers of editors read.
struct ConfigurationSchema {
    let file: SectionDescription
    let comments: SampleComments

    var json: JSON {
        var members: [JSON.Member] = [
            .init(name: "$schema", value: "http://json-schema.org/draft-07/schema#"),
            .init(name: "title", value: "The configuration file of Onward"),
        ]
        if case .object(let own) = schema(of: file, at: "") { members += own }
        return .object(members)
    }

    private func schema(of section: SectionDescription, at path: String) -> JSON {
        guard section.alternatives.isEmpty else {
            let alternatives = section.alternatives.map { keys(of: $0, at: path) }
            return .object(["anyOf": .array([keys(of: section, at: path)] + alternatives)])
        }
        return keys(of: section, at: path)
    }

    private func keys(of section: SectionDescription, at path: String) -> JSON {
        let properties = section.keys.map { key in
            let path = path.isEmpty ? key.name : "\(path).\(key.name)"
            return JSON.Member(name: key.name, value: schema(of: key.value, at: path, isDescribed: true))
        }
        let required = section.keys.filter(\.isRequired).map { JSON.string($0.name) }
        return .object([
            "type": "object", "additionalProperties": .bool(false), "required": required.isEmpty ? nil : .array(required),
            "properties": .object(properties),
        ])
    }

    private func schema(of value: SettingDescription, at path: String, isDescribed: Bool = false) -> JSON {
        var members: [JSON.Member] = []
        if isDescribed, let text = comments.paragraphs[path], !text.isEmpty {
            members.append(.init(name: "description", value: .string(text.joined(separator: "\n\n"))))
        }
        if isDescribed, let value = comments.defaults[path].flatMap({ try? Yams.compose(yaml: $0) }) {
            members.append(.init(name: "default", value: JSON(value)))
        }
        let forms = value.forms.map { schema(of: $0, at: path) }
        if let only = forms.first, forms.count == 1, case .object(let own) = only {
            members += own
        } else {
            members.append(.init(name: "anyOf", value: .array(forms)))
        }
        return .object(members)
    }

    private func schema(of form: SettingDescription.ValueForm, at path: String) -> JSON {
        switch form {
        case .text: .object(["type": .array(["string", "number", "boolean"])])
        case .word(let word): .object(["const": .string(word)])
        case .flag: .object(["type": "boolean"])
        case .count(let range): .object(["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)])
        case .span: .object(["type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$"])
        case .choice(let words): .object(["enum": .array(words.map { .string($0) })])
        case .list(let item): .object(["type": "array", "items": schema(of: item, at: path)])
        case .section(let section): schema(of: section, at: path)
        case .entries(let value): .object(["type": "object", "additionalProperties": schema(of: value, at: path)])
        }
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
