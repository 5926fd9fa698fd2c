internal import Accounts
internal import AppLinks
internal import WebURL

extension Project {
    /// Each of them is looked at for each link.
    private static let maxDomains = 1000

    /// The project with all of an admin's changes that are acceptable, and what is to be said against the others. Each is judged alone,
    /// and of a list each entry, so that one that became unacceptable neither stops a server from starting nor takes the others along.
    /// - Parameter speaks: whether a language is shipped.
    package func applying(
        _ settings: ProjectSettings, speaks: (String) -> Bool
    ) -> (project: Project, objections: [SettingsObjection]) {
        var project = self
        var objections: [SettingsObjection] = []
        func object(_ field: String, _ sentence: String) { objections.append(SettingsObjection(field: field, sentence: sentence)) }

        if let entries = settings.authorizedDomains, entries.count > Self.maxDomains {
            object(SettingsField.authorizedDomains, "There may be at most \(Self.maxDomains)")
        } else if let entries = settings.authorizedDomains {
            let read = self.authorizedDomains.replacingEntries(by: entries)
            project.authorizedDomains = read.domains
            for bad in read.refused { object(SettingsField.authorizedDomains, bad.explanation) }
        }
        project.signIn.apply(settings)
        project.hidesAccounts = settings.hidesAccounts ?? self.hidesAccounts
        for sentence in project.passwordPolicy.apply(settings) { object(SettingsField.passwordRules, sentence) }
        if let language = settings.language {
            if speaks(language) {
                project.language = language
            } else {
                object(SettingsField.language, "There are no words in that language; it must be one of Config/languages")
            }
        }
        if let text = settings.actionURL {
            do throws(InsecureURL) { project.actionURL = try WebURL(secure: text) } catch {
                object(SettingsField.actionURL, error.sentence)
            }
        }
        if let text = settings.linkDomain {
            if let domain = try? LinkDomain(text), self.linkDomains.contains(domain) {
                project.linkDomains = [domain] + self.linkDomains.filter { $0 != domain }
            } else {
                object(SettingsField.linkDomain, "It must be one of the link domains in the configuration file")
            }
        }
        for action in Action.allCases {
            let (template, refused) = settings[template: action].checked
            project.templates[action] = template
            for (name, sentence) in refused { object("\(SettingsField.template(action)).\(name)", sentence) }
        }
        return (project, objections)
    }
}

extension AuthorizedDomains {
    /// The same plain http and app schemes with other hosts, and those that cannot be hosts.
    func replacingEntries(by texts: [String]) -> (domains: AuthorizedDomains, refused: [BadEntry]) {
        var refused: [BadEntry] = []
        let read = texts.compactMap { text -> Entry? in
            do throws(BadEntry) { return try Entry(text) } catch {
                refused.append(error)
                return nil
            }
        }
        return (AuthorizedDomains(entries: read, plainHTTP: plainHTTP, appSchemes: appSchemes), refused)
    }
}

extension PasswordPolicy {
    /// Returns what is to be said against its lengths, which then stay as they are (S1, S2).
    fileprivate mutating func apply(_ settings: ProjectSettings) -> [String] {
        isEnforced = settings.enforcesPasswordPolicy ?? isEnforced
        forcesUpgradeAtSignIn = settings.forcesPasswordUpgrade ?? forcesUpgradeAtSignIn
        guard let rules = settings.passwordRules else { return [] }
        requires = rules.requires
        var objections: [String] = []
        // Below eight only where the file went first.
        let shortest = min(8, minimumLength)
        if let length = rules.minimumLength {
            if (shortest...64).contains(length) {
                minimumLength = length
            } else {
                objections.append("minPasswordLength must be from \(shortest) to 64")
            }
        }
        if let length = rules.maximumLength {
            if (64...4096).contains(length) {
                maximumLength = length
            } else {
                objections.append("maxPasswordLength must be from 64, so that passphrases fit, to 4096")
            }
        }
        return objections
    }
}

extension SignInMethods {
    /// Firebase knows *password* and *password or link*, the file also *link only*, which stays so until a password is required.
    fileprivate mutating func apply(_ settings: ProjectSettings) {
        let isLinkOnly = emailLink && !password
        let isOn = settings.signsInByEmail ?? (password || emailLink)
        let requiresPassword = settings.requiresPassword ?? !emailLink
        password = isOn && (requiresPassword || !isLinkOnly)
        emailLink = isOn && !requiresPassword
        anonymous = settings.signsInAnonymously ?? anonymous
    }
}
