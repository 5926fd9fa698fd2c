internal import Accounts
internal import Base

/// A credential as apps give it to Firebase's Auth emulator: the claims as JSON or as an unsigned
/// JWT, in place of a token. Everyone can write one, so they are for development only.
struct UnsignedCredential {
    private let claims: JSON

    /// Nil for anything else.
    /// - Parameter orSigned: whether tokens that a provider signed are read, too, without a check.
    ///   Phones produce them in development as well.
    init?(_ credential: ProviderCredential, orSigned: Bool) {
        let claims = [credential.idToken, credential.accessToken].lazy.compactMap(\.self).compactMap { Self.claims(of: $0, orSigned) }.first
        guard let claims else { return nil }
        self.claims = claims
    }

    private static func claims(of text: String, _ orSigned: Bool) -> JSON? {
        guard text.utf8.count <= SignedToken.maxBytes else { return nil }
        if let bare = object(Array(text.utf8)) { return bare }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]).flatMap(object),
            orSigned || parts[2].isEmpty && header["alg"]?.string == "none"
        else { return nil }
        return Base64URL.decode(parts[1]).flatMap(object)
    }

    private static func object(_ bytes: [UInt8]) -> JSON? {
        guard let json = try? JSON(bytes, within: SignedToken.limits), case .object = json else { return nil }
        return json
    }

    func identity(of provider: String) -> VerifiedIdentity? {
        guard let subject = claims["sub"]?.string else { return nil }
        var user: MicrosoftUser?
        // The emulator's have only `sub`.
        if provider == MicrosoftUser.provider, let object = claims["oid"]?.string, let directory = claims["tid"]?.string {
            user = MicrosoftUser(object: object, directory: directory)
            guard user != nil else { return nil }
        }
        let email = claims["email"]?.string.flatMap { EmailAddress($0) }
        var identity = VerifiedIdentity(
            provider: provider, rawID: user?.rawID ?? subject, email: email, isEmailVerified: claims["email_verified"] == .bool(true),
            profile: .init(
                fullName: claims["name"]?.string ?? claims["displayName"]?.string, firstName: claims["given_name"]?.string,
                lastName: claims["family_name"]?.string, screenName: claims["screenName"]?.string,
                photoURL: claims["picture"]?.string ?? claims["photoUrl"]?.string),
            rawUserInfo: claims.text)
        identity?.formerIDs = user.map { [subject, $0.wireID] } ?? []
        identity?.audience = claims["aud"]?.string
        return identity
    }
}
