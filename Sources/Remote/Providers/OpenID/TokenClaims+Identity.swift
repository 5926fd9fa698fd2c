internal import Accounts
internal import Base

extension TokenClaims {
    /// The user of an ID token that was checked.
    func identity(_ credential: ProviderCredential, _ provider: IdentityProvider) throws(CredentialRefusal) -> VerifiedIdentity {
        let (id, formerIDs) = try userIDs(at: provider)
        let email = text("email").flatMap { EmailAddress($0) }
        let identity = VerifiedIdentity(
            provider: provider.id, rawID: id, email: email,
            isEmailVerified: email.map { isVerified($0, by: provider) } ?? false, profile: profile(with: credential.appleUser),
            rawUserInfo: json.text)
        guard var identity else { throw .malformedClaims }
        identity.formerIDs = formerIDs
        identity.audience = try audiences().sorted().joined(separator: " ")
        return identity
    }

    /// The id of the user, and other ids that a link may have for them. An earlier version knew
    /// users of Microsoft by `sub`, which is another in each app.
    private func userIDs(at provider: IdentityProvider) throws(CredentialRefusal) -> (id: String, formerIDs: [String]) {
        guard let subject = text("sub") else { throw .malformedClaims }
        guard provider.kind == .microsoft else { return (subject, []) }
        guard json["oid"] != nil else { throw .noObject }
        guard let object = text("oid"), let directory = text("tid"), let user = MicrosoftUser(object: object, directory: directory) else {
            throw .malformedClaims
        }
        return (user.rawID, [subject, user.wireID])
    }

    private func profile(with appleUser: String?) -> VerifiedIdentity.Profile {
        // Only its first response has the name, outside of the token. It is a name and no proof.
        let name = appleUser.flatMap { try? JSON(Array($0.utf8), within: SignedToken.limits) }?["name"]
        let (first, last) = (text("given_name") ?? name?["firstName"]?.string, text("family_name") ?? name?["lastName"]?.string)
        let full = [first, last].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        return VerifiedIdentity.Profile(
            fullName: text("name") ?? full, firstName: first, lastName: last, photoURL: text("picture"))
    }

    /// Whether the provider's word proves that the user owns the address now. A provider is an
    /// authority only for the addresses that it hands out, and for those of domains whose owners it
    /// knows, unless the operator trusts it further.
    private func isVerified(_ email: EmailAddress, by provider: IdentityProvider) -> Bool {
        let isClaimed = flag("email_verified")
        func isAt(_ domains: Set<String>) -> Bool { domains.contains(String(email.domain)) }
        return switch (provider.kind, provider.verifiesEmail) {
        case (_, false?): false
        case (.microsoft, true?): true
        case (_, true?): isClaimed
        // Source: Google `Verify the Google ID token`, which says when Google is the authority.
        case (.google, nil): isClaimed && (text("hd") != nil || isAt(["gmail.com", "googlemail.com"]))
        case (.apple, nil): isClaimed
        // The administrators of a directory may write any address. Source: Microsoft `Migrate away
        // from using email claims`.
        case (.microsoft, nil):
            flag("xms_edov")
                || text("tid") == MicrosoftUser.personalAccounts && isAt(["outlook.com", "hotmail.com", "live.com", "msn.com"])
        case (.openID, nil), (.facebook, nil), (.gitHub, nil): false
        }
    }
}
