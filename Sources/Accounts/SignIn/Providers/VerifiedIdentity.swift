/// A user as a provider vouched for them: the credential was genuine, for one of the project's
/// apps, and in time.
///
/// Only the target `Providers` makes one.
public struct VerifiedIdentity: Sendable, Hashable {
    public let provider: String
    /// The id that identifies the user at the provider, 1 to 1024 characters. It never changes.
    public let rawID: String
    /// Other ids of the same user that a link may have: one of an earlier version, or one that was
    /// imported.
    public var formerIDs: [String] = []
    /// The app for which the provider vouched; nil if that is not known.
    public var audience: String?
    public var email: EmailAddress?
    /// Whether the provider's word proves that the user owns the address.
    public var isEmailVerified = false
    public var profile: Profile
    /// The provider's own words about the user, as a JSON object for the app.
    public let rawUserInfo: String

    /// The user's names and picture at the provider.
    public struct Profile: Sendable, Hashable {
        public var fullName: String?
        public var firstName: String?
        public var lastName: String?
        public var screenName: String?
        public var photoURL: String?

        /// Texts of more than 2048 bytes are left out, because ID tokens repeat some.
        public init(
            fullName: String? = nil, firstName: String? = nil, lastName: String? = nil, screenName: String? = nil, photoURL: String? = nil
        ) {
            func short(_ text: String?) -> String? { text.flatMap { (1...2048).contains($0.utf8.count) ? $0 : nil } }
            (self.fullName, self.firstName, self.lastName) = (short(fullName), short(firstName), short(lastName))
            (self.screenName, self.photoURL) = (short(screenName), short(photoURL))
        }
    }

    /// Nil for an id that cannot be stored.
    public init?(
        provider: String, rawID: String, email: EmailAddress?, isEmailVerified: Bool, profile: Profile, rawUserInfo: String
    ) {
        guard (1...1024).contains(rawID.unicodeScalars.count), !rawID.utf8.contains(0) else { return nil }
        self.provider = provider
        self.rawID = rawID
        self.email = email
        self.isEmailVerified = isEmailVerified && email != nil
        self.profile = profile
        self.rawUserInfo = rawUserInfo
    }

    /// The link that an account has to this user.
    public var link: LinkedProvider {
        var link = LinkedProvider(
            provider: provider, rawID: rawID, email: email?.value, displayName: profile.fullName, photoURL: profile.photoURL)
        (link.isEmailVerified, link.audience, link.screenName) = (isEmailVerified, audience, profile.screenName)
        return link
    }
}
