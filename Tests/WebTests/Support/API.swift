import Accounts
import Base
import Foundation
import HTTPTypes
import Logging
import Remote
import Store
import Synchronization
import Testing
import Views
import World
@testable import Web

/// The Identity Toolkit over its own world, with a few accounts that signed up a day ago.
struct API: Sendable {
    /// Variations of the installation; an exchange names them in its first line.
    enum Variation: String, CaseIterable {
        case production, unsignedTokens, ownIssuer, hidesAccounts, signUpsByLink, withoutPasswords, withoutAnonymous, withoutEmailLinks,
            strictPasswords, linksByClients, keepsLastMethod, withoutSecondFactors, recoveryCodes, withoutPhones, closed, withoutDeletions
        /// Hedy's account was merged into Grace's.
        case merged
        /// Production, through its admin listener.
        case adminListener
        /// Production with a console that has its own listener, through that.
        case consoleListener
        /// Development in which pages of every origin may be admin.
        case trustsEveryOrigin
        /// Every attempt is admitted once in 90 seconds, and an exchange is the second attempt.
        case limited
    }

    static let password = "correct horse battery"
    static let key = "shop-key"

    let world: World
    let site: Site
    private let listener: ListenerRole
    private let issued = Issued()
    private let bearers = Bearers()
    /// The bearer tokens that were looked up as admin keys.
    var lookedUpBearers: [String] { bearers.all.withLock { $0 } }
    let texts = SentTexts()

