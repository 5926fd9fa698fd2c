internal import Accounts
internal import Base

extension APIMethod {
    static let describeKey = APIMethod(
        "describeKey", source: .query, requiresAdmin: true, permissions: [], needsAccounts: false, isOfAnyProject: true,
        documentation: MethodDocumentation(
            summary: "The admin key that asks: what it may do, and in which projects.",
            response: [
                .always("actor", .text, "As audit records name it."),
                .always("permissions", .list(.choice(AdminScope.Permission.allCases.map(\.rawValue)))),
                .always("projects", .list(.object([.always("projectId", .text), .always("displayName", .text)]))),
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
                projects.map { .object(["projectId": .string($0.id.rawValue), "displayName": .string($0.displayName)]) }),
        ])
    }
}
