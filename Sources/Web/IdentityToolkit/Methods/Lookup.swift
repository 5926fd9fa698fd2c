internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `accounts:lookup`: the account of an ID token, or for admins those they name. Nobody found: no `users` at all.
    func lookup() async throws(ActionError) -> JSON {
        try admit(.refresh)
        let profiles = try await site.accounts.profiles(namesToLookUp(), in: project.id)
        return .object([
            "kind": "identitytoolkit#GetAccountInfoResponse",
            "users": profiles.isEmpty ? nil : .array(profiles.map(\.json)),
        ])
    }

    private func namesToLookUp() async throws(ActionError) -> [Accounts.Name] {
        if let idToken = try body.text("idToken") { return [.id(try await account(behind: idToken).id)] }
        guard caller.isAdmin else { throw .refused(.missingIDToken) }
        var names: [Accounts.Name] =
            try body.strings("localId").map { .id(AccountID(rawValue: $0)) }
            + body.strings("email").compactMap { EmailAddress($0).map { .email($0) } }
            + body.strings("phoneNumber").compactMap { PhoneNumber($0).map { .phoneNumber($0) } }
        for person in try body.objects("federatedUserId") {
            guard let provider = try person.text("providerId"), let rawID = try person.text("rawId") else { continue }
            names.append(.linked(provider: provider, rawID: rawID))
        }
        guard names.count <= Self.maxNames else { throw .refused(.invalidArgument, detail: "/ names more than \(Self.maxNames) accounts") }
        return names
    }

    /// Of one call, as admin SDKs hold themselves to it.
    private static let maxNames = 100
}

extension Accounts.Profile {
    /// Times are texts of milliseconds, `validSince` of seconds; hashes are nobody's business.
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
            "passwordUpdatedAt": account.passwordUpdatedAt.map { .number(String($0.milliseconds)) },
            "initialEmail": .string(ifAny: account.initialEmail?.value),
            "emailLinkSignin": account.emailLinkSignIn ? .bool(true) : nil,
            "customAttributes": .string(ifAny: account.customAttributes),
            "mfaInfo": secondFactors.isEmpty ? nil : .array(secondFactors.map(\.json)),
        ])
    }
}

extension Accounts.Profile {
    /// The ways to sign in. JavaScript reads a provider's id for the person in `rawId`, Apple's SDK in `federatedId`.
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
            "providerId": .string(provider), "rawId": .string(rawID), "federatedId": .string(rawID), "email": .string(ifAny: email),
            "displayName": .string(ifAny: displayName), "photoUrl": .string(ifAny: photoURL),
        ])
    }
}
