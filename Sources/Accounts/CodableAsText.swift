/// A value that is encoded as its text, and refused when it is decoded from another text.
public protocol CodableAsText: Codable {
    init?(_ text: String)
    var value: String { get }
}

extension CodableAsText {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a valid \(Self.self)")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension EmailAddress: CodableAsText {}
extension PhoneNumber: CodableAsText {}
