internal import Accounts
internal import Base
internal import Logging

extension Call {
    /// The changes that an account makes to itself.
    func changeByItself(of before: Accounts.Profile) throws(ActionError) -> AccountChange {
        var change = try change(of: before.account, byAdmin: false)
        try admitFactors(in: "mfa")
        change.secondFactors = try listedFactors(present: before.secondFactors)
        if try validSince() != nil { change.validSince = accounts.now() }
        change.link = try providerToLink()
        // In production a provider is linked by its own credential only (I1).
        guard change.link == nil || toolkit.isDevelopment else {
            throw .refused(.operationNotAllowed, detail: "Link a provider with signInWithIdp and a credential of it")
        }
        return change
    }

    /// Refuses second factors that a client sets without a proof, as only the emulator lets it: it
    /// would believe that the account is protected.
    /// - Parameter areSet: whether the call would set them.
    func admitFactors(in field: String, areSet: Bool = true) throws(ActionError) {
        guard body.has(field) else { return }
        guard toolkit.isDevelopment, areSet else {
            throw .refused(.operationNotAllowed, detail: "\(field) is for admins; enrol a second factor with mfaEnrollment:start")
        }
        toolkit.logger.notice("second factors set by a client, which `onward serve` refuses")
    }

    /// The second factors that replace those of an account; nil if the list is not named.
    private func listedFactors(present: [SecondFactor]) throws(ActionError) -> [SecondFactor]? {
        try body.object("mfa").map { mfa throws(ActionError) in try secondFactors(mfa.objects("enrollments"), present: present) }
    }

    /// The changes that an account may make to itself, and admins as well.
    private func change(of account: Account, byAdmin: Bool) throws(ActionError) -> AccountChange {
        // Refused rather than ignored, so that the client does not believe that it was done.
        for name in ["provider", "upgradeToFederatedLogin", "deletePasskey"] where body.has(name) {
            throw .refused(.operationNotAllowed, detail: "\(name) is not offered by this server")
        }
        var change = AccountChange()
        // Setting the same address changes nothing and must not end sessions.
        change.email = try body.email().flatMap { $0 == account.email ? nil : $0 }
        change.password = try body.text("password")
        change.displayName = try profileChange("displayName")
        change.photoURL = try profileChange("photoUrl")
        for attribute in try body.choices("deleteAttribute", of: Self.attributes) {
            switch attribute {
            case "EMAIL": change.deletesEmail = true
            case "DISPLAY_NAME": change.displayName = .clear
            case "PHOTO_URL": change.photoURL = .clear
            case "PASSWORD": change.deletesPassword = true
            default: throw .refused(.operationNotAllowed, detail: "\(attribute) cannot be deleted; use deleteProvider to unlink a provider")
            }
        }
        change.unlinks = Set(try body.strings("deleteProvider"))
        change.deletesPhoneNumber = change.unlinks.contains("phone")
        change.deletesEmailLinkSignIn = change.unlinks.contains("emailLink")
        if change.unlinks.contains("password") {
            change.keepsSessions = !byAdmin && !change.deletesCredentials
            change.deletesEmail = true
            change.deletesPassword = true
        }
        return change
    }

    /// In the order of the API's enum, because some clients send the index.
    private static let attributes = [
        "USER_ATTRIBUTE_NAME_UNSPECIFIED", "EMAIL", "DISPLAY_NAME", "PROVIDER", "PHOTO_URL", "PASSWORD", "RAW_USER_INFO",
    ]

    private func profileChange(_ name: String) throws(ActionError) -> AccountChange.Change<String>? {
        if let text = try body.profile(name) { return .set(text) }
        return body.isPresent(name) ? .clear : nil
    }

    /// The changes of an account that an admin asks for, including fields that are ignored from
    /// clients.
    func changeByAdmin(of before: Accounts.Profile) throws(ActionError) -> AccountChange {
        var change = try change(of: before.account, byAdmin: true)
        change.emailVerified = try body.bool("emailVerified")
        change.disabled = try body.bool("disableUser")
        change.phoneNumber = try body.phoneNumber("phoneNumber")
        change.link = try providerToLink()
        change.secondFactors = try listedFactors(present: before.secondFactors)
        let now = accounts.now()
        change.validSince = try validSince()
        change.createdAt = try body.past("createdAt", in: .milliseconds(1), until: now)
        change.lastLoginAt = try body.past("lastLoginAt", in: .milliseconds(1), until: now)
        change.customAttributes = try customAttributes()
        return change
    }

    private func validSince() throws(ActionError) -> Timestamp? {
        try body.past("validSince", in: .seconds(1), until: accounts.now() + .minutes(5))
    }

    /// The provider that an admin links without a credential of the provider.
    private func providerToLink() throws(ActionError) -> LinkedProvider? {
        guard let fields = try body.object("linkProviderUserInfo") else { return nil }
        guard let provider = try fields.text("providerId") else { throw .refused(.missingProviderID) }
        guard let rawID = try fields.text("rawId") else { throw .refused(.missingRawID) }
        guard !LinkedProvider.builtInIDs.contains(provider), provider.unicodeScalars.count <= 128 else {
            throw .refused(.invalidProviderID)
        }
        guard rawID.unicodeScalars.count <= 1024 else { throw .refused(.invalidArgument, detail: "/rawId has at most 1024 characters") }
        var link = LinkedProvider(
            provider: provider, rawID: LinkedProvider.rawID(ofWireID: rawID, at: provider), email: try fields.profile("email"),
            displayName: try fields.profile("displayName"),
            photoURL: try fields.profile("photoUrl"))
        link.screenName = try fields.profile("screenName")
        return link
    }
}
