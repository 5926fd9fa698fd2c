internal import Base
internal import Foundation

/// A sign-in whose first factor was proved and whose second is missing, sealed as the
/// `mfaPendingCredential` of clients. It is bound to the account as it was then: the end of its
/// sessions and any change of its second factors make it void.
struct PendingSignIn: Sendable, Codable {
    let project, account: String
    /// The first factor, as `SignInProvider` spells it.
    let provider: String
    /// The phone number that was proved; nil if the first factor was another one.
    let number: PhoneNumber?
    let validSince: Timestamp
    /// The hash of the factors that the account had.
    let factors: [UInt8]
    let provedAt: Timestamp

    /// Long enough to find a phone.
    static let lifetime = Duration.seconds(600)

    func isPending(at now: Timestamp) -> Bool { now < provedAt + Self.lifetime }
}

/// The answer to a first factor.
public enum FirstFactorResult: Sendable {
    case signedIn(IssuedTokens)
    /// The account has second factors. One of them has to be proved within ten minutes.
    case needsSecondFactor(credential: String, [SecondFactor])
}

extension Secrets {
    /// Seals a value that clients hand back.
    func sealed(_ value: some Encodable, for purpose: KeyPurpose) throws(ActionError) -> String {
        do { return Base64URL.encode(seal(Array(try JSONEncoder().encode(value)), for: purpose)) } catch {
            throw .unavailable(Unavailable(.tokens, cause: "\(error)"))
        }
    }

    /// Opens a value that `sealed` made for the same purpose; nil for any other text.
    func opened<Value: Decodable>(_ text: String, as _: Value.Type = Value.self, for purpose: KeyPurpose) -> Value? {
        Base64URL.decode(text).flatMap { try? open($0, for: purpose) }.flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
    }
}