    /// - Parameters:
    ///   - audit: the audit store; nil for the world's own.
    ///   - limits: the limits of the new world; by default those of the variation, or none.
    ///   - feedback: receives the reports of mail providers; by default all are refused.
    ///   - change: changes the project.
    init(
        _ variations: Set<Variation> = [], audit: (any AuditStore)? = nil, meters: Meters = .none,
        limits: (World) -> Limits? = { _ in nil }, state: @escaping ServerState.Read = ServerState.none,
        feedback: @escaping ReceiveFeedback = { _ throws(ActionError) in .unauthentic }, helperPages: any HelperPages = NoHelperPages(),
        wellKnown: WellKnownAddresses = WellKnownAddresses(),
        change: (inout Project) throws -> Void = { _ in }
    ) async throws {
        let isProduction = !variations.isDisjoint(with: [.production, .adminListener, .consoleListener])
        listener = variations.contains(.adminListener) ? .admin : variations.contains(.consoleListener) ? .console : .front
        let world = try await World { project in
            project.passwordPolicy = PasswordPolicy(minimumLength: 6, common: try CommonPasswords(text: "[exact]\npassword"))
            if variations.contains(.strictPasswords) {
                project.passwordPolicy.minimumLength = 8
                project.passwordPolicy.maximumLength = 64
                project.passwordPolicy.requires = Set(CharacterClass.allCases)
                project.passwordPolicy.isEnforced = true
                project.passwordPolicy.forcesUpgradeAtSignIn = true
            }
            project.hidesAccounts = variations.contains(.hidesAccounts)
            project.signUps = variations.contains(.closed) ? .closed : variations.contains(.signUpsByLink) ? .byLink : .open
            project.refusesDeletions = variations.contains(.withoutDeletions)
            project.signIn.password = !variations.contains(.withoutPasswords)
            project.signIn.anonymous = !variations.contains(.withoutAnonymous)
            project.signIn.emailLink = !variations.contains(.withoutEmailLinks)
            project.secondFactors.totp = !variations.contains(.withoutSecondFactors)
            if !variations.contains(.withoutPhones) {
                project.signIn.phone = true
                project.secondFactors.phone = project.secondFactors.totp
                var settings = TextMessageSettings(callingCodes: ["+1555", "+49"])
                settings.testCodes = [try #require(PhoneNumber("+16505550100")): "123456"]
                project.textMessages = settings
            }
            project.secondFactors.recoveryCodes = variations.contains(.recoveryCodes)
            project.shortLinks.byAPIKey = variations.contains(.linksByClients)
            project.signIn.keepsLastMethod = variations.contains(.keepsLastMethod)
            project.providers["github.com"] = IdentityProvider(id: "github.com", clientIDs: ["shop"], clientSecret: "shop-secret")
            project.providers["oidc.acme"] = IdentityProvider(id: "oidc.acme", clientIDs: ["shop"], url: "https://login.acme.example")
            project.serviceAccounts = [try Signer.backEnd.account()]
            project.authorizedDomains.acceptsPrivateHosts = !isProduction
            try change(&project)
        }
        let configured = isProduction ? Projects([world.project]) : .development(sample: world.project)
        let projects = world.current(configured)
        let (issued, bearers) = (issued, bearers)
        let views = try Visitor.views.get()
        let mode: Site.Mode =
            if isProduction {
                .production(
                    Site.Production(
                        audit: Audit(store: audit ?? world.store) { _, _ in }, adminHosts: ["127.0.0.1", "[fd12::1]", "localhost"],
                        console: variations.contains(.consoleListener) ? .listener(hosts: ["127.0.0.1", "localhost"]) : .origin
                    ) {
                        bearer in
                        bearers.all.withLock { $0.append(bearer) }
                        return Self.admin(of: bearer)
                    })
            } else {
                .development(
                    Site.Development(
                        inbox: StoreInbox(world: world, issued: issued, texts: texts), compose: World.compose, encode: World.encode,
                        sampleAccounts: [],
                        project: world.project.id,
                        apiKey: Self.key, trustsEveryOrigin: variations.contains(.trustsEveryOrigin)))
            }
        let quiet = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        let limits = variations.contains(.limited) ? world.limits(of: 1) : limits(world)
        site = Site(
            mode: mode, origin: try WebURL("https://auth.example"), projects: projects,
            accounts: world.accounts(
                signedWith: variations.contains(.unsignedTokens) ? nil : try await world.signingKeys(),
                names: variations.contains(.ownIssuer) ? TokenNames(issuer: "https://auth.example") : TokenNames(),
                isDevelopment: !isProduction, linkKey: { projects.value.linkKey(of: $0) }, limits: limits,
                observe: { event in
                    meters.codes.count(event)
                    if case .issued(let code) = event { issued.add(code) }
                }),
            views: views, brands: try Brands(configured, views: views),
            credentials: ProviderVerifier(
                clients: ProviderClients(uptime: world.clock.uptime, logger: quiet), secrets: world.secrets, now: world.clock.now,
                acceptsUnsigned: !isProduction,
                logger: quiet),
            helperPages: helperPages, textMessages: texts, secrets: world.secrets, wellKnown: wellKnown,
            meters: meters, feedback: feedback,
            ready: {}, state: state,
            logger: quiet)
        self.world = world
        try await settle()
        if variations.contains(.merged) {
            let merge = Merge(into: AccountID(rawValue: "grace"), from: AccountID(rawValue: "hedy"))
            _ = try await site.identityToolkit.accounts.merging.merge(merge, in: world.project.id, language: "en")
        }
    }

    /// The admin of `admin-key`, or of one with a narrower scope, such as `admin-key read:shop`.
    private static func admin(of bearer: String) -> Admin? {
        guard bearer == "admin-key" || bearer.hasPrefix("admin-key ") else { return nil }
        let words = bearer.dropFirst("admin-key ".count).split(separator: ":").map(String.init)
        var scope = AdminScope.usual
        if let names = words.first { scope.permissions = Set(names: names) ?? [] }
        if words.count == 2 { scope.project = ProjectID(rawValue: words[1]) }
        return .key(id: "k7mq2xwd", label: "tests", scope: scope)
    }

    private func settle() async throws {
        let hash = try await world.passwords.hash(Self.password)
        for name in ["ada", "grace", "eve"] {
            try await world.account("\(name)@example.com", id: name) {
                $0.passwordHash = hash
                $0.passwordUpdatedAt = $0.createdAt
                $0.emailVerified = name == "grace"
                $0.disabled = name == "eve"
                $0.displayName = name.capitalized
            }
        }
        try await world.account(nil, id: "nobody")
        // An account with every sign-in method, and one with only a provider.
        try await world.account("radia@example.com", id: "radia") {
            $0.passwordHash = hash
            $0.emailVerified = true
            $0.phoneNumber = PhoneNumber("+15555550123")
        }
        try await world.account(nil, id: "hedy")
        try await link(
            LinkedProvider(
                provider: "google.com", rawID: "1234", email: "Radia@Gmail.example", displayName: "Radia", photoURL: "https://g.example/r"),
            to: "radia")
        var github = LinkedProvider(provider: "github.com", rawID: "77")
        (github.presentEmail, github.isPresentEmailVerified, github.screenName) = ("hedy@github.example", true, "hedy-l")
        try await link(github, to: "hedy")
        world.clock.advance(by: .days(1))
    }

    func stored(_ name: String) async throws -> Account? { try await world.stored(AccountID(rawValue: name)) }

    /// The tokens of a signed-in client.
    struct Held {
        let idToken: String
        let refreshToken: String
    }

    /// Tokens as if the account had signed in before, even if it was changed since.
    func tokens(of name: String, signedInAgo ago: Duration = .zero, by provider: SignInProvider? = nil) async throws -> Held {
        let moment = world.clock.now() + (.zero - ago)
        var account = try #require(try await stored(name))
        account.lastLoginAt = moment
        let known = account
        let profile = try await profile(name)
        let token = RefreshToken(for: account.id, in: account.project, random: world.random.bytes)
        let session = RefreshTokenRecord(
            token: token.digest(by: world.secrets), project: account.project, account: account.id,
            authTime: moment, provider: provider ?? (name == "nobody" ? .anonymous : .password), createdAt: moment)
        try await world.store.transaction { (records) throws(ActionError) in
            try records.update(known)
            try records.insert(session)
        }
        return Held(
            idToken: try await site.identityToolkit.accounts.tokens.issue(
                for: Accounts.Profile(account: known, secondFactors: profile.secondFactors), session: session),
            refreshToken: token.text(by: world.secrets))
    }

    /// A code of any action and age, inserted into the store.
    /// - Parameter other: the address changed to; for `recoverEmail` the one to restore.
    func code(_ action: Action, for name: String, other: EmailAddress? = nil, factor: String? = nil, madeAgo ago: Duration = .zero)
        async throws -> OobCode
    {
        let code = OobCode(random: world.random.bytes)
        let made = world.clock.now() + (.zero - ago)
        let account = try await stored(name)
        // An account without an address gets its first one.
        let first = account != nil && action.setsNewAddress ? other : nil
        guard let own = account?.email ?? first ?? EmailAddress("\(name)@example.com") else { throw CocoaError(.formatting) }
        let (email, newEmail) = action == .recoverEmail ? (other ?? own, own) : (own, other)
        let stored = StoredCode(
            key: code.key(by: world.secrets), project: world.project.id, action: action, account: account?.id, email: email,
            newEmail: newEmail, secondFactor: factor, createdAt: made, expiresAt: made + world.project.lifetimes[action])
        try await world.store.transaction { (records) throws(ActionError) in try records.insert(stored) }
        return code
    }

    func spend(_ code: OobCode) async throws {
        let (key, moment) = (code.key(by: world.secrets), world.clock.now())
        _ = try await world.store.transaction { (records) throws(ActionError) in
            guard let code = try records.code(key) else { return }
            _ = try records.spend(key, of: code.action, in: code.project, at: moment)
        }
    }

    func enroll(_ factor: SecondFactor, for name: String) async throws {
        let project = world.project.id
        try await world.store.transaction { (records) throws(ActionError) in
            try records.insert(factor, of: AccountID(rawValue: name), in: project, byAdmin: false)
        }
    }

    func profile(_ name: String) async throws -> Accounts.Profile {
        try #require(try await site.identityToolkit.accounts.profiles([.id(AccountID(rawValue: name))], in: world.project.id).first)
    }

    func user(behind idToken: String) async throws -> SignedInUser {
        try await site.identityToolkit.accounts.user(behind: idToken, in: world.project.id)
    }

    func link(_ provider: LinkedProvider, to name: String) async throws {
        let (project, now) = (world.project.id, world.clock.now())
        try await world.store.transaction { (records) throws(ActionError) in
            try records.insert(provider, of: AccountID(rawValue: name), in: project, at: now)
        }
    }

    func respond(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: [UInt8] = [], from peer: String = "127.0.0.1"
    )
        async -> Response
    {
        let authority =
            switch listener {
            case .front: "auth.example"
            case .admin: "127.0.0.1:9099"
            case .console: "localhost:8081"
            }
        let head = HTTPRequest(method: method, scheme: "https", authority: authority, path: path, headerFields: headers)
        let (response, bytes) = await site.respond(to: head, body, from: peer, through: listener)
        var answer = Response(response.status, nil, bytes)
        answer.headers = response.headerFields
        return answer
    }

    /// A call with the project's key.
    func call(
        _ method: String, version: String = "v1", _ body: JSON, headers: HTTPFields = [:], from peer: String = "127.0.0.1"
    ) async -> (status: Int, json: JSON) {
        var headers = headers
        headers[.contentType] = "application/json"
        let answer = await respond(.post, "/\(version)/\(method)?key=\(Self.key)", headers: headers, body: body.bytes, from: peer)
        return (answer.status.code, (try? JSON(answer.body)) ?? .null)
    }
}

extension JSON {
    subscript(path: String...) -> JSON? {
        path.reduce(self) { value, name in
            if case .object(let members)? = value { members.first { $0.name == name }?.value } else { nil }
        }
    }

