internal import Base
internal import Foundation

/// An unverified JSON Web Token in compact form: three parts of base64url without padding.
///
/// Neither `kid` nor any other field of the header makes the server open a file or connect to a
/// host (T2). Source: RFC 7515 sections 3.1, 4.1 and 7.1.
struct CompactToken {
    /// The only accepted algorithms: the first in production, the second in development.
    enum Signing: String, Codable { case rs256 = "RS256", none }

    struct Header: Codable {
        let alg: Signing
        var kid: String?
        var typ: String? = "JWT"
    }

    /// A value that is not decoded: decoding a deeply nested one takes seconds, and every client
    /// may send one.
    private struct Anything: Decodable { init(from decoder: any Decoder) {} }

    /// The maximum length of a token.
    static let maxBytes = 16_384

    let header: Header
    /// The payload, a JSON object that is not decoded yet.
    let payload: [UInt8]
    /// The bytes that the signature is made of: header and payload as they were sent.
    let signed: [UInt8]
    let signature: [UInt8]

    /// Nil for any other text, for another algorithm, and for a header with `crit`, which lists
    /// extensions that must be understood.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maxBytes else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), let fields = try? JSONDecoder().decode([String: Anything].self, from: Data(header)),
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
    /// - Parameter sign: makes the signature of the given bytes; empty for an unsigned token.
    static func text(
        _ payload: some Encodable, header: Header, sign: ([UInt8]) throws -> [UInt8] = { _ in [] }
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let signed = Base64URL.encode(try encoder.encode(header)) + "." + Base64URL.encode(try encoder.encode(payload))
        return signed + "." + Base64URL.encode(try sign(Array(signed.utf8)))
    }
}
