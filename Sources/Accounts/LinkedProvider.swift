/// Someone else who vouches for an account: a provider such as `google.com`, and the person's id there.
package struct LinkedProvider: Sendable, Hashable {
    /// Firebase's provider id, 1 to 128 characters; an account has each at most once.
    package let provider: String
    /// The provider's own id of the person, 1 to 1024 characters; one account's only.
    package let rawID: String
    /// As the provider tells it: for show, and no proof of anything.
    package var email: String?
    package var displayName: String?
    package var photoURL: String?

    /// Ids that stand beside those of providers on the wire, and say what the account has itself.
    package static let ownWays: Set<String> = ["password", "phone", "emailLink", "anonymous", "custom"]

    package init(provider: String, rawID: String, email: String? = nil, displayName: String? = nil, photoURL: String? = nil) {
        self.provider = provider
        self.rawID = rawID
        self.email = email
        self.displayName = displayName
        self.photoURL = photoURL
    }
}
