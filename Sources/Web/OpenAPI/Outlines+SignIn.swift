internal import Accounts
internal import JSON

/// Who comes in.
extension Outline {
    static let signUp = Outline(
        summary:
            "Makes an account: with address and password, anonymous, or whatever an admin says; with an ID token, gives that account a password.",
        fields: [
            Property("email", .text), Property("password", .text), Property("displayName", .text),
            Property("idToken", .text, "Of the account that gets the password."),
        ],
        adminFields: [
            Property("localId", .text), Property("photoUrl", .text), Property("emailVerified", .flag), Property("disabled", .flag),
            Property("phoneNumber", .text, "E.164."),
            Property("mfaInfo", .list(.object([Property("phoneInfo", .text), Property("displayName", .text)]))),
        ],
        answer: .kind("SignupNewUserResponse") + [.always("localId", .text), Property("email", .text), Property("displayName", .text)]
            + .tokensIfAny,
        refusals: [
            .missingEmail, .missingPassword, .invalidEmail, .emailExists, .weakPassword, .operationNotAllowed, .adminOnlyOperation,
            .unexpectedParameter, .duplicateLocalID, .invalidLocalID, .credentialTooOld,
            .passwordDoesNotMeetRequirements, .userDisabled, .invalidPhoneNumber, .phoneNumberExists, .invalidMFAPhoneNumber,
            .secondFactorLimitExceeded,
        ])

    static let signInWithPassword = Outline(
        summary: "Signs in with address and password.",
        fields: [Property("email", .text), Property("password", .text)],
        answer: .kind("VerifyPasswordResponse") + [
            .always("registered", .flag), .always("localId", .text), .always("email", .text), Property("displayName", .text),
        ] + .tokens,
        refusals: [
            .passwordLoginDisabled, .missingEmail, .invalidEmail, .missingPassword, .emailNotFound, .invalidPassword,
            .invalidLoginCredentials, .userDisabled, .passwordDoesNotMeetRequirements, .operationNotAllowed,
        ])

    static let signInWithEmailLink = Outline(
        summary: "Signs in with the code of a sign-in link; with an ID token, gives that account the link's address.",
        fields: [Property("email", .text), Property("oobCode", .text), Property("idToken", .text)],
        answer: .kind("EmailLinkSigninResponse") + [.always("localId", .text), .always("email", .text), .always("isNewUser", .flag)]
            + .tokens,
        refusals: [
            .operationNotAllowed, .missingEmail, .missingOobCode, .invalidOobCode, .expiredOobCode, .invalidEmail, .userDisabled,
            .emailExists,
        ])

    static let signInWithCustomToken = Outline(
        summary: "Signs in whom a back-end vouches for, by a token of one of the project's service accounts; makes the account.",
        fields: [Property("token", .text)],
        answer: .kind("VerifyCustomTokenResponse") + [.always("isNewUser", .flag)] + .tokens,
        refusals: [
            .missingCustomToken, .invalidCustomToken, .credentialMismatch, .missingIdentifier, .forbiddenClaim, .claimsTooLarge,
            .userDisabled,
        ])

    static let createSessionCookie = Outline(
        summary: "Makes a session cookie that says what an ID token says, for up to two weeks.",
        adminFields: [Property("idToken", .text), Property("validDuration", .int64, "Seconds, 300 to 1209600; the latter when absent.")],
        answer: [.always("sessionCookie", .text)],
        refusals: [.missingIDToken, .invalidIDToken, .invalidDuration, .tokenExpired, .userDisabled])

    static let createAuthUri = Outline(
        summary: "Tells how an address may sign in; nothing of it where accounts are hidden.",
        fields: [
            Property("identifier", .text, "The address."), Property("continueUri", .text, "Any page; nobody is sent there."),
            Property("sessionId", .text, "Repeated in the answer."),
        ],
        answer: .kind("CreateAuthUriResponse") + [
            Property("registered", .flag), Property("allProviders", .list(.text)), Property("signinMethods", .list(.text)),
            .always("sessionId", .text),
        ],
        refusals: [.missingIdentifier, .missingContinueURI, .invalidIdentifier, .invalidContinueURI, .operationNotAllowed])

    static let token = Outline(
        summary: "Gives a new ID token for a refresh token. Takes a form or JSON.",
        fields: [Property("grant_type", .choice(["refresh_token"])), Property("refresh_token", .text)],
        answer: [
            .always("access_token", .text, "The ID token."), .always("expires_in", .int64, "Seconds."),
            .always("token_type", .choice(["Bearer"])), .always("refresh_token", .text), .always("id_token", .text),
            .always("user_id", .text), .always("project_id", .text),
        ],
        refusals: [.missingGrantType, .invalidGrantType, .missingRefreshToken, .invalidRefreshToken, .userDisabled])
}
