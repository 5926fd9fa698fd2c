internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `PATCH projects/{p}/config`: what an admin changes is stored, and in force before the answer. Answers the whole configuration.
    func updateConfig() async throws(ActionError) -> JSON {
        try NotConfigurable.check(body, mask: mask)
        let change = try ConfigField.change(ConfigField.all, by: body, mask: mask)
        return ConfigField.config(of: try await site.currentProjects.change(project.id, by: change))
    }
}
