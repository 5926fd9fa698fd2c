internal import Accounts

/// The fields of a call's body, read as Google reads them: camelCase or snake_case, a null is as good as absent, a number may stand
/// where text is expected. What is neither refuses the call.
struct Fields: Sendable {
    private let values: [String: JSON]

    /// Throws for a field that is spelled in two ways.
    init(_ members: [JSON.Member]) throws(ActionError) {
        var values: [String: JSON] = [:]
        for member in members {
            guard values.updateValue(member.value, forKey: Self.letters(of: member.name)) == nil else {
                throw Self.wrong(member.name, "stands there twice")
            }
        }
        self.values = values
    }

    /// - Parameter name: what the sentence of a refusal calls it.
    init(_ json: JSON, _ name: String = "") throws(ActionError) {
        guard case .object(let members) = json else { throw Self.wrong(name, "must be object") }
        try self.init(members)
    }

    /// Only the letters tell fields apart: no rule for underscores and capitals would bring both spellings of `iOSBundleId` together.
    static func letters(of name: String) -> String { name.filter { $0 != "_" }.lowercased() }

    /// As one object again.
    var json: JSON { .object(values.map { JSON.Member(name: $0.key, value: $0.value) }) }

    private static func wrong(_ name: String, _ fault: String) -> ActionError { .refused(.invalidArgument, detail: "/\(name) \(fault)") }

    private subscript(name: String) -> JSON? {
        let value = values[Self.letters(of: name)]
        return value == .null ? nil : value
    }

    func has(_ name: String) -> Bool { self[name] != nil }

    /// Whether the field is there, if only as a null, which some SDKs send for *take it away*.
    func isPresent(_ name: String) -> Bool { values[Self.letters(of: name)] != nil }

    func string(_ name: String) throws(ActionError) -> String? {
        try self[name].map { value throws(ActionError) in try Self.string(value, name) }
    }

    /// Without NUL, which ends a text for some readers and not for others.
    private static func string(_ value: JSON, _ name: String) throws(ActionError) -> String {
        switch value {
        case .string(let text) where !text.utf8.contains(0): text
        case .number(let text): text
        default: throw wrong(name, "must be string")
        }
    }

    /// The same where an empty text says nothing.
    /// - Parameter maxBytes: of what goes into ID tokens, which stay of a size that every header takes.
    func text(_ name: String, maxBytes: Int = .max) throws(ActionError) -> String? {
        guard let text = try string(name), !text.isEmpty else { return nil }
        guard text.utf8.count <= maxBytes else { throw Self.wrong(name, "must have at most \(maxBytes) bytes") }
        return text
    }

    /// A name or a picture's address, as the account shows it.
    func profile(_ name: String) throws(ActionError) -> String? { try text(name, maxBytes: 2048) }

    func bool(_ name: String) throws(ActionError) -> Bool? {
        switch self[name] {
        case nil: nil
        case .bool(let bool): bool
        default: throw Self.wrong(name, "must be boolean")
        }
    }

    func integer(_ name: String) throws(ActionError) -> Int64? {
        guard let text = try text(name) else { return nil }
        guard let number = Int64(text) else { throw Self.wrong(name, "must be a whole number") }
        return number
    }

    func object(_ name: String) throws(ActionError) -> Fields? {
        switch self[name] {
        case nil: nil
        case .object(let members): try Fields(members)
        default: throw Self.wrong(name, "must be object")
        }
    }

    /// The items of a list as they stand there; empty when there are none.
    func items(_ name: String) throws(ActionError) -> [JSON] {
        switch self[name] {
        case nil: []
        case .array(let items): items
        default: throw Self.wrong(name, "must be array")
        }
    }

    func objects(_ name: String) throws(ActionError) -> [Fields] {
        try items(name).map { item throws(ActionError) in
            try Fields(item, name)
        }
    }

    /// Empty when there are none.
    func strings(_ name: String) throws(ActionError) -> [String] {
        try items(name).map { item throws(ActionError) in
            try Self.string(item, name)
        }
    }

    func email(_ name: String = "email", orRefuse refusal: Refusal = .invalidEmail) throws(ActionError) -> EmailAddress? {
        guard let text = try string(name) else { return nil }
        guard let email = EmailAddress(text) else { throw .refused(refusal) }
        return email
    }

    /// A value of an enum, by its name or by its number in `names`, as the Android client sends it.
    func choice(_ name: String, of names: [String]) throws(ActionError) -> String? {
        try text(name).map { value throws(ActionError) in try Self.chosen(value, name, names) }
    }

    func choices(_ name: String, of names: [String]) throws(ActionError) -> [String] {
        try strings(name).map { value throws(ActionError) in try Self.chosen(value, name, names) }
    }

    private static func chosen(_ value: String, _ name: String, _ names: [String]) throws(ActionError) -> String {
        if let number = Int(value), names.indices.contains(number) { return names[number] }
        guard names.contains(value) else { throw wrong(name, "must be one of the allowed values") }
        return value
    }
}
