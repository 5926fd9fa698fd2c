internal import Accounts

/// The fields of a call's body, read as Google reads them: camelCase or snake_case, a null is as good as absent, a number may stand
/// where text is expected. What is neither refuses the call.
struct Fields: Sendable {
    private let values: [String: JSON]
    /// Where they stand in the body, for whoever sent something wrong.
    private let place: String

    /// Throws for a field that is spelled in two ways.
    init(_ members: [JSON.Member], at place: String = "") throws(ActionError) {
        var values: [String: JSON] = [:]
        for member in members {
            guard values.updateValue(member.value, forKey: Self.letters(of: member.name)) == nil else {
                throw Self.wrong("\(place)/\(member.name)", "stands there twice")
            }
        }
        self.values = values
        self.place = place
    }

    /// - Parameter name: its place in the body, for the sentence of a refusal.
    init(_ json: JSON, _ name: String = "") throws(ActionError) {
        guard case .object(let members) = json else { throw Self.wrong(name, "must be object") }
        try self.init(members, at: name)
    }

    /// Only the letters tell fields apart: no rule for underscores and capitals would bring both spellings of `iOSBundleId` together.
    static func letters(of name: String) -> String { name.filter { $0 != "_" }.lowercased() }

    /// As one object again.
    var json: JSON { .object(values.map { JSON.Member(name: $0.key, value: $0.value) }) }

    private static func wrong(_ path: String, _ fault: String) -> ActionError { .refused(.invalidArgument, detail: "\(path) \(fault)") }

    private func wrong(_ name: String, _ fault: String) -> ActionError { Self.wrong("\(place)/\(name)", fault) }

    /// As it was sent; nil for a null, too.
    subscript(name: String) -> JSON? {
        let value = values[Self.letters(of: name)]
        return value == .null ? nil : value
    }

    func has(_ name: String) -> Bool { self[name] != nil }

    /// Whether the field is there, if only as a null, which some SDKs send for *take it away*.
    func isPresent(_ name: String) -> Bool { values[Self.letters(of: name)] != nil }

    func string(_ name: String) throws(ActionError) -> String? {
        try self[name].map { value throws(ActionError) in try string(value, name) }
    }

    /// Without NUL, which ends a text for some readers and not for others.
    private func string(_ value: JSON, _ name: String) throws(ActionError) -> String {
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
        guard text.utf8.count <= maxBytes else { throw wrong(name, "must have at most \(maxBytes) bytes") }
        return text
    }

    /// A name or a picture's address, as the account shows it.
    func profile(_ name: String) throws(ActionError) -> String? { try text(name, maxBytes: 2048) }

    func bool(_ name: String) throws(ActionError) -> Bool? {
        switch self[name] {
        case nil: nil
        case .bool(let bool): bool
        default: throw wrong(name, "must be boolean")
        }
    }

    func integer(_ name: String) throws(ActionError) -> Int64? {
        guard let text = try text(name) else { return nil }
        guard let number = Int64(text) else { throw wrong(name, "must be a whole number") }
        return number
    }

    func object(_ name: String) throws(ActionError) -> Fields? {
        switch self[name] {
        case nil: nil
        case .object(let members): try Fields(members, at: "\(place)/\(name)")
        default: throw wrong(name, "must be object")
        }
    }

    /// The items of a list as they stand there; empty when there are none.
    func items(_ name: String) throws(ActionError) -> [JSON] {
        switch self[name] {
        case nil: []
        case .array(let items): items
        default: throw wrong(name, "must be array")
        }
    }

    func objects(_ name: String) throws(ActionError) -> [Fields] {
        try items(name).map { item throws(ActionError) in
            try Fields(item, "\(place)/\(name)")
        }
    }

    /// Empty when there are none.
    func strings(_ name: String) throws(ActionError) -> [String] {
        try items(name).map { item throws(ActionError) in
            try string(item, name)
        }
    }

    /// A moment as a number of units since 1970; what could not be one is refused before it is reckoned with.
    func past(_ name: String, in unit: Duration, until latest: Timestamp) throws(ActionError) -> Timestamp? {
        guard let number = try integer(name) else { return nil }
        guard (0...latest.milliseconds / unit.milliseconds).contains(number) else {
            throw wrong(name, "must be a time since 1970, not in the future")
        }
        return Timestamp(milliseconds: number * unit.milliseconds)
    }

    func phoneNumber(_ name: String, orRefuse refusal: Refusal = .invalidPhoneNumber) throws(ActionError) -> PhoneNumber? {
        guard let text = try text(name) else { return nil }
        guard let number = PhoneNumber(text) else { throw .refused(refusal, detail: "phone number format is invalid") }
        return number
    }

    func email(_ name: String = "email", orRefuse refusal: Refusal = .invalidEmail) throws(ActionError) -> EmailAddress? {
        guard let text = try string(name) else { return nil }
        guard let email = EmailAddress(text) else { throw .refused(refusal) }
        return email
    }

    /// A value of an enum, by its name or by its number in `names`, as the Android client sends it.
    func choice(_ name: String, of names: [String]) throws(ActionError) -> String? {
        try text(name).map { value throws(ActionError) in try chosen(value, name, names) }
    }

    func choices(_ name: String, of names: [String]) throws(ActionError) -> [String] {
        try strings(name).map { value throws(ActionError) in try chosen(value, name, names) }
    }

    private func chosen(_ value: String, _ name: String, _ names: [String]) throws(ActionError) -> String {
        if let number = Int(value), names.indices.contains(number) { return names[number] }
        guard names.contains(value) else { throw wrong(name, "must be one of the allowed values") }
        return value
    }
}
