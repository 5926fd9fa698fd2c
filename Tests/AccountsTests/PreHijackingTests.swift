import AppLinks
import Store
import Testing
import World
@testable import Accounts

/// The attacks of Sudhodanan and Paverd, "Pre-hijacked accounts" (USENIX Security 2022): a stranger
/// prepares an account with a victim's address, and waits until the victim comes.
@Suite struct `A pre-hijacked account` {
    /// The preparations of the stranger. `Docs/internal/Attacks.md` has the table.
    enum Attack: String, CaseIterable {
        case classicFederatedMerge = "classic-federated merge: a password"
        case unexpiredSession = "unexpired session identifier: a session that is refreshed"
        case trojanProvider = "trojan identifier: a provider of the stranger's own"
        case trojanPhone = "trojan identifier: a phone number"
        case trojanAddress = "trojan identifier: an address that was proved before"
        case unexpiredChange = "unexpired email change: a link that confirms another address"
        case unexpiredSignInLink = "unexpired email change: a sign-in link that joins the session's account"
        case nonVerifyingProvider = "non-verifying IdP: an account of a provider that verifies no address"
        case nonVerifyingProviderLinked = "non-verifying IdP: such a provider linked to an account without an address"
    }

    /// The ways into the victim's account that are tried afterwards, whatever was prepared.
    enum WayIn: CaseIterable { case password, refreshToken, idToken, provider, otherProvider, phone, changeLink, signInLink, undoLink }

    /// A4: where accounts are not hidden, an address that the stranger proved before has an undo
    /// link that outlives a reset, as `Docs/ThreatModel.md` says; a link or provider gives the
    /// victim a new account.
    @Test(arguments: Attack.allCases, Arrival.Way.allCases)
    func `gives the stranger no way in once its owner came`(_ attack: Attack, _ way: Arrival.Way) async throws {
        for hidden in [true, false] {
            let stage = try await Stage(hidden: hidden)
            try await stage.prepare(attack)
            let owners = try await stage.ownerArrives(by: way)
            let account = try #require(try await stage.world.stored(owners))
            #expect(account.email == stage.victim && account.emailVerified, "hidden: \(hidden)")
            let open = try await stage.waysIn(to: owners)
            #expect(open == (attack == .trojanAddress && way == .reset && !hidden ? [.undoLink] : []), "hidden: \(hidden)")
        }
    }

    /// V12: what the stranger prepares before or after an admin invites the victim. An account that
    /// someone can enter is left as it is, and its address gets no link.
    @Test(arguments: Attack.allCases, [true, false])
    func `gives the stranger no way in to the account of an invitation`(_ attack: Attack, _ isInvitedFirst: Bool) async throws {
        for hidden in [true, false] {
            let stage = try await Stage(hidden: hidden)
            var link = isInvitedFirst ? try await stage.invite() : nil
            // Much of it is refused for an address that is taken.
            do { try await stage.prepare(attack) } catch { guard isInvitedFirst else { throw error } }
            if !isInvitedFirst { link = try await stage.invite() }
            guard let link else {
                #expect(!isInvitedFirst)
                continue
            }
            let owners = try await stage.accept(link)
            #expect(try await stage.world.stored(owners)?.emailVerified == true, "hidden: \(hidden)")
            #expect(try await stage.waysIn(to: owners) == [], "hidden: \(hidden)")
        }
    }

    /// The preparations are real: without the owner, they let the stranger in.
    @Test(arguments: Attack.allCases) func `is open to the stranger before`(_ attack: Attack) async throws {
        let stage = try await Stage(hidden: false)
        try await stage.prepare(attack)
        #expect(try await !stage.waysIn(to: stage.account()).isEmpty)
    }
}

private final class Stage {
    let world: World
    let victim = EmailAddress("victim@app.example")!
    private let strangers = EmailAddress("stranger@evil.example")!
    private let password = "the stranger's phrase"
    private let phone = PhoneNumber("+15005550199")!
    private let accounts: Accounts
    private var tokens: [IssuedTokens] = []
    private var changeLink, signInLink, undoLink: OobCode?

