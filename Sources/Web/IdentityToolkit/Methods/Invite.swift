internal import Accounts
internal import Base

extension APIMethod {
    static let invite = APIMethod(
        "invite", requiresAdmin: true, permissions: [.write, .createLinks], errorStyle: .ours,
        documentation: MethodDocumentation(
            summary: "Invites a person: makes an account and mails a link to the choice of its password. Or withdraws an invitation.",
            adminFields: [
                Property("email", .text, "Required."), Property("displayName", .text),
                Property("languageCode", .text, "Of the mail. Default: that of the caller, of the account, or of the project."),
                Property("returnOobLink", .flag, "Return the link in the response and mail nothing."),
                Property(
                    "withdraw", .flag, "End the links, and delete the account if the invitation made it and no one has entered it."),
            ] + .actionCodeSettings,
            response: [
                .always("localId", .text), .always("email", .text),
                Property("oobLink", .text, "With `returnOobLink`, unless someone has entered the account, or can: it is left as it is."),
                Property("mailed", .flag, "Whether a mail waits to be sent."),
                Property("deleted", .flag, "With `withdraw`: whether the account was deleted."),
            ],
            refusals: [.missingEmail, .invalidEmail, .userDisabled, .userNotFound, .passwordLoginDisabled, .unauthorizedDomain]),
        run: { (call) throws(ActionError) in try await call.invite() })
}

extension Call {
    /// `accounts:invite`.
    func invite() async throws(ActionError) -> JSON {
        guard let email = try body.email() else { throw .refused(.missingEmail) }
        guard try body.bool("withdraw") != true else {
            let (account, isDeleted) = try await accounts.withdrawInvitation(of: email, in: project)
            return .object(["localId": .string(account.rawValue), "email": .string(email.value), "deleted": .bool(isDeleted)])
        }
        let returnsLink = try body.bool("returnOobLink") ?? false
        let invited = try await accounts.invite(
            email, named: try body.profile("displayName"), with: try ApprovedSettings(try actionCodeSettings(), in: project),
            in: try languageCode(), mails: !returnsLink, apiKey: caller.apiKey)
        return .object([
            "localId": .string(invited.id.rawValue), "email": .string(email.value),
            "oobLink": returnsLink ? .string(ifAny: invited.link?.link) : nil,
            "mailed": returnsLink ? nil : .bool(invited.isMailed),
        ])
    }
    private func languageCode() throws(ActionError) -> String? {
        guard let text = try body.text("languageCode") else { return language }
        guard let tag = LanguageTag.tag(in: text) else {
            throw .refused(.invalidArgument, detail: "languageCode must be the tag of a language, such as de or pt-BR")
        }
        return tag
    }
}
