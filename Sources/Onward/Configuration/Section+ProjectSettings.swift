import Accounts
import AppLinks
import EmailActions
import Views
import WebURL
import Yams

extension Section {
    /// Sets what has a default. Without a project it is read all the same, for its problems.
    func optionalSettings(of base: Project?) -> Project? {
        let linkDomains = value("linkDomains") { value throws(Fault) in try value.linkDomains() } ?? []
        let lifetimes = section("lifetimes") { section in section.lifetimes() } ?? Lifetimes()
        let policy = value("continuePolicy") { value throws(Fault) in try value.choice(of: Project.ContinuePolicy.self) }
        let signIn = section("signIn") { section in section.signInMethods() } ?? SignInMethods()
        let passwords = section("passwords") { section in section.passwordPolicy() } ?? PasswordPolicy()
        let hidesAccounts = value("hideAccounts") { value throws(Fault) in try value.flag() }
        let language = value("language") { value throws(Fault) in
            try value.text(matching: #/[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/#, "a language tag such as en or pt-BR")
        }
        let serviceAccounts = value("serviceAccounts") { value throws(Fault) in try value.serviceAccounts() } ?? []
        let audience = value("idTokenAudience") { value throws(Fault) in try value.text() }
        let appearance = section("brand") { section in section.appearance() } ?? Appearance()

        guard var project = base else { return nil }
        project.linkDomains = linkDomains
        project.lifetimes = lifetimes
        project.continuePolicy = policy ?? project.continuePolicy
        project.signIn = signIn
        project.passwordPolicy = passwords
        project.hidesAccounts = hidesAccounts ?? project.hidesAccounts
        project.language = language ?? project.language
        project.serviceAccounts = serviceAccounts
        project.idTokenAudience = audience ?? project.idTokenAudience
        project.appearance = appearance
        return project
    }

    private func lifetimes() -> Lifetimes {
        var lifetimes = Lifetimes()
        for action in Action.allCases {
            let span = value(action.rawValue) { value throws(Fault) in
                try value.span(in: Lifetimes.shortest...Lifetimes.longest(for: action))
            }
            if let span { lifetimes[action] = span }
        }
        return lifetimes
    }

    private func signInMethods() -> SignInMethods {
        var methods = SignInMethods()
        methods.password = value("password") { value throws(Fault) in try value.flag() } ?? methods.password
        methods.emailLink = value("emailLink") { value throws(Fault) in try value.flag() } ?? methods.emailLink
        methods.anonymous = value("anonymous") { value throws(Fault) in try value.flag() } ?? methods.anonymous
        return methods
    }

    /// Fewer than eight characters only by a second, explicit word (S1). Who asks for more than lengths has Firebase's policy enforced.
    private func passwordPolicy() -> PasswordPolicy {
        var policy = PasswordPolicy()
        let allowsShort = value("allowShortPasswords") { value throws(Fault) in try value.flag() } ?? false
        let length = value("minimumLength") { value throws(Fault) in
            let length = try value.count(in: 6...64)
            guard length >= 8 || allowsShort else {
                throw Fault("passwords shorter than 8 need allowShortPasswords: true beside it")
            }
            return length
        }
        policy.minimumLength = length ?? policy.minimumLength
        policy.maximumLength = value("maximumLength") { value throws(Fault) in try value.count(in: 64...4096) } ?? policy.maximumLength
        let requires = value("requires") { value throws(Fault) in
            try value.list { item throws(Fault) in try item.choice(of: CharacterClass.self) }
        }
        policy.requires = Set(requires ?? [])
        policy.forcesUpgradeAtSignIn = value("forceUpgradeAtSignIn") { value throws(Fault) in try value.flag() } ?? false
        policy.isEnforced = !policy.requires.isEmpty || policy.forcesUpgradeAtSignIn
        return policy
    }

    private func appearance() -> Appearance {
        var appearance = Appearance()
        appearance.accent = value("accent") { value throws(Fault) in
            let colour = try value.text()
            do throws(Accent.Refused) { _ = try Accent(light: colour) } catch { throw Fault(error.description) }
            return colour
        }
        appearance.logo = value("logo") { value throws(Fault) in
            try value.text(matching: #/[A-Za-z0-9_\-][A-Za-z0-9_.\-]*/#, "the name of a file in Public/")
        }
        appearance.help = value("help") { value throws(Fault) in try value.helpAddress() }
        return appearance
    }
}

extension Setting {
    fileprivate func linkDomains() throws(Fault) -> [LinkDomain] {
        try list { item throws(Fault) in
            let text = try item.text()
            let domain: LinkDomain
            do throws(WebURL.Unreadable) { domain = try LinkDomain(text) } catch {
                throw Fault("expected a host such as links.example.com. \(error.explanation)")
            }
            try item.findings.claim(domain.linksURL.origin, as: "link domain", by: item)
            return domain
        }
    }

    /// An e-mail address or an https URL.
    fileprivate func helpAddress() throws(Fault) -> String {
        let text = try text()
        if EmailAddress(text) != nil { return text }
        guard let url = try? WebURL(text), url.scheme == "https" else { throw Fault("expected an e-mail address or an https URL") }
        return url.serialized
    }
}
