internal import Accounts
internal import Base

extension APIMethod {
    static let sendOobCode = APIMethod(
        "sendOobCode", permissions: [.createLinks],
        documentation: MethodDocumentation(
            summary: "Mails a link; for admins, returns it.",
            fields: [
                Property("requestType", .choice(Action.allCases.filter { !$0.isUndo }.map(\.requestType))),
                Property("email", .text, "For a reset or a sign-in; for the other types from admins only."), Property("newEmail", .text),
                Property("idToken", .text, "Of the account whose address is verified or changed."),
            ] + .actionCodeSettings,
            adminFields: [
                Property("returnOobLink", .flag, "Return the link in the response and mail nothing."),
                Property("returnMailed", .flag, "Say in the response whether a mail waits. Do not pass that on to strangers."),
            ],
            response: .kind("GetOobConfirmationCodeResponse") + [
                Property("email", .text), Property("oobCode", .text, "With `returnOobLink`."),
                Property("oobLink", .text, "With `returnOobLink`."),
                Property("mailed", .flag, "With `returnMailed`: false for an address without a mailbox."),
            ],
            refusals: [
                .missingReqType, .invalidReqType, .missingEmail, .missingNewEmail, .invalidEmail, .invalidNewEmail, .emailNotFound,
                .userNotFound, .emailExists, .userDisabled, .missingIDToken, .invalidIDToken, .operationNotAllowed, .missingContinueURI,
                .invalidContinueURI,
                .unauthorizedDomain, .missingAndroidPackageName, .missingIOSBundleID, .invalidDynamicLinkDomain, .invalidHostingLinkDomain,
                .invalidAppID, .resetPasswordExceedLimit, .passwordLoginDisabled, .adminOnlyOperation,
            ]),
        run: { (call) throws(ActionError) in try await call.sendOobCode() })
}

extension Call {
    /// `accounts:sendOobCode`: sends a link by mail, or returns it to an admin.
    func sendOobCode() async throws(ActionError) -> JSON {
        guard let type = try body.choice("requestType", of: Self.requestTypes), type != Self.requestTypes[0] else {
            throw .refused(.missingReqType)
        }
        let returnsLink = try body.bool("returnOobLink") ?? false
        let tellsOfMail = try body.bool("returnMailed") ?? false
        guard !returnsLink && !tellsOfMail || caller.isAdmin else { throw .refused(.insufficientPermission) }
        // As in Firebase, an invalid continue URL is reported before a missing address.
        let settings = try ApprovedSettings(try actionCodeSettings(), in: project)

        guard let action = Action(requestType: type), !action.isUndo else {
            throw .refused(.invalidReqType, detail: "The change that such a code undoes creates it")
        }
        // The link in the mail would lead nowhere.
        guard !action.isAppliedByApp || returnsLink || settings.continueURL != nil else { throw .refused(.missingContinueURI) }
        let (subject, email) = try await subject(of: type)
        var request = CodeRequest(action, for: subject, with: settings)
        if action.setsNewAddress { request.newEmail = try body.email("newEmail", orRefuse: .invalidNewEmail) }
        request.language = language
        request.apiKey = caller.apiKey
        request.mails = !returnsLink
        if case .admin = actor { request.isByAdmin = true }
        let issued = try await accounts.send(request, from: client)
        return .object([
            "kind": "identitytoolkit#GetOobConfirmationCodeResponse",
            "email": .string(ifAny: email?.value),
            "oobCode": returnsLink ? .string(ifAny: issued?.code.text) : nil,
            "oobLink": returnsLink ? .string(ifAny: issued?.link) : nil,
            "mailed": tellsOfMail && !returnsLink ? .bool(issued != nil) : nil,
        ])
    }

    /// In the order of the API's enum, because some clients send the index.
    private static let requestTypes = [
        "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "VERIFY_EMAIL", "RECOVER_EMAIL",
        "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "REVERT_SECOND_FACTOR_ADDITION",
    ]

    /// The subject of the link, and the address that the response repeats. Admins name an address;
    /// clients name one for resets and sign-ins, and send an ID token for the other types.
    private func subject(of type: String) async throws(ActionError) -> (CodeRequest.Subject, EmailAddress?) {
        let isChange = type == Action.verifyAndChangeEmail.requestType
        let isOwn = isChange || type == Action.verifyEmail.requestType
        if isChange, try body.text("newEmail") == nil { throw .refused(.missingNewEmail) }
        if isOwn, let user = try signedInUser() {
            let subject = try accounts.subject(of: isChange ? .verifyAndChangeEmail : .verifyEmail, for: user)
            if isChange { try project.requireAddition(of: try body.email("newEmail", orRefuse: .invalidNewEmail), by: user) }
            return (subject, user.account.email)
        }
        if isOwn, case .anyone = actor { throw .refused(isChange ? .missingIDToken : .invalidIDToken) }
        guard try body.text("email") != nil, let email = try body.email() else { throw .refused(.missingEmail) }
        return (.address(email), email)
    }

    /// The settings of a link.
    func actionCodeSettings() throws(ActionError) -> ActionCodeSettings {
        var settings = ActionCodeSettings()
        settings.url = try body.text("continueUrl")
        settings.iOSBundleID = try body.text("iOSBundleId")
        settings.iOSAppStoreID = try body.text("iOSAppStoreId")
        settings.androidPackageName = try body.text("androidPackageName")
        settings.androidInstallIfNotAvailable = try body.bool("androidInstallApp") ?? false
        // The name in the API, and the one that the JavaScript SDK sends.
        for name in ["androidMinimumVersionCode", "androidMinimumVersion"] where body.has(name) {
            settings.androidMinimumVersion = try body.text(name)
        }
        settings.handleCodeInApp = try body.bool("canHandleCodeInApp") ?? false
        settings.linkDomain = try body.text("linkDomain")
        settings.dynamicLinkDomain = try body.text("dynamicLinkDomain")
        return settings
    }
}

extension [Property] {
    /// The fields of action code settings.
    static let actionCodeSettings: [Property] = [
        Property("continueUrl", .text, "The page that follows; its host must be an authorised domain."),
        Property("canHandleCodeInApp", .flag, "Whether the mailed link opens the app first."),
        Property("iOSBundleId", .text), Property("iOSAppStoreId", .text), Property("androidPackageName", .text),
        Property("androidInstallApp", .flag), Property("androidMinimumVersion", .text, "Android's versionCode."),
        Property("androidMinimumVersionCode", .text, "The name of `androidMinimumVersion` in the JavaScript SDK."),
        Property("linkDomain", .text, "One of the project's link domains."),
        Property("dynamicLinkDomain", .text, "The older name of `linkDomain`."),
    ]
}
