internal import Yams

/// A value of the file with its position.
public struct Setting {
    /// The path of keys, such as `projects[0].lifetimes.signIn`; empty for the file as a whole.
    let path: String
    let node: Node
    let context: ReadingContext

    /// The value of a key of a mapping; nil if it is missing.
    subscript(key: String) -> Setting? { node.mapping?.first { $0.key.string == key }.map { member(key, $0.value) } }

    /// The items of a list; none if it is not a list.
    var items: [Setting] {
        (node.sequence ?? []).enumerated().map { Setting(path: "\(path)[\($0.offset)]", node: $0.element, context: context) }
    }

    /// The text of a scalar as it is written, which may be empty.
    var word: String? { node.scalar?.string }

    func has(_ key: String) -> Bool { self[key] != nil }

    func member(_ key: String, _ node: Node) -> Setting {
        Setting(path: path.isEmpty ? key : "\(path).\(key)", node: node, context: context)
    }

    /// Notes a problem of this value.
    func note(_ sentence: String) { context.note(sentence, key: path.isEmpty ? nil : path, at: node.mark) }

    /// Runs `body`. An error is noted as a problem of this value.
    @discardableResult
    func noting<T>(_ body: () throws -> T?) -> T? {
        do { return try body() } catch {
            note(SettingError(error).sentence)
            return nil
        }
    }

    /// The text of any scalar as written, so that neither `no` nor `0123` is converted.
    func text() throws(SettingError) -> String {
        guard let scalar = node.scalar else { throw SettingError("expected text") }
        let isMissing = scalar.style == .plain && ["", "null", "~"].contains(scalar.string)
        guard !isMissing else { throw SettingError("expected text; a value that begins with # has to be in quotes") }
        guard !scalar.string.isEmpty else { throw SettingError("expected text that is not empty") }
        return scalar.string
    }

    /// Reads a mapping into `section`. Problems of its keys are noted at their own positions.
    func read<Section>(into section: inout Section, _ keys: [ConfigurationKey<Section>], alsoKnown: [String] = []) {
        let known = keys.map(\.name)
        for (name, node) in node.mapping ?? [:] {
            guard let text = name.string, let key = keys.first(where: { $0.name == text }) else { continue }
            let value = member(text, node)
            value.noting { try key.read(value, &section) }
        }
        noteUnknownKeys(among: known + alsoKnown)
        for key in keys where !has(key.name) {
            guard let expected = key.expected else { continue }
            context.note("is missing; expected \(expected)", key: member(key.name, node).path, at: node.mark)
        }
    }

    /// Notes each key of a mapping that is none of these.
    func noteUnknownKeys(among known: [String]) {
        for (name, node) in node.mapping ?? [:] {
            guard let text = name.string else {
                context.note("a key must be plain text", key: path.isEmpty ? nil : path, at: name.mark)
                continue
            }
            guard !known.contains(text) else { continue }
            let remedy =
                Spelling.replaced[text] ?? Spelling.nearest(to: text, among: known).map { "did you mean \($0)?" }
                ?? "expected one of \(known.joined(separator: ", "))"
            context.note("unknown key; \(remedy)", key: member(text, node).path, at: name.mark)
        }
    }
}
