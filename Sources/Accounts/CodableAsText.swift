/// A value that is encoded as its text, and refused when it is decoded from another text.
package protocol CodableAsText: Codable {
    init?(_ text: String)
    var value: String { get }
}

extension CodableAsText {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a valid \(Self.self)")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension EmailAddress: CodableAsText {}
extension PhoneNumber: CodableAsText {}
