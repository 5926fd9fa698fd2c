package import Accounts
import AppLinks
package import Base
import Foundation
import Mail
package import Network
package import Store
import Synchronization

/// A small installation for tests: its own real database, a clock that only the test moves,
/// deterministic random bytes, and letters of plain text. Nothing sleeps.
package struct World: Sendable {
    package let clock: TestClock
    /// The time of the domain; usually that of `clock`.
    package private(set) var now: Now
    package let random: CountingRandom
    package private(set) var secrets: Secrets
    package private(set) var store: Store
    private let connect: @Sendable () async throws -> any SQLDatabase
    package private(set) var passwords: Passwords
    package private(set) var outbox: Outbox
    package var project: Project

    /// - Parameters:
    ///   - counted: counts the statements that the store runs.
    ///   - change: changes the sample project.
    package init(
        counted: Counted? = nil, _ change: (inout Project) throws -> Void = { _ in }
    ) async throws {
        let folder = try Folder()
        try await self.init(counted, keeping: folder, connect: try ChosenEngine.connections(to: folder.path + "/onward.sqlite"), change)
    }

    /// An installation on a database of the test's.
    package init(connecting connect: @escaping @Sendable () async throws -> any SQLDatabase) async throws {
        try await self.init(nil, keeping: nil, connect: connect) { _ in }
    }

    private init(
        _ counted: Counted?, keeping folder: Folder?, connect: @escaping @Sendable () async throws -> any SQLDatabase,
        _ change: (inout Project) throws -> Void
    ) async throws {
        clock = TestClock()
        now = clock.now
        random = CountingRandom()
        secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
        self.connect = connect
        let file = try await connect()
        // The store keeps the folder, and is the last to be released.
        let rowIDs = RowIDs(uptime: { withExtendedLifetime(folder) { .zero } })
        store = try await Store.open(counted.map { Counting(base: file, counted: $0) } ?? file, rowIDs: rowIDs)
        store.rowIDs.use(RowIDs.Range(number: 0, start: clock.now().milliseconds))
        (passwords, outbox) = Self.parts(secrets, random)
        project = Project(
            id: ProjectID(rawValue: "shop"), displayName: "Shop",
            authorizedDomains: try AuthorizedDomains(["app.example", "=exact.example", "localhost"], schemes: ["com.example.shop"]),
            actionURL: try WebURL("https://auth.example/__/auth/action"))
        project.apiKeys = ["shop-key"]
        project.linkDomains = [try LinkDomain("links.example")]
        project.apps = try RegisteredApps(
            apple: [AppleApp(bundleID: "com.example.shop", teamID: "ABCDE12345", appStoreID: "123", customSchemes: ["com.example.shop"])],
            android: [AndroidApp(packageName: "com.example.shop", sha256Fingerprints: [])])
        project.hidesAccounts = false
        project.confirmBy = .press
        project.continuePolicy = ContinuePolicies(.straight)
        try change(&project)
    }

    /// This installation after a restart with other secrets, which the database has to accept.
    package func restarted(with configured: Secrets) async throws(ActionError) -> World {
        var world = self
        world.secrets = try await store.recognize(configured, beginningChange: true)
        (world.passwords, world.outbox) = Self.parts(world.secrets, random)
        return world
    }

    /// This installation after its process was killed and started again.
    package func killed() async throws -> World {
        var world = self
        world.store = try await Store.open(try await connect(), rowIDs: store.rowIDs)
        // No id of a range that begins later has been given.
        clock.advance(by: .seconds(1))
        store.rowIDs.use(RowIDs.Range(number: 0, start: clock.uptime().sinceZero.milliseconds))
        return world
    }

    /// This installation with another clock.
    package func timed(by now: @escaping Now) -> World {
        var world = self
        world.now = now
        return world
    }

    private static func parts(_ secrets: Secrets, _ random: CountingRandom) -> (Passwords, Outbox) {
        let workerPool = WorkerPool(label: "test", width: 2, maxWaiting: 100)
        return (
            Passwords(workerPool: workerPool, cost: .cheap, secrets: secrets, random: random.bytes),
            Outbox(secrets: secrets, random: random.bytes)
        )
    }

    /// The domain. Its tokens are unsigned.
    package var accounts: Accounts { accounts(signedWith: nil) }

    /// Projects that admins may change. The shipped languages are `en` and `de`.
    package func current(_ projects: Projects) -> CurrentProjects {
        let checks = SettingsChecks(
            isShipped: { ["en", "de"].contains($0) }, template: { $0.checked(for: $1) { $0 == "en" || $0 == "de" ? $0 : nil } })
        return CurrentProjects(projects, store: store, checks: checks, now: clock.now)
    }

    /// A temporary folder, deleted with the last reference to it or at the end of the process.
    private final class Folder: Sendable {
        private static let all: URL = {
            atexit { try? FileManager.default.removeItem(at: Folder.all) }
            return FileManager.default.temporaryDirectory.appending(path: "onward-worlds-\(UUID().uuidString)")
        }()

        let path = Folder.all.appending(path: UUID().uuidString).path

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// The first key. An RSA key takes long to generate, so all worlds of a run share it.
    private static let signingKey = Mutex<StoredSigningKey?>(nil)

    /// The store's signing keys; the first has been generated.
    package func signingKeys() async throws -> SigningKeys {
        let first = try await Self.firstKey()
        try await store.changeSigningKeys { KeyChange(adding: $0.isEmpty ? first : nil) }
        let keys = signingKeys(random.bytes)
        try await keys.maintain()
        return keys
    }

    private static func firstKey() async throws -> StoredSigningKey? {
        if let known = signingKey.withLock(\.self) { return known }
        // In a separate world, whose clock has not moved: the key must sign in every world.
        let world = try await World()
        // No world's counter reaches this name, and it sorts after all others: "zzzz".
        try await world.signingKeys { length in (0..<length).map { [0xcf, 0x3c, 0xf3][$0 % 3] } }.maintain()
        let first = try await world.store.signingKeys().first
        return signingKey.withLock { known in
            known = known ?? first
            return known
        }
    }

    private func signingKeys(_ random: @escaping RandomBytes) -> SigningKeys {
        let workerPool = WorkerPool(label: "test.keys", width: 1, maxWaiting: 100)
        return SigningKeys(store: store, secrets: secrets, workerPool: workerPool, now: clock.now, random: random)
    }

    /// - Parameters:
    ///   - keys: nil: tokens are unsigned, as in development.
    ///   - names: the issuer and audience of tokens.
    ///   - isDevelopment: whether an old sign-in is recent enough for everything.
    ///   - upstreams: the upstreams of projects whose codes are not in this world's store.
    ///   - observe: called with what happens to codes.
    package func accounts(
        signedWith keys: SigningKeys?, names: TokenNames = TokenNames(), isDevelopment: Bool = false, store: (any Storage)? = nil,
        passwords: Passwords? = nil, turns: TurnQueue = TurnQueue(width: 2, maxWaiting: 100),
        mailHasNumber: @escaping Accounts.MailHasNumber = { _, _, _ in true },
        linkKey: @escaping @Sendable (Project) -> String = { $0.apiKeys.min() ?? "" },
        upstreams: @escaping UpstreamAuthority.Toolkits = { _ in nil }, limits: Limits? = nil,
        observe: @escaping @Sendable (CodeEvent) -> Void = { _ in }
    ) -> Accounts {
        Accounts(
            store: store ?? self.store, passwords: passwords ?? self.passwords,
            tokens: keys.map { IDTokens(signedWith: $0, names: names, now: clock.now) } ?? .unsigned(names: names, now: clock.now),
            outbox: outbox, secrets: secrets, now: now, uptime: clock.uptime, random: random.bytes,
            recentSignIn: isDevelopment ? nil : Accounts.usualRecentSignIn, linkKey: linkKey, mailHasNumber: mailHasNumber,
            upstreams: upstreams, limits: limits, turns: turns, observe: observe)
    }

    package func signedAccounts() async throws -> Accounts { accounts(signedWith: try await signingKeys()) }

    package static let compose: Compose = { letter, project in
        RenderedMail(
            subject: "\(project.displayName) \(letter.kind.rawValue)", text: letter.link ?? "", html: "<a>\(letter.link ?? "")</a>")
    }
}

extension World {
    /// The message of a mail from `no-reply@app.example`.
    package static let encode: @Sendable (Letter, MailID, RenderedMail, Project) -> [UInt8] = { letter, id, words, project in
        let sender = MailSender(from: Mailbox(name: nil, address: EmailAddress("no-reply@app.example")!))
        return MIMEMessage(sender.mail(letter, id: id, words, of: project)).bytes
    }

    /// Stores an account.
    @discardableResult
    package func account(_ email: String?, id: String = "ada", change: (inout Account) -> Void = { _ in }) async throws -> Account {
        var account = Account(project: project.id, id: AccountID(rawValue: id), createdAt: clock.now())
        account.email = email.flatMap { EmailAddress($0) }
        change(&account)
        let made = account
        try await store.transaction { (records) throws(ActionError) in try records.insert(made) }
        return made
    }

    /// The stored account.
    package func stored(_ id: AccountID) async throws -> Account? {
        let project = project.id
        return try await store.read { (records) throws(ActionError) in try records.account(id, in: project) }
    }

    /// Every mail in the outbox, newest first, with its kind, its recipient and its link.
    package func mails() async throws -> [(kind: LetterKind, to: String, link: String?)] {
        try await store.mails(limit: 100).map { ($0.kind, $0.recipient.value, try outbox.open($0).link) }
    }

    package func inspect(_ code: OobCode) async throws -> Inspection { try await accounts.inspect(code, in: project) }

    /// The mark of the ways to sign in that the page of a code names; nil if it names none.
    package func waysMark(of code: OobCode) async throws(ActionError) -> UInt32? {
        guard case .live(let pending) = try await accounts.inspect(code, in: project) else { return nil }
        return pending.waysIn?.mark(by: secrets)
    }

    /// Inspects a code and applies it.
    @discardableResult
    package func redeem(_ code: OobCode, with input: RedeemInput = .call()) async throws -> Outcome {
        try await accounts.redeem(try await inspect(code).pending(), with: input)
    }
}
