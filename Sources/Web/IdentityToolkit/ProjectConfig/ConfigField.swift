internal import Accounts
internal import Base

/// A field of a project's configuration that admins may change: its path, its value and the setting
/// that it changes.
struct ConfigField: Sendable {
    typealias Change = @Sendable (inout ProjectSettings) throws(ActionError) -> Void

    /// The names from the root, separated by dots.
    let path: String
    let schema: Schema
    /// The current value for a project; nil if it is left out.
    let value: @Sendable (Project) -> JSON?
    private let change: @Sendable (_ parent: JSONFields?, _ name: String, _ resets: Bool) throws(ActionError) -> Change?

    /// - Parameter read: reads the field from its parent; nil if it is absent.
    init<Value: Sendable>(
        _ path: String, _ schema: Schema, _ setting: any WritableKeyPath<ProjectSettings, Value?> & Sendable,
        read: @escaping @Sendable (JSONFields, String) throws(ActionError) -> Value?, value: @escaping @Sendable (Project) -> JSON?
    ) {
        self.path = path
        self.schema = schema
        self.value = value
        change = { parent, name, resets throws(ActionError) in
            let value = try parent.flatMap { parent throws(ActionError) in try read(parent, name) }
            guard value != nil || resets else { return nil }
            return { settings throws(ActionError) in settings[keyPath: setting] = value }
        }
    }

    /// A field that cannot be changed.
    static func output(_ path: String, _ schema: Schema, value: @escaping @Sendable (Project) -> JSON?) -> ConfigField {
        ConfigField(path: path, schema: schema, value: value) { _, _, _ throws(ActionError) in nil }
    }

    private init(
        path: String, schema: Schema, value: @escaping @Sendable (Project) -> JSON?,
        change: @escaping @Sendable (JSONFields?, String, Bool) throws(ActionError) -> Change?
    ) {
        (self.path, self.schema, self.value, self.change) = (path, schema, value, change)
    }

    /// The change that a body asks for.
    ///
    /// With a mask, only the named fields change; a named field that is not in the body is reset to
    /// the configuration file's value. Without a mask, the fields in the body change and the others
    /// stay, as in Google's services (AIP-134). The emulator would reset the others.
    static func change(_ fields: [ConfigField], by body: JSONFields, mask: FieldMask?) throws(ActionError) -> Change {
        var changes: [Change] = []
        for field in fields where mask?.names(field.path) ?? true {
            let (parent, name) = try body.parent(of: field.path)
            if let change = try field.change(parent, name, mask != nil) { changes.append(change) }
        }
        return { [changes] settings throws(ActionError) in
            for change in changes { try change(&settings) }
        }
    }

    /// The values of these fields for a project, added to `start`.
    static func json(_ fields: [ConfigField], of project: Project, after start: JSON = .object([])) -> JSON {
        fields.reduce(start) { config, field in
            field.value(project).map { config.setting($0, at: field.path.split(separator: ".")) } ?? config
        }
    }

    /// The `projects/{p}/config` of Identity Toolkit, with the fields that Onward has.
    /// - Parameter name: the project's id in responses.
    static func config(of project: Project, named name: String) -> JSON {
        json(all, of: project, after: .object(["name": .string("projects/\(name)/config")]))
    }
}

extension ConfigField {
    /// The schema of the fields for the OpenAPI document.
    static func properties(of fields: [ConfigField]) -> [Property] {
        properties(fields.map { ($0.path.split(separator: "."), $0.schema) })
    }

    private static func properties(_ fields: [(path: [Substring], schema: Schema)]) -> [Property] {
        var names: [Substring] = []
        for name in fields.compactMap(\.path.first) where !names.contains(name) { names.append(name) }
        return names.map { name in
            let inner = fields.filter { $0.path.first == name }
            if let leaf = inner.first(where: { $0.path.count == 1 }) { return Property(String(name), leaf.schema) }
            return Property(String(name), .object(properties(inner.map { (Array($0.path.dropFirst()), $0.schema) })))
        }
    }
}

extension JSONFields {
    /// The parent of the field at a path, and the field's name; the parent is nil if it is absent.
    func parent(of path: String) throws(ActionError) -> (parent: JSONFields?, name: String) {
        let steps = path.split(separator: ".").map(String.init)
        var parent: JSONFields? = self
        for step in steps.dropLast() {
            parent = try parent.flatMap { fields throws(ActionError) in try fields.object(step) }
        }
        return (parent, steps.last ?? "")
    }
}

extension JSON {
    /// The object with a value set at a path.
    fileprivate func setting(_ value: JSON, at path: [Substring]) -> JSON {
        guard let step = path.first, case .object(let members) = self else { return value }
        let inner = (self[String(step)] ?? .object([])).setting(value, at: Array(path.dropFirst()))
        let member = Member(name: String(step), value: inner)
        guard let index = members.firstIndex(where: { $0.name == step }) else { return .object(members + [member]) }
        return .object(Array(members[..<index]) + [member] + members[(index + 1)...])
    }
}
