public import Base

extension ImportedUser {
    /// Reads an account in the format of `batchCreate` and of the files of `firebase auth:export`.
    ///
    /// `validSince` is ignored: sessions of the account start with the import. The rows for
    /// password and phone in `providerUserInfo` are ignored too, because they repeat fields of the
    /// account.
    ///
    /// Source: Identity Toolkit `UserInfo`; the messages are those of production.
    /// - Parameter leavesOutPhone: whether an account with an invalid phone number is imported
    ///   without the number instead of being refused.
    public init(
        _ fields: JSONFields, in project: ProjectID, at now: Timestamp, random: RandomBytes, plainPasswords: PlainPasswords = .refused,
        leavesOutPhone: Bool = false
    ) throws(ActionError) {
        guard let id = try fields.text("localId") else { throw .refused(.missingLocalID, detail: "localId is missing") }
        guard (1...128).contains(id.unicodeScalars.count) else {
            throw .refused(.invalidLocalID, detail: "localId must have 1 to 128 characters")
        }
        guard try fields.text("tenantId") == nil else {
            throw .refused(.tenantsNotOffered, detail: "Tenants are not offered by this server: configure a project for each")
        }
        var account = Account(
            project: project, id: AccountID(rawValue: id), createdAt: try fields.milliseconds("createdAt", notAfter: now) ?? now)
        let isVerified = try fields.bool("emailVerified") ?? false
        if let text = try fields.text("email") {
            guard let email = EmailAddress(text) else { throw .refused(.invalidEmail, detail: "email is invalid") }
            account.setAddress(email, verified: isVerified, at: now)
        }
        var lacksPhone = false
        do { account.setPhoneNumber(try fields.phoneNumber("phoneNumber"), at: now) } catch {
            guard leavesOutPhone, error.refusal == .invalidPhoneNumber else { throw error }
            lacksPhone = true
        }
        account.displayName = try fields.profile("displayName")
        account.namedByAdminAt = account.displayName.map { _ in now }
        account.photoURL = try fields.profile("photoUrl")
        account.disabled = try fields.bool("disabled") ?? false
        account.emailLinkSignIn = try fields.bool("emailLinkSignin") ?? false
        account.initialEmail = try fields.text("initialEmail").flatMap { EmailAddress($0) }
        account.passwordUpdatedAt = try fields.milliseconds("passwordUpdatedAt", notAfter: now)
        // Files of auth:export name this field lastSignedInAt.
        account.lastLoginAt = try fields.milliseconds(fields.has("lastLoginAt") ? "lastLoginAt" : "lastSignedInAt", notAfter: now)
        account.customAttributes = try fields.importedClaims()
        self.init(account)
        lacksPhoneNumber = lacksPhone
        plainPassword = try fields.plainPassword(plainPasswords, words: account.words)
        if plainPassword == nil { password = try fields.hashedPassword() }
        linkedProviders = try fields.linkedProviders()
        secondFactors = try fields.secondFactors(at: now, random: random)
        guard secondFactors.isEmpty || account.email != nil && account.emailVerified else {
            throw .refused(.unverifiedEmail, detail: "Second factor account requires email to be verified.")
        }
    }
}

extension JSONFields {
    /// The custom claims of an imported account, with production's error messages for import rows.
    fileprivate func importedClaims() throws(ActionError) -> String? {
        do { return try customClaims("customAttributes") } catch {
            switch error {
            case .refused(.claimsTooLarge, _): throw .refused(.claimsTooLarge, detail: "Custom claims provided are too large.")
            case .refused(.forbiddenClaim, _):
                throw .refused(.forbiddenClaim, detail: "Custom claims provided include a reserved claim.")
            case .refused(.invalidClaims, _): throw .refused(.invalidClaims, detail: "Invalid custom claims provided.")
            default: throw error
            }
        }
    }

    /// A time in milliseconds since 1970, at most five minutes after `now` because clocks differ.
    fileprivate func milliseconds(_ name: String, notAfter now: Timestamp) throws(ActionError) -> Timestamp? {
        guard let milliseconds = try integer(name) else { return nil }
        guard milliseconds >= 0, milliseconds <= (now + .minutes(5)).milliseconds else {
            throw .refused(.invalidArgument, detail: "\(name) must be a time in milliseconds, not in the future")
        }
        return Timestamp(milliseconds: milliseconds)
    }

