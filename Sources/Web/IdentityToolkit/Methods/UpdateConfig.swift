internal import Accounts
internal import Base

extension APIMethod {
    static let getConfig = APIMethod(
        "getConfig", source: .query, requiresAdmin: true, permissions: [.read],
        documentation: MethodDocumentation(
            summary: "The settings of the project: the configuration file's, with the changes by admins.", response: config),
        run: { (call) throws(ActionError) in ConfigField.config(of: call.project, named: call.projectName) })

    static let updateConfig = APIMethod(
        "updateConfig", requiresAdmin: true, maxBodyBytes: 1 << 20,
        documentation: MethodDocumentation(
            summary: "Changes settings at once. Settings that this server does not have are refused unless they are off.",
            fields: ConfigField.properties(of: ConfigField.all),
            parameters: [
                Property("updateMask", .text, "Comma-separated paths: only these are set, or reset if the body does not have them.")
            ],
            response: config, refusals: [.invalidConfig, .operationNotAllowed]),
        run: { (call) throws(ActionError) in try await call.updateConfig() })

    private static let config = [.always("name", .text)] + ConfigField.properties(of: ConfigField.all)
}

extension Call {
    /// `PATCH projects/{p}/config`: stores the changes of an admin, which are in force before the
    /// response. Returns the whole configuration.
    func updateConfig() async throws(ActionError) -> JSON {
        try NotConfigurable.check(body, mask: mask)
        let change = try ConfigField.change(ConfigField.all, by: body, mask: mask)
        return ConfigField.config(of: try await toolkit.projects.change(project.id, by: change), named: projectName)
    }
}
