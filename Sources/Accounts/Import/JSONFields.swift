public import Base

/// The members of a JSON object, read as Identity Toolkit reads them: names in camelCase or
/// snake_case, null as if absent, a number where a string is expected. Every other mismatch throws
/// `INVALID_ARGUMENT`.
public struct JSONFields: Sendable {
    /// The members, each named by the letters of its name; see `letters(of:)`. They are not a
    /// dictionary, because an object has few and a client chooses their names.
    private let members: [JSON.Member]
    /// The path of the object in its document, for error messages.
    private let path: String

    /// Throws if one field appears in two spellings.
    public init(_ members: [JSON.Member], at path: String = "") throws(ActionError) {
        var read: [JSON.Member] = []
        read.reserveCapacity(members.count)
        for member in members {
            let letters = Self.letters(of: member.name)
            guard !read.contains(where: { $0.isNamed(letters) }) else { throw Self.wrong("\(path)/\(member.name)", "appears twice") }
            read.append(JSON.Member(name: letters, value: member.value))
        }
        self.members = read
        self.path = path
    }

    /// Reads the members of a JSON value that is an object.
    /// - Parameter path: the path of the object in its document, for error messages.
    public init(_ json: JSON, _ path: String = "") throws(ActionError) {
        guard case .object(let members) = json else { throw Self.wrong(path, "must be object") }
        try self.init(members, at: path)
    }

    /// A name without underscores, its ASCII letters in lower case. Fields are compared in this
    /// form, because no rule for underscores and capitals maps both spellings of `iOSBundleId` to
    /// each other.
    public static func letters(of name: String) -> String {
        String(unsafeUninitializedCapacity: name.utf8.count) { letters in
            var count = 0
            for byte in name.utf8 where byte != UInt8(ascii: "_") {
                letters[count] = 0x41...0x5A ~= byte ? byte | 0x20 : byte
                count += 1
            }
            return count
        }
    }

    /// The fields as one object again, each keyed by the letters of its name.
    public var json: JSON { .object(members) }

    private static func wrong(_ path: String, _ fault: String) -> ActionError { .refused(.invalidArgument, detail: "\(path) \(fault)") }

    private func wrong(_ name: String, _ fault: String) -> ActionError { Self.wrong("\(path)/\(name)", fault) }

    /// The value as it was sent; nil if it is absent or null.
    public subscript(name: String) -> JSON? {
        let value = value(of: name)
        return value == .null ? nil : value
    }

    private func value(of name: String) -> JSON? {
        let letters = Self.letters(of: name)
        return members.first { $0.isNamed(letters) }?.value
    }

    public func has(_ name: String) -> Bool { self[name] != nil }

    /// Whether the field is present, even as null, which some SDKs send to delete it.
    public func isPresent(_ name: String) -> Bool { value(of: name) != nil }

    public func string(_ name: String) throws(ActionError) -> String? {
        try self[name].map { value throws(ActionError) in try string(value, name) }
    }

    /// The value as a string. Refuses NUL, because some readers end a string there.
    private func string(_ value: JSON, _ name: String) throws(ActionError) -> String {
        switch value {
        case .string(let text) where !text.utf8.contains(0): text
        case .number(let text): text
        default: throw wrong(name, "must be string")
        }
    }

    /// A string that is not empty; nil if it is absent, null or empty.
    ///
    /// - Parameter maxBytes: the limit for values that are copied into ID tokens, which must fit
    ///   into headers.
    public func text(_ name: String, maxBytes: Int = .max) throws(ActionError) -> String? {
        guard let text = try string(name), !text.isEmpty else { return nil }
        guard text.utf8.count <= maxBytes else { throw wrong(name, "must have at most \(maxBytes) bytes") }
        return text
    }

    /// A display name or photo URL of at most 2048 bytes.
    public func profile(_ name: String) throws(ActionError) -> String? { try text(name, maxBytes: 2048) }

    public func bool(_ name: String) throws(ActionError) -> Bool? {
        switch self[name] {
        case nil: nil
        case .bool(let bool): bool
        default: throw wrong(name, "must be boolean")
        }
    }

