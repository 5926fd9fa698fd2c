internal import Accounts
internal import Base

extension APIMethod {
    static let describeKey = APIMethod(
        "describeKey", source: .query, requiresAdmin: true, permissions: [], needsAccounts: false, isOfAnyProject: true, errorStyle: .ours,
        documentation: MethodDocumentation(
            summary: "The admin key that asks: what it may do, and in which projects.",
            response: [
                .always("actor", .text, "As audit records name it."),
                .always("permissions", .list(.choice(AdminScope.Permission.allCases.map(\.rawValue)))),
                .always(
                    "projects",
                    .list(
                        .object([
                            .always("projectId", .text), .always("displayName", .text),
                            .always("authorizedDomains", .list(.text), "Where links may lead, as they are configured."),
                            .always("allowPasswordSignup", .flag, "Whether users may have passwords."),
                            .always("enableEmailLinkSignin", .flag, "Whether users may sign in by links."),
                        ]))),
            ]),
        run: { (call) throws(ActionError) in call.describeKey() })
}

extension Call {
    /// `v1/adminKey`.
    func describeKey() -> JSON {
        guard let admin = caller.admin else { return .object([:]) }
        let projects = toolkit.projects.value.all.filter { admin.scope.includes($0.id) }
        return .object([
            "actor": .string("\(admin)"),
            "permissions": .array(AdminScope.Permission.allCases.filter(admin.scope.permits).map { .string($0.rawValue) }),
            "projects": .array(
                projects.map { project in
                    .object([
                        "projectId": .string(project.id.rawValue), "displayName": .string(project.displayName),
                        "authorizedDomains": .array(project.authorizedDomains.texts.map { .string($0) }),
                        "allowPasswordSignup": .bool(project.signIn.password), "enableEmailLinkSignin": .bool(project.signIn.emailLink),
                    ])
                }),
        ])
    }
}
