internal import Accounts
internal import Base

extension APIMethod {
    static let signUp = APIMethod(
        "signUp",
        documentation: MethodDocumentation(
            summary:
                "Creates an account: with address and password, anonymous, or as an admin specifies; with an ID token, gives that account a password.",
            fields: [
                Property("email", .text), Property("password", .text), Property("displayName", .text),
                Property("idToken", .text, "Of the account that gets the password."),
            ],
            adminFields: [
                Property("localId", .text), Property("photoUrl", .text), Property("emailVerified", .flag), Property("disabled", .flag),
                Property("phoneNumber", .text, "E.164."),
                Property("mfaInfo", .list(.object([Property("phoneInfo", .text), Property("displayName", .text)]))),
            ],
            response: .kind("SignupNewUserResponse") + [
                .always("localId", .text), Property("email", .text), Property("displayName", .text),
            ]
                + .tokensIfAny,
            refusals: [
                .missingEmail, .missingPassword, .invalidEmail, .emailExists, .weakPassword, .operationNotAllowed, .adminOnlyOperation,
                .unexpectedParameter, .duplicateLocalID, .invalidLocalID, .credentialTooOld,
                .passwordDoesNotMeetRequirements, .userDisabled, .invalidPhoneNumber, .phoneNumberExists, .invalidMFAPhoneNumber,
                .secondFactorLimitExceeded,
            ]),
        run: { (call) throws(ActionError) in try await call.signUp() })
}

extension Call {
    /// `accounts:signUp`: creates an account with a password, an anonymous one or one that an admin
    /// specifies, or gives a signed-in account a password.
    func signUp() async throws(ActionError) -> JSON {
        if case .admin = actor { return signedUp(try await accounts.signUp(byAdmin: accountOfAdmin(), in: project)) }
        guard !body.has("localId") else { throw .refused(.unexpectedParameter, detail: "User ID") }
        try admitFactors(in: "mfaInfo", areSet: body.has("password") && !body.has("idToken"))
        // A client that sends one of them, even empty, does not expect an anonymous account.
        guard body.has("email") || body.has("password") || body.has("idToken") else { return try await signUpAnonymously() }

        let (email, password) = try addressAndPassword()
        if let user = try signedInUser() {
            let name = try body.profile("displayName")
            return signedUp(
                try await accounts.addPassword(password, email, named: name, to: user, from: client, in: project))
        }
        try project.requireSignUp(byPasswordWith: email)
        var new = NewAccount(project: project.id)
        new.email = email
        new.password = password
        new.displayName = try body.profile("displayName")
        new.secondFactors = try secondFactors(body.objects("mfaInfo"), present: nil)
        new.language = language
        return signedUp(try await accounts.signUp(new, from: client, in: project))
    }

    private func signUpAnonymously() async throws(ActionError) -> JSON {
        var new = NewAccount(project: project.id)
        new.language = language
        return signedUp(try await accounts.signUp(new, from: client, in: project))
    }

    private func addressAndPassword() throws(ActionError) -> (EmailAddress, String) {
        guard body.has("email") else { throw .refused(.missingEmail) }
        guard let password = try body.text("password") else { throw .refused(.missingPassword) }
        guard project.signIn.password else { throw .refused(.operationNotAllowed) }
        guard let email = try body.email() else { throw .refused(.missingEmail) }
        return (email, password)
    }

    private func accountOfAdmin() throws(ActionError) -> NewAccount {
        var new = NewAccount(project: project.id)
        new.isByAdmin = true
        if let id = try body.string("localId") {
            guard (1...128).contains(id.unicodeScalars.count) else { throw .refused(.invalidLocalID) }
            new.id = AccountID(rawValue: id)
        }
        new.email = try body.email()
        new.emailVerified = try body.bool("emailVerified") ?? false
        new.phoneNumber = try body.phoneNumber("phoneNumber")
        new.password = try body.text("password")
        new.secondFactors = try secondFactors(body.objects("mfaInfo"), present: nil)
        new.displayName = try body.profile("displayName")
        new.photoURL = try body.profile("photoUrl")
        new.disabled = try body.bool("disabled") ?? false
        new.language = language
        return new
    }

    private func signedUp(_ tokens: IssuedTokens) -> JSON { signedUp(tokens.account, tokens) }

    private func signedUp(_ account: Account, _ tokens: IssuedTokens? = nil) -> JSON {
        .object([
            "kind": "identitytoolkit#SignupNewUserResponse",
            "localId": .string(account.id.rawValue),
            "email": .string(ifAny: account.email?.value),
            "displayName": .string(ifAny: account.displayName),
            "idToken": .string(ifAny: tokens?.idToken),
            "refreshToken": .string(ifAny: tokens?.refreshToken),
            "expiresIn": tokens.map { _ in IssuedTokens.expiresIn },
        ])
    }
}