    public func integer(_ name: String) throws(ActionError) -> Int64? {
        guard let text = try text(name) else { return nil }
        guard let number = Int64(text) else { throw wrong(name, "must be a whole number") }
        return number
    }

    public func object(_ name: String) throws(ActionError) -> JSONFields? {
        switch self[name] {
        case nil: nil
        case .object(let members): try JSONFields(members, at: "\(path)/\(name)")
        default: throw wrong(name, "must be object")
        }
    }

    /// The items of a list; empty if the field is absent.
    public func items(_ name: String) throws(ActionError) -> [JSON] {
        switch self[name] {
        case nil: []
        case .array(let items): items
        default: throw wrong(name, "must be array")
        }
    }

    public func objects(_ name: String) throws(ActionError) -> [JSONFields] {
        try items(name).map { item throws(ActionError) in
            try JSONFields(item, "\(path)/\(name)")
        }
    }

    /// The strings of a list; empty if the field is absent.
    public func strings(_ name: String) throws(ActionError) -> [String] {
        try items(name).map { item throws(ActionError) in
            try string(item, name)
        }
    }

    /// A time given as a number of units since 1970. Refuses negative numbers and times after
    /// `latest`.
    public func past(_ name: String, in unit: Duration, until latest: Timestamp) throws(ActionError) -> Timestamp? {
        guard let number = try integer(name) else { return nil }
        guard (0...latest.milliseconds / unit.milliseconds).contains(number) else {
            throw wrong(name, "must be a time since 1970, not in the future")
        }
        return Timestamp(milliseconds: number * unit.milliseconds)
    }

    public func phoneNumber(_ name: String, orRefuse refusal: Refusal = .invalidPhoneNumber) throws(ActionError) -> PhoneNumber? {
        guard let text = try text(name) else { return nil }
        guard let number = PhoneNumber(sent: text) else { throw .refused(refusal, detail: "phone number format is invalid") }
        return number
    }

    public func email(_ name: String = "email", orRefuse refusal: Refusal = .invalidEmail) throws(ActionError) -> EmailAddress? {
        guard let text = try string(name) else { return nil }
        guard let email = EmailAddress(text) else { throw .refused(refusal) }
        return email
    }

    /// The name of an enum value. The request contains the name or, from the Android SDK, its index
    /// in `names`.
    public func choice(_ name: String, of names: [String]) throws(ActionError) -> String? {
        try text(name).map { value throws(ActionError) in try chosen(value, name, names) }
    }

    public func choices(_ name: String, of names: [String]) throws(ActionError) -> [String] {
        try strings(name).map { value throws(ActionError) in try chosen(value, name, names) }
    }

    private func chosen(_ value: String, _ name: String, _ names: [String]) throws(ActionError) -> String {
        if let number = Int(value), names.indices.contains(number) { return names[number] }
        // Comparing Unicode texts that were made for it takes milliseconds (V4).
        guard value.utf8.allSatisfy({ $0 < 0x80 }), names.contains(value) else { throw wrong(name, "must be one of the allowed values") }
        return value
    }

    /// An ISO 8601 date and time since 1970, at most five minutes after `now` because clocks
    /// differ.
    public func dateTime(_ name: String, until now: Timestamp) throws(ActionError) -> Timestamp? {
        guard let text = try text(name) else { return nil }
        guard let moment = Timestamp(iso8601: text) else { throw wrong(name, "must be a moment such as 2026-01-31T12:00:00Z") }
        guard (0...(now + .minutes(5)).milliseconds).contains(moment.milliseconds) else {
            throw wrong(name, "must be a moment since 1970, not in the future")
        }
        return moment
    }

    /// The JSON text of an object of custom claims; nil if it is absent or empty.
    public func customClaims(_ name: String) throws(ActionError) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.unicodeScalars.count <= 1000 else { throw .refused(.claimsTooLarge) }
        guard case .object(let claims)? = try? JSON(Array(text.utf8)), Claim.isRepresentable(text) else { throw .refused(.invalidClaims) }
        if let reserved = claims.map(\.name).first(where: Claim.reserved.contains) {
            throw .refused(.forbiddenClaim, detail: reserved)
        }
        return text
    }
}