    /// The code of an error, without its detail.
    var errorCode: String? { self["error", "message"]?.string.map { String($0.prefix { $0 != " " }) } }
}

private final class Bearers: Sendable {
    let all = Mutex<[String]>([])
}

private final class Issued: Sendable {
    private let codes = Mutex<[IssuedCode]>([])
    func add(_ code: IssuedCode) { codes.withLock { $0.append(code) } }
    func codes(of project: ProjectID) -> [IssuedCode] { codes.withLock { $0.filter { $0.project == project } } }
}

private struct StoreInbox: Inbox {
    let world: World
    let issued: Issued
    let texts: SentTexts
    private var store: Store { world.store }

    func mails(_ filter: MailFilter) async throws(ActionError) -> [StoredMail] {
        try await store.mails(to: filter.recipient, kind: filter.kind, limit: 100)
    }
    func mail(_ id: MailID) async throws(ActionError) -> StoredMail? { try await store.mail(id) }
    func liveCodes(of project: ProjectID) async throws(ActionError) -> [IssuedCode] { issued.codes(of: project) }
    func textMessages() async -> [TextMessage] { texts.all.reversed() }
    func liveTextMessages(of project: ProjectID) async throws(ActionError) -> [TextMessage] {
        let (messages, secrets, moment) = (texts.all, world.secrets, world.clock.now())
        return try await store.read { (records) throws(ActionError) in
            var live: [TextMessage] = []
            for message in messages where try records.isLive(message, by: secrets, at: moment) { live.append(message) }
            return live
        }
    }
    func wait(untilMoreThan known: Int, _ filter: MailFilter, for span: Duration) async {}
    func events() async throws(ActionError) -> [AccountEvent] { try await store.newestEvents(limit: 100).map(\.event) }
    func version() async throws(ActionError) -> String { try await store.mailsVersion() }
    func deleteMails(_ ids: [MailID]) async throws(ActionError) { try await store.deleteMails(ids) }
    func deleteAccounts(of project: ProjectID) async throws(ActionError) { try await store.deleteAccounts(in: project) }
}
