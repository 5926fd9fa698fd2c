internal import Accounts
internal import AppLinks
internal import Base
internal import HTTPTypes
internal import Views

/// The accounts, which a developer may search, disable, delete, and make links for.
extension DevPages {
    static let accountRoutes: [Route] = [
        route("/emulator/accounts", label: "devAccounts") { pages, request throws(ActionError) in try await pages.accountList(request) },
        route("/emulator/account", label: "devAccounts") { pages, request throws(ActionError) in
            guard let (project, profile) = try await pages.account(request["project"], request["id"]) else {
                return pages.notFound(request)
            }
            return pages.accountPage(profile, in: project)
        },
        form("/emulator/account", label: "devAccounts") { pages, request, form throws(ActionError) in
            guard let (project, profile) = try await pages.account(form["project"], form["id"]) else { return pages.notFound(request) }
            return try await pages.change(profile, in: project, as: form["do"] ?? "") ?? pages.notFound(request)
        },
    ]

    /// The most accounts that a search looks at, and that a page shows.
    private static let (maxSearched, maxShown) = (5_000, 200)

    /// The projects with pages of accounts: the one that clients are in, and others that were
    /// named.
    private var namedProjects: [ProjectID] { [projects.value.name(of: development.project)] + projects.separate }

    private func project(_ name: String?) -> Project? {
        let id = name.flatMap { name in namedProjects.first { $0.rawValue == name } } ?? development.project
        return projects.value[id]
    }

    private func account(_ project: String?, _ id: String?) async throws(ActionError) -> (Project, Accounts.Profile)? {
        guard let project = self.project(project), let id,
            let profile = try await accounts.profiles([.id(AccountID(rawValue: id))], in: project.id).first
        else { return nil }
        return (project, profile)
    }

    private func accountList(_ request: Request) async throws(ActionError) -> Response {
        guard let project = project(request["project"]) else { return notFound(request) }
        let search = request["q"]?.trimmed ?? ""
        let words = search.lowercased()
        let found = try await accounts.store.profiles(Accounts.PageRequest(limit: Self.maxSearched), in: project.id)
            .filter { profile in words.isEmpty || profile.searched.contains { $0.lowercased().contains(words) } }
            .sorted { $0.account.createdAt > $1.account.createdAt }
        return response(
            .accounts(
                DevAccounts(
                    brand: brand, accounts: found.prefix(Self.maxShown).map { shown($0, in: project) }, count: found.count, search: search,
                    projects: namedProjects.map(\.rawValue), project: projects.value.name(of: project.id).rawValue)))
    }

    private func accountPage(_ profile: Accounts.Profile, in project: Project, link: String? = nil) -> Response {
        var account = shown(profile, in: project)
        account.facts = profile.facts
        account.isDisabled = profile.account.disabled
        if profile.account.email != nil, !profile.account.disabled { account.actions = Self.linkActions }
        return response(.account(account, link: link, brand: brand))
    }

    /// The actions that a link is made for; others come with a change of the account.
    private static let linkActions = [
        DevAccount.LinkButton("Reset the password", Action.resetPassword.rawValue),
        DevAccount.LinkButton("Confirm the address", Action.verifyEmail.rawValue), DevAccount.LinkButton("Sign in", Action.signIn.rawValue),
    ]

    /// Applies the change of a button on the account's page; nil if there is no such button.
    private func change(_ profile: Accounts.Profile, in project: Project, as button: String) async throws(ActionError) -> Response? {
        let account = profile.account
        switch button {
        case "disable", "enable":
            var change = AccountChange()
            change.disabled = button == "disable"
            _ = try await accounts.update(account, with: change, byAdmin: true, from: .admin, in: project)
            return .seeOther(shown(profile, in: project).path)
        case "delete":
            try await accounts.erasure.delete(account)
            return .seeOther("/emulator/accounts?project=\(WebURL.percentEncoded(projects.value.name(of: project.id).rawValue))")
        default:
            guard let action = Self.linkActions.first(where: { $0.value == button }).flatMap({ Action(rawValue: $0.value) }),
                let email = account.email
            else { return nil }
            var settings = ActionCodeSettings()
            settings.url = Site.arrivalURL(after: action, at: origin.origin)
            var request = CodeRequest(action, for: .address(email), with: try ApprovedSettings(settings, in: project))
            (request.mails, request.isByAdmin) = (false, true)
            guard let issued = try await accounts.send(request) else { return nil }
            return accountPage(profile, in: project, link: issued.link)
        }
    }

    private func shown(_ profile: Accounts.Profile, in project: Project) -> DevAccount {
        let (name, id) = (projects.value.name(of: project.id).rawValue, profile.account.id.rawValue)
        return DevAccount(
            project: name, id: id, path: "/emulator/account?project=\(WebURL.percentEncoded(name))&id=\(WebURL.percentEncoded(id))",
            name: profile.name, remarks: profile.remarks)
    }
}

extension Accounts.Profile {
    fileprivate var name: String {
        account.email?.value ?? account.phoneNumber?.value ?? account.displayName
            ?? (isAnonymous ? "Anonymous account" : account.id.rawValue)
    }

    /// The texts that a search looks at.
    fileprivate var searched: [String] {
        [account.id.rawValue, account.email?.value, account.displayName, account.phoneNumber?.value].compactMap(\.self)
            + linkedProviders.flatMap { [$0.provider, $0.shownEmail, $0.screenName].compactMap(\.self) }
    }

    private var methods: [String] {
        let own = [
            (account.passwordHash != nil, "password"), (account.emailLinkSignIn, "link"), (account.phoneNumber != nil, "phone"),
        ]
        return own.filter(\.0).map(\.1) + linkedProviders.map(\.provider)
    }

    fileprivate var remarks: [String] {
        [
            account.disabled ? "disabled" : nil, account.email == nil ? nil : account.displayName,
            account.email == nil ? nil : account.emailVerified ? "confirmed" : "not confirmed",
            isAnonymous ? "anonymous" : methods.isEmpty ? "no way to sign in" : methods.joined(separator: ", "),
            secondFactors.isEmpty ? nil : "second factor",
        ].compactMap(\.self)
    }

    fileprivate var facts: [DevAccount.AccountFact] {
        let rows: [(String, String?)] = [
            ("User id", account.id.rawValue), ("Name", account.displayName),
            ("Address", account.email.map { $0.value + (account.emailVerified ? " (confirmed)" : " (not confirmed)") }),
            ("Phone", account.phoneNumber?.value), ("Signs in with", methods.isEmpty ? nil : methods.joined(separator: ", ")),
            (
                "Second factors",
                secondFactors.isEmpty
                    ? nil : secondFactors.map { $0.displayName ?? $0.phoneNumber ?? $0.kind.rawValue }.joined(separator: ", ")
            ),
            ("Claims", account.customAttributes),
        ]
        let times: [(String, Timestamp?)] = [("Created", account.createdAt), ("Last sign-in", account.lastLoginAt)]
        return rows.compactMap { name, value in value.map { DevAccount.AccountFact(name, $0) } }
            + times.compactMap { name, moment in moment.map { DevAccount.AccountFact(name, $0.iso8601, isTime: true) } }
    }
}
