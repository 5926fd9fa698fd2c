import Accounts
import Base
import Testing
import World
@testable import Store

/// The traces are looked for in the catalogue of SQLite.
@Suite(.enabled(if: !ChosenEngine.isPostgreSQL)) struct `The erasure of a person` {
    private static let id = AccountID(rawValue: "canary \"id")
    private static let address = EmailAddress("canary@app.example")!
    private static let oldAddress = EmailAddress("old-canary@app.example")!

    /// A person who had a decoy and sign-in links before there was an account, has a row in every
    /// table, and has moved to another address; and another account with its own mails.
    private static func world() async throws -> World {
        var world = try await World()
        world.project.hidesAccounts = true
        for _ in 0..<2 {
            _ = try await world.accounts.send(CodeRequest(.signIn, for: .address(oldAddress), with: ApprovedSettings(in: world.project)))
            _ = try await world.accounts.send(
                CodeRequest(.resetPassword, for: .address(address), with: ApprovedSettings(in: world.project)))
        }
        let account = try await world.account(oldAddress.value, id: id.rawValue) {
            $0.initialEmail = oldAddress
            $0.displayName = "canary"
            ($0.passwordHash, $0.emailVerified) = ("canary", true)
        }
        try await world.store.transaction { (records) throws(ActionError) in
            try records.insert(
                LinkedProvider(provider: "google.com", rawID: "canary", email: "canary"), of: id, in: account.project,
                at: account.createdAt)
        }
        var move = CodeRequest(.verifyAndChangeEmail, for: .account(try await stored(world)), with: ApprovedSettings(in: world.project))
        move.newEmail = address
        let code = try #require(try await world.accounts.send(move)?.code)
        _ = try await world.accounts.redeem(try await world.inspect(code).pending())
        let factor = SecondFactor(id: "canary", kind: .phone, phoneNumber: "+15550100", enrolledAt: world.clock.now())
        try await world.accounts.enroll(factor, for: try await stored(world), in: world.project)
        let session = RefreshTokenRecord(
            token: world.secrets.digest([1], for: .session), project: world.project.id, account: id, authTime: world.clock.now(),
            provider: .password, createdAt: world.clock.now())
        try await world.store.transaction { (records) throws(ActionError) in try records.insert(session) }
        for action in [Action.resetPassword, .signIn] {
            _ = try await world.accounts.send(CodeRequest(action, for: .address(address), with: ApprovedSettings(in: world.project)))
        }
        // One of the mails was sent, so only its digest tells whom it was for.
        let now = world.clock.now()
        let sent = try #require(try await world.store.lease(MailLease(limit: 1, until: now + .seconds(60)), at: now).first)
        try await world.store.end(
            sent, as: .sent, DeliveryOutcome(.accepted, relay: "smtp.example:587", answer: "250 OK"), keepsLetter: false, at: now)
        let complaint = Suppression(.complaint, of: sent.recipientDigest, in: world.project.id, from: .plain, at: now)
        #expect(try await world.store.suppress([try #require(complaint)], by: nil, at: now) == .counted(suppressed: 1))

        _ = try await world.issue(.resetPassword)
        for subjects in [[id.rawValue], ["ada", id.rawValue], ["ada"], ["\"id"], ["canary \"id too"]] {
            var record = AuditRecord(at: world.clock.now(), actor: "owner", method: "update")
            (record.project, record.subjects) = (world.project.id, subjects)
            _ = try await world.store.begin(record)
        }
        return world
    }

    private static func stored(_ world: World) async throws -> Account { try #require(try await world.stored(id)) }

    /// The columns in which there is a text or the digest of an address of the person.
    private static func traces(in world: World) async throws -> Set<String> {
        let digests = [address, oldAddress].map { world.outbox.digest(of: $0, in: world.project.id) }
        return try await world.store.read { records throws(ActionError) in
            var found: Set<String> = []
            let tables: [String] = try records.column("SELECT name FROM sqlite_schema WHERE type = 'table'")
            for table in tables {
                let columns: [String] = try records.column("SELECT name FROM pragma_table_info(?)", [table])
                for column in columns {
                    let texts = try records.count("SELECT count(*) FROM \(table) WHERE \(column) LIKE '%canary%'", [])
                    let hashes = try records.count("SELECT count(*) FROM \(table) WHERE \(column) IN (?, ?)", digests)
                    if texts + hashes > 0 { found.insert("\(table).\(column)") }
                }
            }
            return found
        }
    }

    @Test(arguments: [Erasure.Person.address(address), .account(id)])
    func `leaves nothing of the person, and all of others`(_ person: Erasure.Person) async throws {
        let world = try await Self.world()
        let before = try await Self.traces(in: world)
        #expect(
            before.isSuperset(of: [
                "account.id", "account.email", "account.initial_email", "account.display_name", "second_factor.account",
                "linked_provider.raw_id", "session.account", "code.account", "code.email", "code.new_email", "mail.account",
                "mail.recipient", "mail.recipient_digest", "mail_suppression.recipient_digest", "audit.subject",
            ]))
        let erased = try await world.accounts.erasure.erase(person, in: world.project.id)
        #expect(erased == Erasure.Erased(account: Self.id, auditRecords: 2))
        // Only the audit record of another account whose id begins alike.
        #expect(try await Self.traces(in: world) == ["audit.subject"])
        let subjects = try await world.store.audit(after: 0, limit: 9).map(\.record.subjects)
        #expect(subjects == [["(erased)"], ["ada", "(erased)"], ["ada"], ["\"id"], ["canary \"id too"]])
        #expect(try await world.mails().map(\.to) == ["ada@app.example"])
        #expect(try await world.stored(AccountID(rawValue: "ada")) != nil)
        // It may be asked for again.
        #expect(try await world.accounts.erasure.erase(person, in: world.project.id).account == nil)
    }

    /// U3: undoing the merge would bring the person back.
    @Test func `of either side of a merge erases the state before it`() async throws {
        func address(_ name: String) -> Erasure.Person { .address(EmailAddress("\(name)@app.example")!) }
        let persons: [Erasure.Person] = [
            .account(AccountID(rawValue: "ada")), .account(AccountID(rawValue: "bob")), address("ada"), address("bob"), address("former"),
            address("proved"),
        ]
        for person in persons {
            let two = try await Two(
                ada: { $0.emailVerified = true },
                bob: { $0.initialEmail = EmailAddress("former@app.example") })
            let (project, now) = (two.world.project.id, two.world.clock.now())
            try await two.world.store.transaction { [merge = two.merge] (records) throws(ActionError) in
                try records.prove(EmailAddress("proved@app.example")!, of: merge.from, in: project, at: now)
            }
            _ = try await two.merging.merge(two.merge, in: project, language: "en")
            let erased = try await two.world.accounts.erasure.erase(person, in: project)
            #expect(erased.merges == [two.merge], "\(person)")
            #expect(try await two.refusal { try await $0.unmerge(two.merge, in: project, language: "en") } == .userNotFound)
            #expect(try await two.profile("bob") == nil, "\(person)")
        }
        let two = try await Two()
        _ = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        #expect(try await two.world.accounts.erasure.erase(address("other"), in: two.world.project.id).merges.isEmpty)
        try await two.merging.unmerge(two.merge, in: two.world.project.id, language: "en")
    }

    @Test func `by the API leaves nothing but the audit`() async throws {
        for batches in [true, false] {
            let world = try await Self.world()
            if batches {
                #expect(try await world.accounts.erasure.delete([Self.id], force: true, in: world.project.id).isEmpty)
            } else {
                try await world.accounts.erasure.delete(try await Self.stored(world))
            }
            #expect(try await Self.traces(in: world) == ["audit.subject"])
        }
    }

    /// V1: everyone may sign up with another person's address, and delete that account. The mails
    /// and links that the person asked for stay, as does the suppression after a complaint.
    @Test func `by an account that never proved its address takes nothing from the owner of the address`() async throws {
        let world = try await World()
        func ask() async throws {
            _ = try await world.accounts.send(
                CodeRequest(.signIn, for: .address(Self.address), with: ApprovedSettings(in: world.project)))
        }
        try await ask()
        let squatter = try await world.account(Self.address.value, id: "squatter")
        try await ask()
        let now = world.clock.now()
        let digest = world.outbox.digest(of: Self.address, in: world.project.id)
        let complaint = try #require(Suppression(.complaint, of: digest, in: world.project.id, from: .plain, at: now))
        try await world.store.transaction { records throws(ActionError) in try records.replace(with: complaint) }
        let links = try await world.store.mails(limit: 9).map { try world.outbox.open($0).link }
        #expect(links.count == 2)
        try await world.accounts.delete(squatter, in: world.project)
        #expect(try await world.stored(squatter.id) == nil)
        #expect(try await world.store.mails(limit: 9).map { try world.outbox.open($0).link } == links)
        #expect(try await world.store.suppressions(of: digest, in: world.project.id, at: now).count == 1)
        let live = try await world.store.read { records throws(ActionError) in
            try records.count("SELECT count(*) FROM code WHERE ending IS NULL AND account IS NULL AND email = ?", [Self.address])
        }
        #expect(live == 2)
    }

    /// A7: but for the mail that tells its owner.
    @Test func `by an account with a proved address leaves nothing of it`() async throws {
        let world = try await World()
        _ = try await world.accounts.send(CodeRequest(.signIn, for: .address(Self.address), with: ApprovedSettings(in: world.project)))
        let owner = try await world.account(Self.address.value, id: Self.id.rawValue) { $0.emailVerified = true }
        try await world.accounts.delete(owner, in: world.project)
        #expect(try await Self.traces(in: world) == ["mail.recipient", "mail.recipient_digest"])
        #expect(try await world.mails().map(\.kind) == [.notice(.accountDeleted)])
    }

    @Test func `keeps the mails of an account that has an earlier address now`() async throws {
        let world = try await Self.world()
        try await world.account(Self.oldAddress.value, id: "heir")
        _ = try await world.accounts.send(
            CodeRequest(.resetPassword, for: .address(Self.oldAddress), with: ApprovedSettings(in: world.project)))
        try await world.accounts.erasure.delete(try await Self.stored(world))
        #expect(try await world.mails().contains { $0.kind == .action(.resetPassword) && $0.to == Self.oldAddress.value })
    }
}
