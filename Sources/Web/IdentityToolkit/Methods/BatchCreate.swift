internal import Accounts
internal import Base

extension APIMethod {
    static let batchCreate = APIMethod(
        "batchCreate", requiresAdmin: true, maxBodyBytes: 16 << 20,
        documentation: MethodDocumentation(
            summary: "Imports up to a thousand accounts with the hashes of their passwords.",
            adminFields: [
                Property("users", .list(.object(importedAccount)), "1 to 1000."),
                Property("allowOverwrite", .flag, "Unless true, an existing account is an error of its row."),
                Property("sanityCheck", .flag, "Refuse the whole call if two of its accounts share an address or a linked account."),
                Property("hashAlgorithm", .text, "How the passwords were hashed, such as `SCRYPT` or `BCRYPT`."),
                Property("signerKey", .text, "Base64, for Firebase's scrypt and the HMACs."), Property("saltSeparator", .text, "Base64."),
                Property("rounds", .integer), Property("memoryCost", .integer), Property("cpuMemCost", .integer),
                Property("parallelization", .integer), Property("blockSize", .integer), Property("dkLen", .integer),
                Property("passwordHashOrder", .choice(["SALT_AND_PASSWORD", "PASSWORD_AND_SALT"])),
            ],
            response: .kind("UploadAccountResponse") + [
                Property(
                    "error", .list(.object([.always("index", .integer), .always("message", .text)])), "The rows that were not imported.")
            ],
            refusals: [
                .missingUserAccount, .duplicateLocalID, .duplicateEmail, .duplicateRawID, .missingHashAlgorithm, .invalidHashAlgorithm,
                .invalidHashRounds,
            ]),
        run: { (call) throws(ActionError) in try await call.batchCreate() })

    /// The older name of `batchCreate`, with the project in the body.
    static let uploadAccount = APIMethod(
        "uploadAccount", requiresAdmin: true, maxBodyBytes: batchCreate.maxBodyBytes, documentation: batchCreate.documentation,
        run: { (call) throws(ActionError) in
            try call.requireNamedProject()
            return try await call.batchCreate()
        })

    /// A row of `users`.
    private static let importedAccount: [Property] = [
        .always("localId", .text), Property("email", .text), Property("emailVerified", .flag), Property("displayName", .text),
        Property("photoUrl", .text), Property("phoneNumber", .text), Property("disabled", .flag), Property("emailLinkSignin", .flag),
        Property("initialEmail", .text), Property("customAttributes", .text), Property("createdAt", .int64, "Milliseconds since 1970."),
        Property("lastLoginAt", .int64, "Milliseconds since 1970."), Property("validSince", .int64, "Seconds since 1970."),
        Property("passwordHash", .text, "Base64. In development also the emulator's `fakeHash:salt=…:password=…`."),
        Property("salt", .text, "Base64."), Property("rawPassword", .text, "In clear text; in at most 100 accounts of a call."),
        Property("passwordUpdatedAt", .number, "Milliseconds since 1970."),
        Property(
            "providerUserInfo",
            .list(
                .object([
                    Property("providerId", .text), Property("rawId", .text), Property("federatedId", .text, "If there is no rawId."),
                    Property("email", .text), Property("displayName", .text),
                    Property("photoUrl", .text), Property("screenName", .text), Property("phoneNumber", .text),
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

extension Call {
    /// `accounts:batchCreate`: imports up to a thousand accounts with the hashes of their
    /// passwords. An account with an error is reported and does not stop the others.
    func batchCreate() async throws(ActionError) -> JSON {
        let rows = try body.items("users")
        guard !rows.isEmpty else { throw .refused(.missingUserAccount) }
        guard rows.count <= 1000 else { throw .refused(.invalidArgument, detail: "/users must be at most 1000") }
        let (moment, random, id) = (accounts.now(), accounts.random, project.id)
        let plainPasswords = PlainPasswords.accepted(by: project.passwordPolicy, fakeHashes: toolkit.isDevelopment)
        let users = try await toolkit.onLargeBodyWorker {
            rows.map { row in
                Result { () throws(ActionError) in
                    try ImportedUser(JSONFields(row, "/users"), in: id, at: moment, random: random, plainPasswords: plainPasswords)
                }
            }
        }
        let readable = users.compactMap { try? $0.get() }
        try requireDistinct(readable)
        guard readable.count(where: { $0.plainPassword != nil }) <= Self.maxPlainPasswords else {
            throw .refused(.invalidArgument, detail: "/users must have at most \(Self.maxPlainPasswords) passwords in clear text")
        }
        let scheme = readable.contains { $0.password != nil } ? try HashScheme(body.hashScheme()) : nil
        let verdicts = try await accounts.imports.take(
            users, hashedBy: scheme, existing: body.bool("allowOverwrite") == true ? .overwrite : .refuse)
        let problems = zip(verdicts.indices, verdicts).compactMap { index, verdict in verdict.problem(at: index) }
        return .object([
            "kind": "identitytoolkit#UploadAccountResponse",
            "error": problems.isEmpty ? nil : .array(problems),
        ])
    }

    /// Each takes a tenth of a second to hash, one after the other.
    private static let maxPlainPasswords = 100

    /// Refuses accounts of one call that share an id, and with `sanityCheck` also those that share
    /// an address or a linked account. With `allowOverwrite` the last account of an id remains.
    private func requireDistinct(_ users: [ImportedUser]) throws(ActionError) {
        if try body.bool("allowOverwrite") != true, let duplicate = users.map(\.account.id).firstDuplicate {
            throw .refused(.duplicateLocalID, detail: duplicate.rawValue)
        }
        guard try body.bool("sanityCheck") == true else { return }
        if let duplicate = users.compactMap(\.account.email).firstDuplicate {
            throw .refused(.duplicateEmail, detail: duplicate.value)
        }
        if let duplicate = users.flatMap({ $0.linkedProviders.map { [$0.provider, $0.rawID] } }).firstDuplicate {
            throw .refused(.duplicateRawID, detail: "Provider id(\(duplicate[0])), Raw id(\(duplicate[1]))")
        }
    }
}

extension UserImport.Verdict {
    fileprivate func problem(at index: Int) -> JSON? {
        switch self {
        case .added, .overwritten, .skipped: nil
        case .refused(_, let detail): .object(["index": .int(index), "message": .string(detail)])
        }
    }
}

extension Array where Element: Hashable {
    /// The first element that is equal to an earlier one.
    fileprivate var firstDuplicate: Element? {
        var seen: Set<Element> = []
        return first { !seen.insert($0).inserted }
    }
}
