internal import Accounts
internal import EmailActions
internal import JSON

extension CodeRequest.Subject {
    fileprivate var account: Account? { if case .account(let account) = self { account } else { nil } }
}

extension Call {
    /// `accounts:sendOobCode`: a link by mail, or for admins in the answer.
    func sendOobCode() async throws(ActionError) -> JSON {
        guard let type = try body.choice("requestType", of: Self.requestTypes), type != Self.requestTypes[0] else {
            throw .refused(.missingReqType)
        }
        let returnsLink = try body.bool("returnOobLink") ?? false
        guard !returnsLink || caller.isAdmin else { throw .refused(.insufficientPermission) }
        let settings = try actionCodeSettings()
        // A bad continue URL is told before a missing address, as Firebase does.
        _ = try ApprovedSettings(settings, in: project)

        guard let action = Action(requestType: type), !action.isUndo else {
            throw .refused(.invalidReqType, detail: "Such codes are made by the change that they undo")
        }
        let (subject, email) = try await subject(of: type)
        var request = CodeRequest(action, for: subject)
        if action == .verifyAndChangeEmail { request.newEmail = try body.email("newEmail", orRefuse: .invalidNewEmail) }
        request.settings = settings
        request.language = language
        request.apiKey = caller.apiKey
        request.mails = !returnsLink
        if request.mails, let recipient = request.newEmail ?? email {
            try admit(action == .resetPassword ? .reset(to: recipient) : .mail(to: recipient, account: subject.account?.id))
        }
        let issued = try await site.actions.send(request, in: project)
        return .object([
            "kind": "identitytoolkit#GetOobConfirmationCodeResponse",
            "email": .string(ifAny: email?.value),
            "oobCode": returnsLink ? .string(ifAny: issued?.code.text) : nil,
            "oobLink": returnsLink ? .string(ifAny: issued?.link) : nil,
        ])
    }

    /// In the order of the API's enum, because some clients send the number.
    private static let requestTypes = [
        "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "VERIFY_EMAIL", "RECOVER_EMAIL",
        "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "REVERT_SECOND_FACTOR_ADDITION",
    ]

    /// Whose link it is, with the address that the answer repeats. Admins name an address; a client does so only where anyone may,
    /// else its ID token speaks.
    private func subject(of type: String) async throws(ActionError) -> (CodeRequest.Subject, EmailAddress?) {
        let isChange = type == Action.verifyAndChangeEmail.requestType
        let isOwn = isChange || type == Action.verifyEmail.requestType
        if isChange, try body.text("newEmail") == nil { throw .refused(.missingNewEmail) }
        if isOwn, !caller.isAdmin || body.has("idToken") {
            guard let idToken = try body.text("idToken") else { throw .refused(isChange ? .missingIDToken : .invalidIDToken) }
            let account = try await account(behind: idToken)
            if isChange { try await requireRecentSignIn(idToken) }
            return (.account(account), account.email)
        }
        guard try body.text("email") != nil, let email = try body.email() else { throw .refused(.missingEmail) }
        return (.address(email), email)
    }

    private func actionCodeSettings() throws(ActionError) -> ActionCodeSettings {
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
