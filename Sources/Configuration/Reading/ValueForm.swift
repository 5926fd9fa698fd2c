internal import Yams

/// A form of values: how one is read, written and described.
struct ValueForm<Value> {
    /// The shapes that a value may have in YAML.
    let shapes: () -> [ValueShape]
    /// A value as the file has it; nil if the sample does not show it.
    let written: (Value) -> String?
    /// Reads a value. Errors say what is expected. Nil if a problem was noted already, or if
    /// secrets are not looked up.
    let read: (Setting) throws -> Value?

    init(
        _ shapes: @escaping @autoclosure () -> [ValueShape], written: @escaping (Value) -> String? = { _ in nil },
        read: @escaping (Setting) throws -> Value?
    ) {
        (self.shapes, self.written, self.read) = (shapes, written, read)
    }

    func map<New>(
        written: @escaping (New) -> String? = { _ in nil }, _ transform: @escaping (Value, Setting) throws -> New?
    ) -> ValueForm<New> {
        ValueForm<New>(shapes(), written: written) { setting in try read(setting).flatMap { try transform($0, setting) } }
    }

    func map<New>(written: @escaping (New) -> String? = { _ in nil }, _ transform: @escaping (Value) throws -> New?) -> ValueForm<New> {
        map(written: written) { value, _ in try transform(value) }
    }

    /// Values for which `body` does not throw.
    func checked(_ body: @escaping (Value, Setting) throws -> Void) -> ValueForm {
        map(written: written) { value, setting in
            try body(value, setting)
            return value
        }
    }

    /// Values that no other of this kind in the file equals.
    func unique(_ kind: String, by name: @escaping (Value) -> String) -> ValueForm {
        checked { value, setting in try setting.context.claim(name(value), as: kind, by: setting) }
    }
}

// MARK: Scalars

extension ValueForm {
    /// A scalar that `parse` turns into a value; nil is reported with what is expected.
    private static func scalar(
        _ shape: ValueShape, _ detail: String = "", written: @escaping (Value) -> String?, _ parse: @escaping (Node.Scalar) -> Value?
    ) -> ValueForm {
        ValueForm([shape], written: written) { setting in
            guard let value = setting.node.scalar.flatMap(parse) else { throw SettingError("expected \(shape.words)\(detail)") }
            return value
        }
    }

    /// Text that `parse` turns into a value; nil is reported with what is expected.
    static func text(
        _ what: String, written: @escaping (Value) -> String? = { _ in nil }, _ parse: @escaping (String) throws -> Value?
    ) -> ValueForm {
        ValueForm([.text(what)], written: written) { setting in
            guard let value = try parse(try setting.text()) else { throw SettingError("expected \(what)") }
            return value
        }
    }

    /// A word alone, which stands for a value, or another form.
    static func word(_ word: String, _ value: Value, or form: ValueForm) -> ValueForm {
        ValueForm([.word(word)] + form.shapes(), written: form.written) { $0.word == word ? value : try form.read($0) }
    }

    /// A word alone for nil, or another form.
    static func word<Other>(_ word: String, or form: ValueForm<Other>) -> ValueForm where Value == Other? {
        ValueForm([.word(word)] + form.shapes(), written: { $0.map(form.written) ?? word }) { setting in
            setting.word == word ? .some(nil) : try form.read(setting)
        }
    }

    /// One of two forms.
    static func either(_ first: ValueForm, if isFirst: @escaping (Setting) -> Bool, or second: ValueForm) -> ValueForm {
        ValueForm(first.shapes() + second.shapes()) { isFirst($0) ? try first.read($0) : try second.read($0) }
    }
}

extension ValueForm<String> {
    static var text: ValueForm { ValueForm([.text(nil)], written: { $0 }) { try $0.text() } }

    static func text(_ what: String, if isValid: @escaping (String) -> Bool) -> ValueForm {
        .text(what, written: { $0 }) { isValid($0) ? $0 : nil }
    }

    /// ASCII text that matches `pattern` entirely. Regexes would also accept Unicode equivalents.
    static func text(_ pattern: Regex<some Any>, _ what: String) -> ValueForm {
        scalar(.text(what), written: { $0 }) { scalar in
            let text = scalar.string
            return text.utf8.allSatisfy { $0 < 0x80 } && text.wholeMatch(of: pattern) != nil ? text : nil
        }
    }
}

