internal import Accounts
internal import Views

extension Refusal {
    /// The page that shows a refusal. To a user, most of them mean a link that does not work.
    var pageReason: ErrorPage.Reason {
        switch self {
        case .userDisabled: .accountClosed
        case .emailExists: .addressTaken
        case .operationNotAllowed, .passwordLoginDisabled: .notOffered
        case .expiredOobCode: .expired(nil)
        // Pages meet few of these, and only for links that were changed or are not ours.
        case .invalidOobCode, .missingOobCode, .missingReqType, .invalidReqType, .invalidContinueURI, .missingContinueURI,
            .unauthorizedDomain, .missingAndroidPackageName, .missingIOSBundleID, .invalidDynamicLinkDomain, .invalidHostingLinkDomain,
            .invalidAppID, .invalidArgument, .emailNotFound, .userNotFound, .duplicateLocalID, .invalidPhoneNumber, .phoneNumberExists,
            .invalidTemporaryProof, .providerAlreadyLinked, .secondFactorExists,
            .missingProviderID, .invalidProviderID, .missingRawID, .federatedUserIDAlreadyLinked, .missingRequestURI,
            .invalidRequestURI, .invalidCredentialOrProviderID, .invalidIDPResponse, .userCancelled, .missingOrInvalidNonce,
            .invalidPendingToken,
            .invalidMFAPhoneNumber,
            .invalidMFAEnrollmentID, .duplicateMFAEnrollmentID, .missingEmail, .missingNewEmail, .missingPassword, .missingIDToken,
            .missingLocalID, .invalidLocalID, .invalidEmail, .invalidNewEmail, .missingIdentifier, .invalidIdentifier,
            .missingMFAPendingCredential, .missingCredential, .invalidMFAPendingCredential, .missingMFAEnrollmentID,
            .mfaEnrollmentNotFound, .unsupportedFirstFactor, .missingSessionInfo, .invalidSessionInfo, .sessionExpired,
            .emailChangeNeedsVerification, .missingCode, .invalidCode, .secondFactorLimitExceeded, .weakPassword,
            .passwordDoesNotMeetRequirements, .invalidPassword, .invalidLoginCredentials,
            .adminOnlyOperation, .unexpectedParameter, .insufficientPermission, .credentialTooOld, .invalidClaims, .claimsTooLarge,
            .forbiddenClaim, .missingUserAccount, .duplicateEmail, .duplicateRawID, .localIDListExceedsLimit, .unverifiedEmail,
            .missingHashAlgorithm, .invalidHashAlgorithm, .invalidHashRounds, .invalidIDToken, .tokenExpired, .invalidRefreshToken,
            .missingRefreshToken, .missingGrantType, .invalidGrantType, .missingCustomToken, .invalidCustomToken, .credentialMismatch,
            .configurationExists, .configurationNotFound, .missingConfigID, .invalidConfigID, .missingOAuthClientID,
            .invalidOAuthClientID, .missingOAuthClientSecret, .missingIssuer, .invalidDuration, .tooManyAttempts, .resetPasswordExceedLimit,
            .projectNotFound, .invalidConfig, .tenantsNotOffered:
            .damaged
        }
    }
}
