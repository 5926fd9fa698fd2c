internal import AppLinks
internal import Base

extension Project {
    /// The maximum number of entries, because the check of a continue URL compares it with each.
    private static let maxDomains = 1000

    /// The project with an admin's usable changes, and an objection to each change that cannot be
    /// used.
    ///
    /// Each setting and each entry of a list is checked separately, so that one that is no longer
    /// usable neither prevents a server from starting nor disables the others.
    public func applying(
        _ settings: ProjectSettings, checks: SettingsChecks
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
        project.secondFactors.apply(settings)
        if let refuses = settings.refusesSignUps { project.signUps = refuses ? .closed : self.signUps == .closed ? .open : self.signUps }
        project.refusesDeletions = settings.refusesDeletions ?? self.refusesDeletions
        project.hidesAccounts = settings.hidesAccounts ?? self.hidesAccounts
        for sentence in project.passwordPolicy.apply(settings) { object(SettingsField.passwordRules, sentence) }
        if let language = settings.language {
            if checks.isShipped(language) {
                project.language = language
            } else {
                object(SettingsField.language, "It must be a language of Config/languages")
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
        for (id, set) in settings.providers.sorted(by: { $0.key < $1.key }) {
            do throws(ActionError) { project.providers[id] = try set.provider(id, over: self.providers[id]) } catch {
                // It was narrower than the file's, such as disabled.
                project.providers[id] = nil
                object("\(SettingsField.providers).\(id)", "It cannot be used with the configuration file: \(error)")
            }
        }
        for kind in LetterKind.allCases {
            let checked = checks.template(settings[template: kind], kind)
            project.templates[kind] = checked.template
            for objection in checked.objections { object("\(SettingsField.template(kind)).\(objection.field)", objection.sentence) }
        }
        return (project, objections)
    }
}

extension AuthorizedDomains {
    /// These domains with other entries for https, and the entries that cannot be used. The entries
    /// for plain http and the app schemes are kept.
    func replacingEntries(by texts: [String]) -> (domains: AuthorizedDomains, refused: [BadEntry]) {
        var (domains, refused): (AuthorizedDomains, [BadEntry]) = (self, [])
        domains.entries = texts.compactMap { text -> Entry? in
            do throws(BadEntry) { return try Entry(text) } catch {
                refused.append(error)
                return nil
            }
        }
        return (domains, refused)
    }
}

extension PasswordPolicy {
    /// Applies an admin's rules and returns the objections to their lengths; refused lengths keep
    /// their previous values (S1, S2).
    fileprivate mutating func apply(_ settings: ProjectSettings) -> [String] {
        isEnforced = settings.enforcesPasswordPolicy ?? isEnforced
        forcesUpgradeAtSignIn = settings.forcesPasswordUpgrade ?? forcesUpgradeAtSignIn
        guard let rules = settings.passwordRules else { return [] }
        requires = rules.requires
        var objections: [String] = []
        // Only the configuration file may set a minimum below eight.
        let shortest = min(8, minimumLength)
        if let length = rules.minimumLength {
            if (shortest...64).contains(length) {
                minimumLength = length
            } else {
                objections.append("minPasswordLength must be from \(shortest) to 64")
            }
        }
        if let length = rules.maximumLength {
            if (minimumLength...4096).contains(length) {
                maximumLength = length
            } else {
                objections.append("maxPasswordLength must be from minPasswordLength, which is \(minimumLength), to 4096")
            }
        }
        return objections
    }
}

extension SecondFactorSettings {
    /// Applies an admin's choice of what users may enrol; what they have stays in force.
    fileprivate mutating func apply(_ settings: ProjectSettings) {
        totp = (settings.offersTOTP ?? totp) && settings.offersSecondFactors != false
        phone = phone && settings.offersSecondFactors != false
        recoveryCodes = settings.givesRecoveryCodes ?? recoveryCodes
    }
}

extension SignInMethods {
    /// Applies an admin's choice between Firebase's settings *password* and *password or link*. If
    /// the file says *link only*, that remains in force until a password is required.
    fileprivate mutating func apply(_ settings: ProjectSettings) {
        let isLinkOnly = emailLink && !password
        let isOn = settings.signsInByEmail ?? (password || emailLink)
        let requiresPassword = settings.requiresPassword ?? !emailLink
        password = isOn && (requiresPassword || !isLinkOnly)
        emailLink = isOn && !requiresPassword
        anonymous = settings.signsInAnonymously ?? anonymous
        sharesAddresses = settings.sharesAddresses ?? sharesAddresses
        keepsLastMethod = settings.keepsLastMethod ?? keepsLastMethod
    }
}