extension ValueForm<Bool> {
    static var boolean: ValueForm { scalar(.boolean, written: { "\($0)" }) { $0.style == .plain ? Bool($0.string) : nil } }
}

extension ValueForm<Int> {
    /// A whole number in a range.
    static func count(_ range: ClosedRange<Int>) -> ValueForm {
        scalar(.count(range), written: { "\($0)" }) { scalar in
            scalar.style == .plain ? Int(scalar.string).flatMap { range.contains($0) ? $0 : nil } : nil
        }
    }
}

extension ValueForm<Duration> {
    /// A duration, such as `90s`.
    /// - Parameter others: the values that are accepted besides, for the error.
    static func duration(_ range: ClosedRange<Duration>, _ others: String = "") -> ValueForm {
        scalar(.duration(range), ", a number with ms, s, m, h or d behind it\(others)", written: \.configured) { scalar in
            Duration(configured: scalar.string).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ValueForm where Value: RawRepresentable<String> & CaseIterable {
    /// A case of an enum, by its raw value.
    static var choice: ValueForm {
        scalar(.choice(Value.allCases.map(\.rawValue)), written: \.rawValue) { Value(rawValue: $0.string) }
    }
}

// MARK: Lists and mappings

extension ValueForm {
    /// The valid items of a list. Each invalid one is reported as a problem at its own position.
    /// - Parameter orNone: whether the list may be empty.
    static func list<Item>(_ item: ValueForm<Item>, orNone: Bool = true) -> ValueForm where Value == [Item] {
        // The sample shows an item that is a mapping with its keys.
        let written = { (list: [Item]) in
            item.shapes().contains { !$0.members.isEmpty } ? nil : "[\(list.compactMap(item.written).joined(separator: ", "))]"
        }
        return ValueForm([.list(item.shapes())], written: written) { setting in
            guard setting.node.sequence != nil else { throw SettingError("expected a list") }
            guard orNone || !setting.items.isEmpty else { throw SettingError("expected a list of one or more") }
            return setting.items.compactMap { setting in setting.noting { try item.read(setting) } }
        }
    }

    static func set<Item: Hashable>(_ item: ValueForm<Item>, orNone: Bool = true) -> ValueForm where Value == Set<Item> {
        ValueForm<[Item]>.list(item, orNone: orNone).map(written: { $0.isEmpty ? "[]" : nil }) { Set($0) }
    }

    /// A mapping whose keys are any text. Each invalid value is reported at its own position.
    /// - Parameter what: what is expected instead of a value that is not a mapping.
    static func entries<Item>(
        _ item: ValueForm<Item>, _ what: String = "a mapping of keys and values"
    ) -> ValueForm where Value == [String: Item] {
        ValueForm([.entries(item.shapes())]) { setting in
            guard let mapping = setting.node.mapping else { throw SettingError("expected \(what)") }
            var entries: [String: Item] = [:]
            for (name, node) in mapping {
                let value = setting.member(name.scalar?.string ?? "", node)
                entries[name.scalar?.string ?? ""] = value.noting { try item.read(value) }
            }
            return entries
        }
    }

    /// A mapping with the keys of a section.
    /// - Parameters:
    ///   - what: what is expected instead of a value that is not a mapping.
    ///   - alsoKnown: the keys of another form of the mapping, for the report about an unknown key.
    static func section<S: Section>(
        _ type: S.Type, _ what: String = "a mapping of keys and values", alsoKnown: [String] = []
    ) -> ValueForm where Value == S.Value {
        section(S(), S.keys, what, alsoKnown) { section, setting in try section.value(in: setting) }
    }

    /// A mapping with one key, which is required.
    static func only(_ name: String, _ form: ValueForm, _ what: String) -> ValueForm {
        section(Value?.none, [ConfigurationKey(name, \.self, form).required(what)]) { value, _ in value }
    }

    private static func section<Owner>(
        _ defaults: Owner, _ keys: @escaping @autoclosure () -> [ConfigurationKey<Owner>], _ what: String = "a mapping of keys and values",
        _ alsoKnown: [String] = [], _ value: @escaping (Owner, Setting) throws -> Value?
    ) -> ValueForm {
        ValueForm([.section(keys().map { $0.description(defaults: defaults) })]) { setting in
            guard setting.node.mapping != nil else { throw SettingError("expected \(what)") }
            var section = defaults
            setting.read(into: &section, keys(), alsoKnown: alsoKnown)
            return try value(section, setting)
        }
    }
}
