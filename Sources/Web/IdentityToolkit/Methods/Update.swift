internal import Accounts
internal import Base

extension APIMethod {
    static let update = APIMethod(
        "update",
        documentation: MethodDocumentation(
            summary: "Applies a code, or changes the account of an ID token; for admins, any account.",
            fields: [
                Property("oobCode", .text),
                Property("takeAddress", .flag, "Whether an undo code takes its address from another account that has proved it."),
                Property("idToken", .text), Property("email", .text), Property("password", .text),
                Property("displayName", .text), Property("photoUrl", .text),
                Property("deleteAttribute", .list(.choice(["EMAIL", "DISPLAY_NAME", "PHOTO_URL", "PASSWORD"]))),
                Property("deleteProvider", .list(.text), "Ids of providers, password, phone or emailLink."),
                Property(
                    "validSince", .int64,
                    "Seconds since 1970. An account that sends it ends all its sessions at once, whatever the moment, and gets new tokens."),
            ],
            adminFields: [
                Property("localId", .text), Property("emailVerified", .flag), Property("disableUser", .flag),
                Property("customAttributes", .text, "A JSON object in a string."),
                Property("createdAt", .int64, "Milliseconds since 1970."), Property("lastLoginAt", .int64, "Milliseconds since 1970."),
                Property("phoneNumber", .text, "E.164."), Property("linkProviderUserInfo", .shared(.provider)),
                Property("mfa", .object([Property("enrollments", .list(.shared(.secondFactor)))]), "Replaces all second factors."),
            ],
            response: .kind("SetAccountInfoResponse") + [
                .always("localId", .text), Property("email", .text), Property("newEmail", .text), .always("emailVerified", .flag),
                Property("displayName", .text), Property("photoUrl", .text), .always("providerUserInfo", .list(.shared(.provider))),
            ] + .tokensIfAny,
            refusals: [
                .invalidOobCode, .expiredOobCode, .invalidReqType, .operationNotAllowed, .missingLocalID, .userNotFound, .invalidEmail,
                .emailExists, .weakPassword, .credentialTooOld, .invalidIDToken, .tokenExpired, .userDisabled, .invalidClaims,
                .claimsTooLarge, .forbiddenClaim, .passwordDoesNotMeetRequirements, .insufficientPermission, .invalidPhoneNumber,
                .phoneNumberExists, .missingProviderID, .missingRawID, .invalidProviderID, .federatedUserIDAlreadyLinked,
                .invalidMFAPhoneNumber, .invalidMFAEnrollmentID, .duplicateMFAEnrollmentID, .secondFactorLimitExceeded,
            ]),
        run: { (call) throws(ActionError) in try await call.update() })
}

extension Call {
    /// `accounts:update`: applies a code, or changes the account of an ID token; for admins, any
    /// account.
    func update() async throws(ActionError) -> JSON {
        if let code = try body.text("oobCode") { return try await apply(code) }
        if case .admin = actor { return try await updateAsAdmin() }

        guard !body.has("customAttributes") else { throw .refused(.insufficientPermission) }
        guard !body.has("disableUser") else { throw .refused(.operationNotAllowed) }
        guard let user = try signedInUser() else {
            throw .refused(.invalidReqType, detail: "An update needs an idToken or an oobCode")
        }
        let (after, tokens) = try await accounts.update(user, with: try changeByItself(of: user.profile), from: client, in: project)
        return updated(after, tokens: tokens)
    }

    private func apply(_ code: String) async throws(ActionError) -> JSON {
        let pending = try await pending(code)
        // A reset needs a password, and a sign-in has its own method.
        guard !pending.action.setsPassword, !pending.action.isAppliedByApp else { throw .refused(.invalidOobCode) }
        let choice: ActionChoice? = try body.bool("takeAddress") == true && pending.action == .recoverEmail ? .takeAddress : nil
        let account: AccountID?
        do throws(ActionError) { account = try await accounts.redeem(pending, with: .call(choice), from: client).account } catch {
            guard error.refusal == .emailExists, choice == nil, pending.rivalMadeAt != nil else { throw error }
            throw .refused(.emailExists, detail: "Another account has proved the address. With takeAddress: true it loses the address")
        }
        guard let account else { throw .refused(.invalidOobCode) }
        let profile = try await profile(of: account)
        return updated(profile, newEmail: pending.action.setsNewAddress ? profile.account.email : nil)
    }

    private func updateAsAdmin() async throws(ActionError) -> JSON {
        guard let id = try body.text("localId") else { throw .refused(.missingLocalID) }
        let before = try await profile(of: AccountID(rawValue: id))
        let change = try changeByAdmin(of: before)
        return updated(try await accounts.update(byAdmin: before, with: change, in: project))
    }

    private func updated(_ profile: Accounts.Profile, newEmail: EmailAddress? = nil, tokens: IssuedTokens? = nil) -> JSON {
        let account = profile.account
        return .object([
            "kind": "identitytoolkit#SetAccountInfoResponse",
            "localId": .string(account.id.rawValue),
            "email": .string(ifAny: account.email?.value),
            "newEmail": .string(ifAny: newEmail?.value),
            "emailVerified": .bool(account.emailVerified),
            "displayName": .string(ifAny: account.displayName),
            "photoUrl": .string(ifAny: account.photoURL),
            "providerUserInfo": profile.providerUserInfo,
            "idToken": .string(ifAny: tokens?.idToken),
            "refreshToken": .string(ifAny: tokens?.refreshToken),
            "expiresIn": tokens.map { _ in IssuedTokens.expiresIn },
        ])
    }
}
