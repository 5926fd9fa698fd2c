internal import Accounts
internal import EmailActions

/// What test code switched over the emulator's `config`, for as long as the process lives.
actor EmulatorConfig {
    private var hidesAccounts: [ProjectID: Bool] = [:]

    /// Brings a project to what was switched.
    func adjust(_ project: inout Project) { project.hidesAccounts = hidesAccounts[project.id] ?? project.hidesAccounts }

    /// Touches only what the patch names. Refuses duplicate addresses, which Onward never allows.
    func patch(_ project: ProjectID, with patch: Fields) throws(ActionError) {
        guard try patch.object("signIn")?.bool("allowDuplicateEmails") != true else {
            throw .refused(.operationNotAllowed, detail: "Accounts always have addresses of their own here")
        }
        if let hides = try patch.object("emailPrivacyConfig")?.bool("enableImprovedEmailPrivacy") { hidesAccounts[project] = hides }
    }
}
