internal import Accounts
internal import AppLinks
internal import Base

extension APIMethod {
    static let getProjectConfig = APIMethod(
        "getProjectConfig", source: .query, permissions: [.read],
        documentation: MethodDocumentation(
            summary: "What a client must know about the project before a sign-in; for admins more.",
            response: [
                .always("projectId", .text), .always("authorizedDomains", .list(.text)), Property("apiKey", .text),
                Property("allowPasswordUser", .flag), Property("enableAnonymousUser", .flag), Property("dynamicLinksDomain", .text),
                Property("useEmailSending", .flag),
            ]
                + ["resetPasswordTemplate", "verifyEmailTemplate", "changeEmailTemplate", "revertSecondFactorAdditionTemplate"].map {
                    Property($0, .shared(.template))
                }),
        run: { (call) throws(ActionError) in call.getProjectConfig() })
}

extension Call {
    /// `GET projects`: what a client must know about the project before a sign-in, and more for
    /// admins.
    func getProjectConfig() -> JSON {
        // Apple's SDK opens the handler on a host of this list only.
        let own = [toolkit.origin.host?.serialized].compactMap(\.self)
        let hosts = project.authorizedDomains.hosts
        let clients: KeyValuePairs<String, JSON?> = [
            "projectId": .string(projectName),
            "authorizedDomains": .array((hosts + own.filter { !hosts.contains($0) }).map { .string($0) }),
        ]
        guard caller.isAdmin, case .object(let members) = JSON.object(clients) else { return .object(clients) }
        let admins = JSON.object([
            "apiKey": .string(toolkit.projects.value.linkKey(of: project)),
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

    /// Source: Identity Toolkit v1 `EmailTemplate`; v2 has other names.
    private func template(_ action: Action) -> JSON? {
        project.templates[.action(action)].map { template in
            .object([
                "subject": .string(ifAny: template.subject), "body": .string(ifAny: template.body),
                "format": template.body.map { _ in .string((template.format ?? .text).rawValue) },
                "from": .string(ifAny: template.senderLocalPart), "fromDisplayName": .string(ifAny: template.senderDisplayName),
                "replyTo": .string(ifAny: template.replyTo), "customized": .bool(template.isCustomized),
            ])
        }
    }
}
