internal import Accounts
internal import JSON

/// What accounts are and become, and the codes that are mailed to them.
extension Outline {
    static let sendOobCode = Outline(
        summary: "Mails a link; for admins, returns it.",
        fields: [
            Property("requestType", .choice(["PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL"])),
            Property("email", .text, "For a reset and a sign-in; for the others from an admin."), Property("newEmail", .text),
            Property("idToken", .text, "Whose address is verified or changed."),
        ] + .actionCodeSettings,
        adminFields: [Property("returnOobLink", .flag, "Return the link in the response and mail nothing.")],
        answer: .kind("GetOobConfirmationCodeResponse") + [
            Property("email", .text), Property("oobCode", .text, "With `returnOobLink`."),
            Property("oobLink", .text, "With `returnOobLink`."),
        ],
        refusals: [
            .missingReqType, .invalidReqType, .missingEmail, .missingNewEmail, .invalidEmail, .invalidNewEmail, .emailNotFound,
            .userNotFound, .emailExists, .userDisabled, .missingIDToken, .invalidIDToken, .operationNotAllowed, .invalidContinueURI,
            .unauthorizedDomain, .missingAndroidPackageName, .missingIOSBundleID, .invalidDynamicLinkDomain, .invalidHostingLinkDomain,
            .invalidAppID, .resetPasswordExceedLimit,
        ])

    static let resetPassword = Outline(
        summary: "Tells what a code is for and leaves it alone; with `newPassword`, sets the password by a reset's code.",
        fields: [Property("oobCode", .text), Property("newPassword", .text)],
        answer: .kind("ResetPasswordResponse") + [
            .always("requestType", .text), .always("email", .text, "Empty for a sign-in: whoever holds the link must know it."),
            Property("newEmail", .text), Property("mfaInfo", .shared(.secondFactor)),
        ],
        refusals: [
            .missingOobCode, .invalidOobCode, .expiredOobCode, .weakPassword, .passwordDoesNotMeetRequirements, .passwordLoginDisabled,
            .userDisabled,
        ])

    static let update = Outline(
        summary: "Applies a code, or changes an account by its own ID token or by an admin's word.",
        fields: [
            Property("oobCode", .text), Property("idToken", .text), Property("email", .text), Property("password", .text),
            Property("displayName", .text), Property("photoUrl", .text),
            Property("deleteAttribute", .list(.choice(["EMAIL", "DISPLAY_NAME", "PHOTO_URL", "PASSWORD"]))),
            Property("deleteProvider", .list(.text)),
        ],
        adminFields: [
            Property("localId", .text), Property("emailVerified", .flag), Property("disableUser", .flag),
            Property("validSince", .int64, "Seconds since 1970."), Property("customAttributes", .text, "A JSON object in a string."),
            Property("createdAt", .int64, "Milliseconds since 1970."), Property("lastLoginAt", .int64, "Milliseconds since 1970."),
            Property("phoneNumber", .text, "E.164."), Property("linkProviderUserInfo", .shared(.provider)),
            Property("mfa", .object([Property("enrollments", .list(.shared(.secondFactor)))]), "All of them, from now on."),
        ],
        answer: .kind("SetAccountInfoResponse") + [
            .always("localId", .text), Property("email", .text), Property("newEmail", .text), .always("emailVerified", .flag),
            Property("displayName", .text), Property("photoUrl", .text), .always("providerUserInfo", .list(.shared(.provider))),
        ] + .tokensIfAny,
        refusals: [
            .invalidOobCode, .expiredOobCode, .invalidReqType, .operationNotAllowed, .missingLocalID, .userNotFound, .invalidEmail,
            .emailExists, .weakPassword, .credentialTooOld, .invalidIDToken, .tokenExpired, .userDisabled, .invalidClaims,
            .claimsTooLarge, .forbiddenClaim, .passwordDoesNotMeetRequirements, .insufficientPermission, .invalidPhoneNumber,
            .phoneNumberExists, .missingProviderID, .missingRawID, .invalidProviderID, .federatedUserIDAlreadyLinked,
            .invalidMFAPhoneNumber, .invalidMFAEnrollmentID, .duplicateMFAEnrollmentID, .secondFactorLimitExceeded,
        ])

    static let lookup = Outline(
        summary: "The account of an ID token; for admins, those they name. Nobody found: no `users`.",
        fields: [Property("idToken", .text)],
        adminFields: [
            Property("localId", .list(.text)), Property("email", .list(.text)), Property("phoneNumber", .list(.text)),
            Property("federatedUserId", .list(.object([Property("providerId", .text), Property("rawId", .text)]))),
        ],
        answer: .kind("GetAccountInfoResponse") + [Property("users", .list(.shared(.account)))],
        refusals: [.missingIDToken, .invalidIDToken])

    static let delete = Outline(
        summary: "Deletes an account by its own ID token, or by an admin's word.",
        fields: [Property("idToken", .text)],
        adminFields: [Property("localId", .text)],
        answer: .kind("DeleteAccountResponse"),
        refusals: [.missingIDToken, .missingLocalID, .userNotFound, .credentialTooOld])
}

extension Call.Method {
    var outline: Outline {
        switch self {
        case .signUp: .signUp
        case .signInWithPassword: .signInWithPassword
        case .signInWithEmailLink: .signInWithEmailLink
        case .sendOobCode: .sendOobCode
        case .resetPassword: .resetPassword
        case .update: .update
        case .lookup: .lookup
        case .delete: .delete
        case .createAuthUri: .createAuthUri
        case .getProjectConfig: .getProjectConfig
        case .passwordPolicy: .passwordPolicy
        case .recaptchaConfig: .recaptchaConfig
        case .getConfig: .getConfig
        case .updateConfig: .updateConfig
        case .token: .token
        case .signInWithCustomToken: .signInWithCustomToken
        case .createSessionCookie: .createSessionCookie
        case .batchCreate, .uploadAccount: .batchCreate
        case .batchGet, .downloadAccount: .batchGet
        case .batchDelete: .batchDelete
        case .query: .query
        }
    }
}
