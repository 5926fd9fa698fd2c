import Accounts
import AppLinks
import Base
import Views
import Yams

extension Section {
    /// Reads the settings with defaults. They are read even without a project, to report their
    /// problems.
    func optionalSettings(of base: Project?, _ environment: Configuration.Environment?) -> Project? {
        let linkDomains = value("linkDomains") { value throws(SettingError) in try value.linkDomains() } ?? []
        let shortLinks = section("shortLinks") { section in section.shortLinks() } ?? ShortLinkSettings()
        let lifetimes = section("lifetimes") { section in section.lifetimes() } ?? Lifetimes()
        let policy = value("continuePolicy") { value throws(SettingError) in try value.continuePolicies() }
        let homeURL = value("homeURL") { value throws(SettingError) in try value.webURL() }
        let confirmBy = value("confirmBy") { value throws(SettingError) in try value.choice(of: Project.ConfirmBy.self) }
        let signIn = section("signIn") { section in section.signInMethods() } ?? SignInMethods()
        let secondFactors = section("secondFactors") { section in section.secondFactors() } ?? SecondFactorSettings()
        let textMessages = value("textMessages") { value throws(SettingError) in
            try value.section { section in section.textMessages(environment) }
        }
        if textMessages == nil, signIn.phone || secondFactors.phone {
            note("signIn.phone and secondFactors.phone require textMessages, with a webhook that sends them")
        }
        let signUps = value("signUp") { value throws(SettingError) in
            let choice = try value.choice(of: Project.SignUps.self)
            guard choice == .open || signIn.emailLink else { throw SettingError("byLink requires signIn.emailLink: true") }
            return choice
        }
        let shortest = base?.upstream == nil ? PasswordPolicy().minimumLength : PasswordPolicy.shortestOfUpstreams
        let passwords =
            section("passwords") { section in section.passwordPolicy(shortest: shortest) } ?? PasswordPolicy(minimumLength: shortest)
        let offersReset = value("resetAfterUndo") { value throws(SettingError) in try value.flag() }
        let hidesAccounts = value("hideAccounts") { value throws(SettingError) in try value.flag() }
        let language = value("language") { value throws(SettingError) in
            let tag = try value.text(matching: #/[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/#, "a language tag such as en or pt-BR")
            if let views = value.findings.views, views.language(matching: tag) == nil {
                throw SettingError("unknown language \"\(tag)\"; expected one of \(views.languages.map(\.code).joined(separator: ", "))")
            }
            return tag
        }
        let timeZone = value("timeZone") { value throws(SettingError) in try value.timeZone() }
        let serviceAccounts = value("serviceAccounts") { value throws(SettingError) in try value.serviceAccounts() } ?? []
        let providers = value("providers") { value throws(SettingError) in try value.providers(environment) } ?? [:]
        let audience = value("idTokenAudience") { value throws(SettingError) in try value.text() }
        let mail = section("mail") { section in section.projectMail() } ?? ProjectMail()
        let appearance = section("brand") { section in section.appearance() } ?? Appearance()

        guard var project = base else { return nil }
        project.linkDomains = linkDomains
        project.shortLinks = shortLinks
        project.lifetimes = lifetimes
        project.continuePolicy = policy ?? project.continuePolicy
        project.homeURL = homeURL
        project.confirmBy = confirmBy ?? project.confirmBy
        project.signUps = signUps ?? project.signUps
        project.signIn = signIn
        project.secondFactors = secondFactors
        project.textMessages = textMessages ?? nil
        project.passwordPolicy = passwords
        project.offersResetAfterUndo = offersReset ?? project.offersResetAfterUndo
        project.hidesAccounts = hidesAccounts ?? project.hidesAccounts
        project.language = language ?? project.language
        project.timeZone = timeZone ?? project.timeZone
        project.serviceAccounts = serviceAccounts
        project.providers = providers
        project.idTokenAudience = audience ?? project.idTokenAudience
        project.mail = mail
        project.appearance = appearance
        return project
    }

    private func shortLinks() -> ShortLinkSettings {
        var settings = ShortLinkSettings()
        settings.byAPIKey = value("byAPIKey") { value throws(SettingError) in try value.flag() } ?? settings.byAPIKey
        settings.maxByAPIKey =
            value("maxByAPIKey") { value throws(SettingError) in try value.count(in: 1...10_000_000) } ?? settings.maxByAPIKey
        return settings
    }

    private func lifetimes() -> Lifetimes {
        var lifetimes = Lifetimes()
        for action in Action.allCases {
            let span = value(action.rawValue) { value throws(SettingError) in
                try value.span(in: Lifetimes.shortest...Lifetimes.longest(for: action))
            }
            if let span { lifetimes[action] = span }
        }
        return lifetimes
    }

    private func signInMethods() -> SignInMethods {
        var methods = SignInMethods()
        methods.password = value("password") { value throws(SettingError) in try value.flag() } ?? methods.password
        methods.emailLink = value("emailLink") { value throws(SettingError) in try value.flag() } ?? methods.emailLink
        methods.phone = value("phone") { value throws(SettingError) in try value.flag() } ?? methods.phone
        methods.anonymous = value("anonymous") { value throws(SettingError) in try value.flag() } ?? methods.anonymous
        methods.sharesAddresses =
            value("sharedAddresses") { value throws(SettingError) in try value.flag() } ?? methods.sharesAddresses
        methods.keepsLastMethod =
            value("keepLastMethod") { value throws(SettingError) in try value.flag() } ?? methods.keepsLastMethod
        return methods
    }

    private func secondFactors() -> SecondFactorSettings {
        var settings = SecondFactorSettings()
        settings.totp = value("totp") { value throws(SettingError) in try value.flag() } ?? settings.totp
        settings.phone = value("phone") { value throws(SettingError) in try value.flag() } ?? settings.phone
        settings.recoveryCodes =
            value("recoveryCodes") { value throws(SettingError) in try value.flag() } ?? settings.recoveryCodes
        return settings
    }

    /// The password policy. Fewer than eight characters require allowShortPasswords (S1). A policy
    /// with more than lengths is enforced as in Firebase.
    /// - Parameter shortest: the default of `minimumLength`.
    private func passwordPolicy(shortest: Int) -> PasswordPolicy {
        var policy = PasswordPolicy(minimumLength: shortest)
        let allowsShort = value("allowShortPasswords") { value throws(SettingError) in try value.flag() } ?? false
        let length = value("minimumLength") { value throws(SettingError) in
            let length = try value.count(in: 6...64)
            guard length >= min(8, shortest) || allowsShort else {
                throw SettingError("a minimum below 8 requires allowShortPasswords: true")
            }
            return length
        }
        policy.minimumLength = length ?? policy.minimumLength
        policy.maximumLength =
            value("maximumLength") { value throws(SettingError) in try value.count(in: 64...4096) } ?? policy.maximumLength
        let requires = value("requires") { value throws(SettingError) in
            try value.list { item throws(SettingError) in try item.choice(of: CharacterClass.self) }
        }
        policy.requires = Set(requires ?? [])
        policy.forcesUpgradeAtSignIn = value("forceUpgradeAtSignIn") { value throws(SettingError) in try value.flag() } ?? false
        policy.isEnforced = !policy.requires.isEmpty || policy.forcesUpgradeAtSignIn
        return policy
    }

    private func appearance() -> Appearance {
        var appearance = Appearance()
        appearance.accent = value("accent") { value throws(SettingError) in
            let colour = try value.text()
            do throws(Accent.Refused) { _ = try Accent(light: colour) } catch { throw SettingError(error.description) }
            return colour
        }
        appearance.logo = value("logo") { value throws(SettingError) in
            let file = try value.text(matching: #/[A-Za-z0-9_\-][A-Za-z0-9_.\-]*/#, "the name of a file in Public/")
            do throws(ResourceError) { _ = try value.findings.views?.brand(name: nil, logo: file) } catch {
                throw SettingError("\(error)")
            }
            return file
        }
        appearance.help = value("help") { value throws(SettingError) in try value.helpAddress() }
        appearance.terms = value("terms") { value throws(SettingError) in try value.webURL().serialized }
        appearance.privacy = value("privacy") { value throws(SettingError) in try value.webURL().serialized }
        return appearance
    }
}

extension Setting {
    fileprivate func linkDomains() throws(SettingError) -> [LinkDomain] {
        try list { item throws(SettingError) in
            let text = try item.text()
            let domain: LinkDomain
            do throws(WebURL.ParseError) { domain = try LinkDomain(text) } catch {
                throw SettingError("expected a host such as links.example.com. \(error.explanation)")
            }
            try item.findings.claim(domain.origin, as: "link domain", by: item)
            return domain
        }
    }

    /// One step after every action, or a step by action.
    fileprivate func continuePolicies() throws(SettingError) -> ContinuePolicies {
        func single(_ value: Setting) throws(SettingError) -> ContinuePolicies {
            ContinuePolicies(try value.choice(of: Project.ContinuePolicy.self))
        }
        return try oneOf(node.mapping == nil, single) { value throws(SettingError) in try value.continuePoliciesByAction() }
    }

    private func continuePoliciesByAction() throws(SettingError) -> ContinuePolicies {
        try section { section in
            var policies = ContinuePolicies()
            for action in ContinuePolicies.configurable {
                let policy = section.value(action.rawValue) { value throws(SettingError) in
                    try value.choice(of: Project.ContinuePolicy.self)
                }
                policies[action] = policy ?? policies[action]
            }
            return policies
        }
    }

    /// The name of a time zone.
    fileprivate func timeZone() throws(SettingError) -> String {
        let name = try text()
        guard NamedTimeZone(name) != nil else {
            throw SettingError("expected the name of a time zone in the IANA database, such as Europe/Berlin or UTC")
        }
        return name
    }

    /// An e-mail address or an https URL.
    fileprivate func helpAddress() throws(SettingError) -> String {
        let text = try text()
        if let address = EmailAddress(text) { return address.value }
        guard let url = try? WebURL(text), url.scheme == "https" else { throw SettingError("expected an e-mail address or an https URL") }
        return url.serialized
    }
}
