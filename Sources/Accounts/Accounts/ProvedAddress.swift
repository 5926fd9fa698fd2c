public import Base

/// An address that an account has proved while it held it: by a code that was mailed there, by a
/// provider that is the address's authority, or by the word of an admin.
///
/// Only proved addresses are told of changes and can undo them (A1). `Account.emailVerified` is
/// another fact: whether the present address is verified now.
public struct ProvedAddress: Sendable, Hashable, Codable {
    public let email: EmailAddress
    /// When the account first proved it. No two addresses of an account have the same time.
    public let provedAt: Timestamp
    /// Since when the address is not verified, because the account left it or an admin said so; nil
    /// while it is.
    public let unverifiedSince: Timestamp?

    public init(email: EmailAddress, provedAt: Timestamp, unverifiedSince: Timestamp?) {
        (self.email, self.provedAt, self.unverifiedSince) = (email, provedAt, unverifiedSince)
    }
}

extension [ProvedAddress] {
    /// The proof of an address; nil if there is none.
    public subscript(email: EmailAddress?) -> ProvedAddress? { first { $0.email == email } }

    /// The addresses of either list, each with its earlier proof. All but the address that is
    /// verified now are unverified since `now` at the latest.
    public func merged(with others: [ProvedAddress], verified: EmailAddress?, at now: Timestamp) -> [ProvedAddress] {
        Dictionary(grouping: self + others, by: \.email).map { email, proofs in
            ProvedAddress(
                email: email, provedAt: proofs.map(\.provedAt).min() ?? now,
                unverifiedSince: email == verified ? nil : proofs.compactMap(\.unverifiedSince).max() ?? now)
        }
    }
}
