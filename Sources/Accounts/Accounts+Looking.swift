extension Accounts {
    /// How an admin names an account.
    package enum Name: Sendable, Hashable {
        case id(AccountID)
        case email(EmailAddress)
        case phoneNumber(PhoneNumber)
        /// By a provider's id and the person's id there.
        case linked(provider: String, rawID: String)
    }

    /// An account with what stands in other tables, as the account itself and admins may see it.
    package struct Profile: Sendable {
        package let account: Account
        package let linkedProviders: [LinkedProvider]
        package let secondFactors: [SecondFactor]

        /// Signed up with nothing to sign in again by.
        package var isAnonymous: Bool {
            account.email == nil && account.passwordHash == nil && account.phoneNumber == nil && linkedProviders.isEmpty
        }
    }

    /// Those of the named accounts that exist, each once, in the order named.
    package func profiles(_ names: [Name], in project: ProjectID) async throws(ActionError) -> [Profile] {
        try await store.read { (records) throws(ActionError) in
            var seen: Set<AccountID> = []
            var profiles: [Profile] = []
            for name in names {
                let account =
                    switch name {
                    case .id(let id): try records.account(id, in: project)
                    case .email(let email): try records.account(withEmail: email, in: project)
                    case .phoneNumber(let number): try records.account(withPhoneNumber: number, in: project)
                    case .linked(let provider, let rawID): try records.account(linkedTo: provider, rawID: rawID, in: project)
                    }
                guard let account, seen.insert(account.id).inserted else { continue }
                profiles.append(try records.profile(of: account))
            }
            return profiles
        }
    }

    /// Refuses to let an account in by one step that asks for two (S7).
    package func requireNoSecondStep(of account: Account) async throws(ActionError) {
        try await store.read { (records) throws(ActionError) in try records.requireNoSecondStep(of: account) }
    }

    /// Refuses `CREDENTIAL_TOO_OLD_LOGIN_AGAIN` for a sign-in longer ago than `span`, and what `IDTokens.verify` refuses.
    package func requireSignIn(_ idToken: String, within span: Duration, in project: ProjectID) async throws(ActionError) {
        let token = try await tokens.verify(idToken, for: project)
        guard now() - Timestamp(seconds: token.authTime) <= span else { throw .refused(.credentialTooOld) }
    }

    /// How the person signed in whom an ID token speaks for; nil for a way that this Onward does not know. Refuses what `IDTokens.verify`
    /// refuses.
    package func provider(behind idToken: String, in project: ProjectID) async throws(ActionError) -> SignInProvider? {
        SignInProvider(rawValue: try await tokens.verify(idToken, for: project).firebase.signInProvider)
    }

    /// Removes an account with its sessions, codes and factors. Refuses `USER_NOT_FOUND`, and `TOKEN_EXPIRED` when the account does not
    /// stand any more as its own caller saw it.
    package func delete(_ seen: Account, byAdmin: Bool = false) async throws(ActionError) {
        try await store.transaction { (records) throws(ActionError) in
            guard let account = try records.account(seen.id, in: seen.project) else { throw ActionError.refused(.userNotFound) }
            guard byAdmin || account.stillStands(as: seen) else { throw ActionError.refused(.tokenExpired) }
            try records.delete(seen.id, in: seen.project)
        }
    }
}
