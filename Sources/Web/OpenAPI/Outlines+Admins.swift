internal import Accounts

/// Many accounts at once, for admins.
extension Outline {
    static let batchCreate = Outline(
        summary: "Takes in up to a thousand accounts with the hashes of their passwords.",
        adminFields: [
            Property("users", .list(.object(importedAccount)), "1 to 1000."),
            Property("allowOverwrite", .flag, "False: an account that is there is an error of its row."),
            Property("sanityCheck", .flag, "Refuse the whole call for twins in it."),
            Property("hashAlgorithm", .text, "How all the passwords were hashed, such as `SCRYPT` or `BCRYPT`."),
            Property("signerKey", .text, "Base64: Firebase's scrypt and the HMACs."), Property("saltSeparator", .text, "Base64."),
            Property("rounds", .integer), Property("memoryCost", .integer), Property("cpuMemCost", .integer),
            Property("parallelization", .integer), Property("blockSize", .integer), Property("dkLen", .integer),
            Property("passwordHashOrder", .choice(["SALT_AND_PASSWORD", "PASSWORD_AND_SALT"])),
        ],
        answer: .kind("UploadAccountResponse") + [
            Property("error", .list(.object([.always("index", .integer), .always("message", .text)])), "The rows that were not taken.")
        ],
        refusals: [
            .missingUserAccount, .duplicateLocalID, .duplicateEmail, .duplicateRawID, .missingHashAlgorithm, .invalidHashAlgorithm,
            .invalidHashRounds,
        ])

    static let batchGet = Outline(
        summary: "All accounts in the order of their ids, page by page, without password hashes.",
        adminFields: [Property("maxResults", .integer, "1 to 1000; 20 when absent."), Property("nextPageToken", .text)],
        answer: .kind("DownloadAccountResponse") + [Property("users", .list(.shared(.account))), Property("nextPageToken", .text)])

    static let batchDelete = Outline(
        summary: "Deletes up to a thousand accounts; without `force` only disabled ones.",
        adminFields: [Property("localIds", .list(.text)), Property("force", .flag)],
        answer: [
            Property(
                "errors", .list(.object([.always("index", .integer), .always("localId", .text), .always("message", .text)])))
        ],
        refusals: [.localIDListExceedsLimit])

    static let query = Outline(
        summary: "The accounts that an expression names, or all of them in the order of their ids, or only how many.",
        adminFields: [
            Property(
                "expression",
                .list(.object([Property("userId", .text), Property("email", .text), Property("phoneNumber", .text)])), "The first counts."),
            Property("returnUserInfo", .flag, "False: only how many."), Property("limit", .int64, "1 to 500."), Property("offset", .int64),
            Property("sortBy", .choice(["USER_ID"])), Property("order", .choice(["ASC", "DESC"])),
        ],
        answer: [.always("recordsCount", .int64), Property("userInfo", .list(.shared(.account)))],
        refusals: [.operationNotAllowed])

    private static let importedAccount: [Property] = [
        .always("localId", .text), Property("email", .text), Property("emailVerified", .flag), Property("displayName", .text),
        Property("photoUrl", .text), Property("phoneNumber", .text), Property("disabled", .flag), Property("emailLinkSignin", .flag),
        Property("initialEmail", .text), Property("customAttributes", .text), Property("createdAt", .int64, "Milliseconds since 1970."),
        Property("lastLoginAt", .int64, "Milliseconds since 1970."), Property("validSince", .int64, "Seconds since 1970."),
        Property("passwordHash", .text, "Base64."), Property("salt", .text, "Base64."),
        Property("passwordUpdatedAt", .number, "Milliseconds since 1970."),
        Property(
            "providerUserInfo",
            .list(
                .object([
                    Property("providerId", .text), Property("rawId", .text), Property("email", .text), Property("displayName", .text),
                    Property("photoUrl", .text), Property("phoneNumber", .text),
                ]))),
        Property(
            "mfaInfo",
            .list(
                .object([
                    Property("mfaEnrollmentId", .text), Property("phoneInfo", .text), Property("displayName", .text),
                    Property("enrolledAt", .text), Property("totpInfo", .object([])),
                ]))),
    ]
}
