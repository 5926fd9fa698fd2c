internal import HTTPTypes
internal import Views

/// A strong entity tag, which identifies the bytes of a representation. Source: RFC 9110 section
/// 8.8.3.
struct EntityTag: Sendable, Hashable {
    /// With its quotes.
    let text: String

    init(of bytes: [UInt8]) { text = "\"\(Fingerprint(of: bytes))\"" }

    /// The comparison of tags: the weak one also matches weak tags. Source: RFC 9110 section
    /// 8.8.3.2.
    enum Comparison { case strong, weak }

    /// Whether a precondition lists this tag or `*`; nil if there is no such field. A list ends
    /// where it is malformed. Source: RFC 9110 sections 13.1.1 and 13.1.2.
    func isNamed(by name: HTTPField.Name, of fields: HTTPFields, _ comparison: Comparison) -> Bool? {
        var found: Bool?
        for field in fields where field.name == name { found = found == true || isNamed(in: field.value, comparison) }
        return found
    }

    private func isNamed(in list: String, _ comparison: Comparison) -> Bool {
        if list.trimmed == "*" { return true }
        var rest = list.utf8[...]
        while true {
            rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: ",") }
            let isWeak = rest.starts(with: "W/".utf8)
            let tag = isWeak ? rest.dropFirst(2) : rest
            guard tag.first == UInt8(ascii: "\""), let end = tag.dropFirst().firstIndex(of: UInt8(ascii: "\"")) else { return false }
            if !isWeak || comparison == .weak, tag[...end].elementsEqual(text.utf8) { return true }
            rest = tag[end...].dropFirst()
        }
    }
}
