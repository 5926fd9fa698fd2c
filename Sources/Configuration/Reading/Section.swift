/// A mapping of the file: its keys are read into a value of this type, which has their defaults.
protocol Section {
    associatedtype Value = Self

    init()

    @KeyList<Self> static var keys: [ConfigurationKey<Self>] { get }

    /// The value that the keys make. Rules that concern several keys are checked here.
    /// - Returns: nil if a problem was noted already, or if secrets are not looked up.
    func value(in setting: Setting) throws -> Value?
}

extension Section where Value == Self {
    func value(in setting: Setting) -> Self? { self }
}

/// A key of a section: its name, the form of its value, and the property that it sets.
struct ConfigurationKey<Owner> {
    let name: String
    /// The explanation in the sample, the manual and the schema.
    fileprivate(set) var text = ""
    /// The expected value in words, for the error if the key is missing; nil if it is optional.
    private(set) var expected: String?
    private var sample: KeyDescription.Sample?
    private let shapes: () -> [ValueShape]
    private let written: (Owner) -> String?
    let read: (Setting, inout Owner) throws -> Void

    init<Value>(_ name: String, _ path: WritableKeyPath<Owner, Value>, _ form: ValueForm<Value>) {
        (self.name, shapes, written) = (name, form.shapes, { form.written($0[keyPath: path]) })
        read = { setting, owner in if let value = try form.read(setting) { owner[keyPath: path] = value } }
    }

    /// A key without a value by default.
    init<Value>(_ name: String, _ path: WritableKeyPath<Owner, Value?>, _ form: ValueForm<Value>) {
        (self.name, shapes, written) = (name, form.shapes, { $0[keyPath: path].flatMap(form.written) })
        read = { setting, owner in if let value = try form.read(setting) { owner[keyPath: path] = value } }
    }

    func required(_ expected: String) -> ConfigurationKey { with { $0.expected = expected } }

    /// The sample has the key with this value.
    func shown(_ value: String) -> ConfigurationKey { with { $0.sample = .shown(value) } }

    /// The sample has the key with this value, commented out.
    func example(_ value: String) -> ConfigurationKey { with { $0.sample = .example(value) } }

    /// The default as it is written, where the property does not say it.
    func standard(_ value: String) -> ConfigurationKey { with { $0.sample = .standard(value) } }

    private func with(_ change: (inout ConfigurationKey) -> Void) -> ConfigurationKey {
        var key = self
        change(&key)
        return key
    }

    /// - Parameter defaults: the section without any key.
    func description(defaults: Owner) -> KeyDescription {
        KeyDescription(
            name: name, text: text, shapes: shapes(), isRequired: expected != nil,
            sample: sample ?? written(defaults).map { .standard($0) } ?? .hidden)
    }
}

/// Builds the keys of a section. Lines of text before a key explain it.
@resultBuilder enum KeyList<Owner> {
    enum Part { case text(String), key(ConfigurationKey<Owner>) }

    static func buildExpression(_ text: String) -> [Part] { [.text(text)] }
    static func buildExpression(_ key: ConfigurationKey<Owner>) -> [Part] { [.key(key)] }
    static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap(\.self) }
    static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap(\.self) }

    static func buildFinalResult(_ parts: [Part]) -> [ConfigurationKey<Owner>] {
        var (keys, lines) = ([ConfigurationKey<Owner>](), [String]())
        for part in parts {
            switch part {
            case .text(let line): lines.append(line)
            case .key(var key):
                key.text = lines.joined(separator: " ")
                keys.append(key)
                lines = []
            }
        }
        return keys
    }
}
