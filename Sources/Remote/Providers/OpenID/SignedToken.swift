internal import Accounts
internal import Base

/// An ID token as a client sent it: three parts of base64url without padding. Nothing in it is
/// verified, and none of its claims can be read.
///
/// Nothing in its header makes the server connect anywhere. Source: RFC 7515 sections 3.1, 4.1 and
/// 7.1.
struct SignedToken {
    /// The length of the longest token that is read.
    static let maxBytes = 16_384
    /// The most that the header and the payload may contain.
    static let limits = JSON.ReadingLimits(maxMembers: 128, maxValues: 2_048)

    let algorithm: String
    let keyID: String?
    /// The bytes that the signature is made of: header and payload as they were sent.
    let signed: [UInt8]
    let signature: [UInt8]
    private let payload: [UInt8]

    /// Refuses any other text, and a header with `crit`, which lists extensions that must be
    /// understood.
    init(_ text: String) throws(CredentialRefusal) {
        guard text.utf8.count <= Self.maxBytes else { throw .malformed }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), let fields = try? JSON(header, within: Self.limits), fields["crit"] == nil,
            let algorithm = fields["alg"]?.string
        else { throw .malformed }
        self.algorithm = algorithm
        keyID = fields["kid"]?.string
        self.payload = payload
        self.signature = signature
        signed = Array((parts[0] + "." + parts[1]).utf8)
    }

    /// The claims, if the key made the signature by its own algorithm.
    func claims(verifiedBy key: ProviderKey) throws(CredentialRefusal) -> TokenClaims {
        guard algorithm == key.algorithm else { throw .wrongAlgorithm }
        guard key.verifies(signature, of: signed) else { throw .wrongSignature }
        guard let json = try? JSON(payload, within: Self.limits), case .object = json else { throw .malformedClaims }
        return TokenClaims(json: json, signer: key)
    }
}
