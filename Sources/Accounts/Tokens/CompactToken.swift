internal import Foundation

/// A JSON Web Token in its one strict spelling: three parts of base64url without padding. Reading it proves nothing yet.
///
/// Neither `kid` nor any other field ever leads to a file or to another host (T2). Source: RFC 7515 sections 3.1, 4.1 and 7.1.
struct CompactToken {
    /// The only algorithms there are: the first in production, the second in development.
    enum Algorithm: String, Codable { case rs256 = "RS256", none }

    struct Header: Codable {
        let alg: Algorithm
        var kid: String?
        var typ: String? = "JWT"
    }

    /// A token that is longer is none.
    static let maxBytes = 16_384

    let header: Header
    /// A JSON object, undecoded.
    let payload: [UInt8]
    /// What the signature is over.
    let signed: [UInt8]
    let signature: [UInt8]

    /// Nil for anything else, another algorithm, and a header that must be understood but is not (`crit`).
    init?(_ text: String) {
        guard text.utf8.count <= Self.maxBytes else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), let fields = try? JSONDecoder().decode([String: Claim].self, from: Data(header)),
            fields["crit"] == nil, let read = try? JSONDecoder().decode(Header.self, from: Data(header))
        else { return nil }
        self.header = read
        self.payload = payload
        self.signature = signature
        signed = Array((parts[0] + "." + parts[1]).utf8)
    }

    func decoded<Payload: Decodable>(as _: Payload.Type = Payload.self) -> Payload? {
        try? JSONDecoder().decode(Payload.self, from: Data(payload))
    }

    /// The text of a token.
    /// - Parameter sign: gets what the signature is over; an unsigned token has an empty one.
    static func text(
        _ payload: some Encodable, header: Header, sign: ([UInt8]) throws -> [UInt8] = { _ in [] }
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let signed = Base64URL.encode(try encoder.encode(header)) + "." + Base64URL.encode(try encoder.encode(payload))
        return signed + "." + Base64URL.encode(try sign(Array(signed.utf8)))
    }
}
