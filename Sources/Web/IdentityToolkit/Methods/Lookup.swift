internal import Accounts
internal import Base

extension APIMethod {
    static let lookup = APIMethod(
        "lookup", permissions: [.read], maxBodyBytes: 1 << 20,
        documentation: MethodDocumentation(
            summary: "The account of an ID token; for admins, the accounts that they name. If none is found, there is no `users`.",
            fields: [Property("idToken", .text)],
            adminFields: [
                Property("localId", .list(.text)), Property("email", .list(.text)), Property("phoneNumber", .list(.text)),
                Property("federatedUserId", .list(.object([Property("providerId", .text), Property("rawId", .text)]))),
            ],
            response: .kind("GetAccountInfoResponse") + [Property("users", .list(.shared(.account)))],
            refusals: [.missingIDToken, .invalidIDToken]),
        run: { (call) throws(ActionError) in try await call.lookup() })
}

extension Call {
    /// `accounts:lookup`: the account of an ID token, or the accounts that an admin names. If none
    /// is found, the response has no `users`.
    func lookup() async throws(ActionError) -> JSON {
        let profiles = try await counted(by: [.refresh]) { () throws(ActionError) -> [Accounts.Profile] in
            guard case .admin = actor else { return [try requiredUser().profile] }
            return try await accounts.profiles(namesToLookUp(), in: project.id)
        }
        return .object([
            "kind": "identitytoolkit#GetAccountInfoResponse",
            "users": profiles.isEmpty ? nil : .array(profiles.map(json)),
        ])
    }

    /// An account as the caller may see it.
    func json(_ profile: Accounts.Profile) -> JSON {
        guard let stored = profile.account.passwordHash, case .object(let members) = profile.json else { return profile.json }
        let showsHash = caller.admin.map { toolkit.isDevelopment || $0.scope.permits(.passwordHashes) } ?? false
        let exported = showsHash ? accounts.passwords.exported(stored) : nil
        let password: [JSON.Member] = [
            JSON.Member(name: "passwordHash", value: .string(exported.map { Base64URL.encode($0.hash) } ?? Self.redacted)),
            exported.map { JSON.Member(name: "salt", value: .string(Base64URL.encode($0.salt))) },
        ]
        .compactMap(\.self)
        return .object(members + password)
    }

    /// Production's constant in place of a hash: `REDACTED` in base64. SDKs take an account without
    /// any for an anonymous one.
    private static let redacted = "UkVEQUNURUQ="

    private func namesToLookUp() throws(ActionError) -> [Accounts.Identifier] {
        var names: [Accounts.Identifier] =
            try body.strings("localId").map { .id(AccountID(rawValue: $0)) }
            + body.strings("email").compactMap { EmailAddress($0).map { .email($0) } }
            + body.strings("phoneNumber").compactMap { PhoneNumber($0).map { .phoneNumber($0) } }
        for person in try body.objects("federatedUserId") {
            guard let provider = try person.text("providerId"), let rawID = try person.text("rawId") else { continue }
            // `providerUserInfo` lists the phone number and the password like providers.
            switch provider {
            case "phone": if let number = PhoneNumber(rawID) { names.append(.phoneNumber(number)) }
            case "password": if let email = EmailAddress(rawID) { names.append(.email(email)) }
            default: names.append(.linked(provider: provider, wireID: rawID))
            }
        }
        guard names.count <= Self.maxNames else { throw .refused(.invalidArgument, detail: "/ names more than \(Self.maxNames) accounts") }
        return names
    }

    /// The limit of one call, which admin SDKs enforce as well.
    private static let maxNames = 100
}

extension Accounts.Profile {
    /// The account as the API has it, without its password hash. Times are strings of milliseconds,
    /// `validSince` of seconds.
    var json: JSON {
        .object([
            "localId": .string(account.id.rawValue),
            "email": .string(ifAny: account.email?.value),
            "emailVerified": account.email.map { _ in .bool(account.emailVerified) },
            "displayName": .string(ifAny: account.displayName),
            "photoUrl": .string(ifAny: account.photoURL),
            "phoneNumber": .string(ifAny: account.phoneNumber?.value),
            "providerUserInfo": providerUserInfo,
            "validSince": .string(String(account.validSince.seconds)),
            "disabled": .bool(account.disabled),
            "createdAt": .string(String(account.createdAt.milliseconds)),
            "lastLoginAt": .string(ifAny: account.lastLoginAt.map { String($0.milliseconds) }),
            "lastRefreshAt": .string(ifAny: account.lastRefreshAt?.iso8601),
            "passwordUpdatedAt": account.passwordUpdatedAt.map { .number(String($0.milliseconds)) },
            "initialEmail": .string(ifAny: account.initialEmail?.value),
            "emailLinkSignin": account.emailLinkSignIn ? .bool(true) : nil,
            "customAttributes": .string(ifAny: account.customAttributes),
            "mfaInfo": secondFactors.isEmpty ? nil : .array(secondFactors.map(\.json)),
        ])
    }
}

extension Accounts.Profile {
    /// The ways to sign in. The JavaScript SDK reads the id at a provider from `rawId`, Apple's SDK
    /// from `federatedId`.
    var providerUserInfo: JSON {
        var providers: [JSON] = []
        if let email = account.email, account.passwordHash != nil || account.emailLinkSignIn {
            providers.append(
                .object([
                    "providerId": "password", "email": .string(email.value), "rawId": .string(email.value),
                    "federatedId": .string(email.value), "displayName": .string(ifAny: account.displayName),
                    "photoUrl": .string(ifAny: account.photoURL),
                ]))
        }
        providers += linkedProviders.map(\.json)
        if let phoneNumber = account.phoneNumber?.value {
            providers.append(
                .object([
                    "providerId": "phone", "phoneNumber": .string(phoneNumber), "rawId": .string(phoneNumber),
                    "federatedId": .string(phoneNumber),
                ]))
        }
        return .array(providers)
    }
}

extension LinkedProvider {
    fileprivate var json: JSON {
        .object([
            "providerId": .string(provider), "rawId": .string(wireID), "federatedId": .string(wireID), "email": .string(ifAny: shownEmail),
            "displayName": .string(ifAny: displayName), "photoUrl": .string(ifAny: photoURL), "screenName": .string(ifAny: screenName),
        ])
    }
}