    init(hidden: Bool) async throws {
        world = try await World { $0.hidesAccounts = hidden }
        accounts = world.accounts(signedWith: nil)
    }

    private func identity(_ provider: String, _ email: EmailAddress, verified: Bool) -> VerifiedIdentity {
        VerifiedIdentity(
            provider: provider, rawID: "\(provider) \(email.value)", email: email, isEmailVerified: verified,
            profile: .init(fullName: "Stranger"), rawUserInfo: "{}")!
    }

    /// The account that has the victim's address.
    func account() async throws -> AccountID { try #require(try await holder(of: victim)).id }

    private func holder(of email: EmailAddress) async throws -> Account? {
        let project = world.project.id
        return try await world.store.read { (records) throws(ActionError) in
            try records.account(withEmail: email, in: project)
        }
    }

    // MARK: The stranger

    func prepare(_ attack: `A pre-hijacked account`.Attack) async throws {
        switch attack {
        case .classicFederatedMerge, .unexpiredSession: try await signUp(victim)
        case .trojanProvider:
            _ = try await world.accounts.link(
                identity("google.com", strangers, verified: true), to: try await signUp(victim), in: world.project)
        case .trojanPhone:
            var account = try await signUp(victim)
            account.setPhoneNumber(phone, at: world.clock.now())
            let linked = account
            try await world.store.transaction { (records) throws(ActionError) in try records.update(linked) }
        case .trojanAddress: try await signUpThroughOwnAddress()
        case .unexpiredChange:
            var request = CodeRequest(
                .verifyAndChangeEmail, for: .account(try await signUp(victim)), with: ApprovedSettings(in: world.project))
            request.newEmail = strangers
            changeLink = try await world.accounts.send(request)?.code
        case .unexpiredSignInLink:
            try await signUp(victim)
            signInLink = try await world.accounts.send(
                CodeRequest(.signIn, for: .address(strangers), with: ApprovedSettings(in: world.project)))?.code
        case .nonVerifyingProvider:
            let signIn = try await world.accounts.signIn(identity("github.com", victim, verified: false), in: world.project)
            guard case .signedIn(let account, _) = signIn else { throw Missing() }
            try await open(account, by: .provider("github.com"))
        case .nonVerifyingProviderLinked:
            let account = try await world.account(nil, id: "made in advance")
            try await open(account, by: .anonymous)
            try await open(
                try await world.accounts.link(identity("github.com", victim, verified: false), to: account, in: world.project),
                by: .provider("github.com"))
        }
    }

    @discardableResult
    private func signUp(_ email: EmailAddress) async throws -> Account {
        var new = NewAccount(project: world.project.id)
        (new.email, new.password) = (email, password)
        let account = try await accounts.signUp(new, policy: world.project.passwordPolicy)
        try await open(account, by: .password)
        return account
    }

    private func open(_ account: Account, by provider: SignInProvider) async throws {
        tokens.append(try await accounts.openSession(for: account, by: provider))
    }

    /// The stranger proves an address first, and then puts the victim's on the account. Where
    /// accounts are hidden, that is refused, and the stranger makes another account.
    private func signUpThroughOwnAddress() async throws {
        let account = try await signUp(strangers)
        let request = CodeRequest(.verifyEmail, for: .account(account), with: ApprovedSettings(in: world.project))
        try await world.redeem(try #require(try await world.accounts.send(request)?.code))
        var change = AccountChange()
        change.email = victim
        do {
            try await open(try await world.accounts.update(account, with: change, in: world.project).account, by: .password)
            undoLink = try await world.mailedCode(.recoverEmail)
        } catch let error as ActionError {
            guard error.refusal == .operationNotAllowed, world.project.hidesAccounts else { throw error }
            try await signUp(victim)
        }
    }

    // MARK: The owner

    func ownerArrives(by way: Arrival.Way) async throws -> AccountID {
        world.clock.advance(by: .seconds(3600))
        if way == .provider {
            let signIn = try await world.accounts.signIn(identity("apple.com", victim, verified: true), in: world.project)
            guard case .signedIn(let account, _) = signIn else { throw Missing() }
            return account.id
        }
        let request = CodeRequest(
            way == .link ? .signIn : .resetPassword, for: .address(victim), with: ApprovedSettings(in: world.project))
        let code = try #require(try await world.accounts.send(request)?.code)
        guard way == .link else { return try #require(try await world.redeem(code, with: .newPassword("a quiet long phrase")).account) }
        return try await world.accounts.signIn(try await world.inspect(code).pending(), as: victim).account.id
    }

    /// - Returns: nil if the account was left as it is.
    func invite() async throws -> OobCode? {
        world.clock.advance(by: .seconds(3600))
        return try await world.accounts.invite(victim, with: ApprovedSettings(in: world.project)).link?.code
    }

    func accept(_ invitation: OobCode) async throws -> AccountID {
        world.clock.advance(by: .seconds(3600))
        return try #require(try await world.redeem(invitation, with: .newPassword("a quiet long phrase")).account)
    }

    // MARK: The ways in

    func waysIn(to owners: AccountID) async throws -> [`A pre-hijacked account`.WayIn] {
        var open: [`A pre-hijacked account`.WayIn] = []
        for way in `A pre-hijacked account`.WayIn.allCases {
            for account in await attempts(way) where account == owners && !open.contains(way) { open.append(way) }
        }
        return open
    }

    /// The accounts that a way leads into.
    private func attempts(_ way: `A pre-hijacked account`.WayIn) async -> [AccountID] {
        let project = world.project
        switch way {
        case .password:
            return await found {
                try await self.accounts.signIn(email: self.victim, password: self.password, in: project.id, hidesAccounts: true).id
            }
        case .refreshToken:
            var all: [AccountID] = []
            for tokens in tokens { all += await found { try await self.accounts.refresh(tokens.refreshToken, in: project).account.id } }
            return all
        case .idToken:
            var all: [AccountID] = []
            for tokens in tokens { all += await found { try await self.accounts.account(behind: tokens.idToken, in: project.id).id } }
            return all
        case .provider: return await found { try await self.signedIn(self.identity("google.com", self.strangers, verified: true)) }
        case .otherProvider: return await found { try await self.signedIn(self.identity("github.com", self.victim, verified: false)) }
        case .phone:
            let phone = phone
            return await found {
                try await self.world.store.read { (records) throws(ActionError) in
                    try records.account(withPhoneNumber: phone, in: project.id)?.id
                }
            }
        case .changeLink: return await found { try await self.pressed(self.changeLink) }
        case .undoLink: return await found { try await self.pressed(self.undoLink) }
        case .signInLink:
            return await found {
                guard let code = self.signInLink, let idToken = self.tokens.last?.idToken else { return nil }
                let account = try await self.accounts.account(behind: idToken, in: project.id)
                let pending = try await self.world.inspect(code).pending()
                return try await self.world.accounts.signIn(pending, as: self.strangers, linking: account).account.id
            }
        }
    }

    private func signedIn(_ identity: VerifiedIdentity) async throws -> AccountID? {
        guard case .signedIn(let account, _) = try await world.accounts.signIn(identity, upTo: .known, in: world.project) else {
            return nil
        }
        return account.id
    }

    private func pressed(_ code: OobCode?) async throws -> AccountID? {
        guard let code else { return nil }
        return try await world.redeem(code).account
    }

    /// A refusal leads nowhere.
    private func found(_ work: () async throws -> AccountID?) async -> [AccountID] { [try? await work()].compactMap { $0 ?? nil } }
}