    /// The password in clear text; nil if there is none, or beside a hash, which takes precedence.
    /// Refuses what the policy refuses.
    fileprivate func plainPassword(_ plainPasswords: PlainPasswords, words: [String]) throws(ActionError) -> String? {
        let (hash, plain) = (try text("passwordHash"), try text("rawPassword"))
        switch plainPasswords {
        case .refused:
            guard plain == nil else { throw .refused(.operationNotAllowed, detail: "rawPassword is not taken: send a passwordHash") }
            return nil
        case .accepted(let policy, let fakeHashes):
            if let hash {
                guard fakeHashes, hash.hasPrefix("fakeHash:salt="), let name = hash.firstRange(of: ":password=") else { return nil }
                return String(hash[name.upperBound...])
            }
            if let plain { try policy.check(plain, words: words) }
            return plain
        }
    }

    fileprivate func hashedPassword() throws(ActionError) -> ImportedUser.HashedPassword? {
        guard let hash = try base64("passwordHash"), !hash.isEmpty else { return nil }
        guard hash != Array("REDACTED".utf8) else {
            throw .refused(.invalidArgument, detail: "passwordHash was blacked out: export with an account that may read password hashes")
        }
        return ImportedUser.HashedPassword(hash: hash, salt: try base64("salt") ?? [])
    }

    /// A field in base64 or base64url, padded or not.
    fileprivate func base64(_ name: String) throws(ActionError) -> [UInt8]? {
        guard let text = try text(name) else { return nil }
        guard let bytes = Base64URL.decodeAnySpelling(text) else {
            throw .refused(.invalidArgument, detail: "\(name) must be base64")
        }
        return bytes
    }

    fileprivate func linkedProviders() throws(ActionError) -> [LinkedProvider] {
        var links: [LinkedProvider] = []
        for row in try objects("providerUserInfo") {
            let provider = try row.text("providerId")
            // The rows for password and phone repeat fields of the account.
            guard provider.map({ !LinkedProvider.builtInIDs.contains($0) }) ?? true else { continue }
            var rawID = try row.text("rawId")
            if rawID == nil { rawID = try row.text("federatedId") }
            guard let provider, let rawID else {
                throw .refused(.missingRawID, detail: "providerId and rawId (or federatedId) are required")
            }
            guard provider.unicodeScalars.count <= 128, rawID.unicodeScalars.count <= 1024 else {
                throw .refused(.invalidArgument, detail: "providerId must have at most 128 characters, rawId 1024")
            }
            guard !links.contains(where: { $0.provider == provider }) else {
                throw .refused(.duplicateRawID, detail: "providerUserInfo has the same provider twice")
            }
            var link = LinkedProvider(
                provider: provider, rawID: LinkedProvider.rawID(ofWireID: rawID, at: provider), email: try row.profile("email"),
                displayName: try row.profile("displayName"),
                photoURL: try row.profile("photoUrl"))
            link.screenName = try row.profile("screenName")
            links.append(link)
        }
        return links
    }

    fileprivate func secondFactors(at now: Timestamp, random: RandomBytes) throws(ActionError) -> [SecondFactor] {
        var factors: [SecondFactor] = []
        for row in try objects("mfaInfo") {
            guard let number = try row.phoneNumber("phoneInfo", orRefuse: .invalidMFAPhoneNumber) else {
                throw .refused(.operationNotAllowed, detail: "Second factor not supported.")
            }
            let id = try row.text("mfaEnrollmentId", maxBytes: 128) ?? Base64URL.encode(random(21))
            let factor = SecondFactor(
                id: id, kind: .phone, displayName: try row.profile("displayName"), phoneNumber: number.value,
                enrolledAt: try row.dateTime("enrolledAt", until: now) ?? now)
            guard !factors.contains(where: { $0.id == id || $0.phoneNumber == number.value }) else {
                throw .refused(.duplicateMFAEnrollmentID, detail: "Enrollment id already exists.")
            }
            factors.append(factor)
        }
        return factors
    }

    /// The hash parameters of the passwords of an import, by the field names of `batchCreate`.
    public func hashScheme() throws(ActionError) -> HashScheme.Parameters {
        var scheme = HashScheme.Parameters(hashAlgorithm: try text("hashAlgorithm"))
        for number in HashScheme.Parameters.Number.allCases {
            // HashScheme refuses numbers that are too large, with its own error message.
            scheme.numbers[number] = try integer(number.rawValue).map(Int.init(clamping:))
        }
        scheme.signerKey = try base64("signerKey")
        scheme.saltSeparator = try base64("saltSeparator")
        scheme.passwordHashOrder = try choice(
            "passwordHashOrder", of: ["UNSPECIFIED_ORDER", "SALT_AND_PASSWORD", "PASSWORD_AND_SALT"]
        )
        .flatMap { $0 == "UNSPECIFIED_ORDER" ? nil : $0 }
        return scheme
    }
}
