internal import Accounts
internal import AppLinks
internal import EmailActions
internal import JSON

extension Call {
    /// `GET projects`: what a client has to know of the project before anyone signs in; for admins what there is besides.
    func getProjectConfig() -> JSON {
        let clients: KeyValuePairs<String, JSON?> = [
            "projectId": .string(project.id.rawValue),
            "authorizedDomains": .array(project.authorizedDomains.hosts.map { .string($0) }),
        ]
        guard caller.isAdmin, case .object(let members) = JSON.object(clients) else { return .object(clients) }
        let admins = JSON.object([
            "apiKey": .string(site.projects.linkKey(of: project)),
            "allowPasswordUser": .bool(project.signIn.password),
            "enableAnonymousUser": .bool(project.signIn.anonymous),
            "dynamicLinksDomain": .string(ifAny: project.linkDomains.first?.authority),
            "useEmailSending": .bool(true),
            "resetPasswordTemplate": template(.resetPassword),
            "verifyEmailTemplate": template(.verifyEmail),
            "changeEmailTemplate": template(.recoverEmail),
            "revertSecondFactorAdditionTemplate": template(.revertSecondFactorAddition),
        ])
        guard case .object(let more) = admins else { return admins }
        return .object(members + more)
    }

    /// Source: Identity Toolkit v1 `EmailTemplate`, whose names are not those of v2.
    private func template(_ action: Action) -> JSON? {
        project.templates[action].map { template in
            .object([
                "subject": .string(ifAny: template.subject), "body": .string(ifAny: template.body),
                "format": template.body.map { _ in .string((template.format ?? .text).rawValue) },
                "from": .string(ifAny: template.senderLocalPart), "fromDisplayName": .string(ifAny: template.senderDisplayName),
                "replyTo": .string(ifAny: template.replyTo), "customized": .bool(template.isCustomized),
            ])
        }
    }
}
