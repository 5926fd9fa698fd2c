import Accounts
import Base
import Store
import Testing

@Suite(.temporaryFolder) struct `An account` {
    @Test(arguments: Engine.allCases, [Account.complete, Account.sample(email: nil)])
    func `is found as it was inserted, and as it was updated`(on engine: Engine, account: Account) async throws {
        let store = try await engine.store()
        var other = account
        other.displayName = "other"
        other.emailVerified.toggle()
        try await store.insert(account)
        #expect(try await store.account(.ada) == account)
        let updated = other
        try await store.transaction { (records) throws(ActionError) in try records.update(updated) }
        #expect(try await store.account(.ada) == updated)
    }

    @Test(arguments: Engine.allCases)
    func `is found in its own project only, by id and by address`(on engine: Engine) async throws {
        let store = try await engine.store()
        let (here, there) = (Account.sample(), Account.sample(.bob, in: .blog))
        try await store.insert(here, there)
        func found(_ email: EmailAddress, in project: ProjectID) async throws -> Account? {
            try await store.read { (records) throws(ActionError) in try records.account(withEmail: email, in: project) }
        }
        #expect(try await found(.ada, in: .shop) == here)
        #expect(try await found(.ada, in: .blog) == there)
        #expect(try await found(.bob, in: .shop) == nil)
        #expect(try await store.account(.ada, in: .blog) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `has an address and an id that are unique in its project`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.insert(.sample(), .sample(.bob, email: .bob))
        let third = AccountID(rawValue: "third")
        for _ in 1...2 {
            #expect(try await failure { try await store.insert(.sample(third)) }?.refusal == .emailExists)
            #expect(try await failure { try await store.insert(.sample(email: nil)) }?.refusal == .duplicateLocalID)
        }
        let thief = Account.sample(.bob, email: .ada)
        let theft = try await failure {
            try await store.transaction { (records) throws(ActionError) in try records.update(thief) }
        }
        #expect(theft?.refusal == .emailExists)
        #expect(try await store.account(.bob)?.email == .bob)
    }

    @Test(arguments: Engine.allCases)
    func `an account is invited until the invitation ends, with the account at the latest`(on engine: Engine) async throws {
        let store = try await engine.store()
        let (ada, bob) = (Account.sample(), Account.sample(.bob, email: .bob))
        try await store.insert(ada, bob, .sample(.bob, in: .blog))
        let invitation = Invitation(sentAt: .noon, expiresAt: .noon + .days(7), madeAccount: true)
        func set(_ invitation: Invitation?, of account: Account) async throws {
            try await store.transaction { (records) throws(ActionError) in try records.set(invitation, of: account) }
        }
        func invited() async throws -> [AccountID] {
            var page = Accounts.PageRequest(limit: 9)
            page.isOfInvited = true
            return try await store.profiles(page, in: .shop).filter { $0.invitation == invitation }.map(\.account.id)
        }
        for account in [ada, bob] { try await set(invitation, of: account) }
        #expect(try await Set(invited()) == [.ada, .bob])
        #expect(try await store.countInvitations(upTo: 9) == 2)
        #expect(try await store.countInvitations(upTo: 1) == 1)
        #expect(try await store.countInvitations(expiringUntil: .noon, upTo: 9) == 0)
        try await set(nil, of: ada)
        #expect(try await invited() == [.bob])
        try await store.transaction { (records) throws(ActionError) in try records.delete(.bob, in: .shop) }
        #expect(try await store.countInvitations(upTo: 9) == 0)
    }

    @Test(arguments: Engine.allCases)
    func `can exist without an address`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.insert(.sample(email: nil), .sample(.bob, email: nil))
        #expect(try await store.countAccounts(in: .shop) == 2)
    }

    /// C10, C12: an address is verified only for the account that the mail was sent to.
    @Test(arguments: Engine.allCases)
    func `is verified only for its present address, and only while it is enabled`(on engine: Engine) async throws {
        let store = try await engine.store()
        var closed = Account.sample(.bob, email: .bob)
        closed.disabled = true
        let accounts = [Account.sample(), closed]
        try await store.insert(accounts[0], accounts[1])
        func verify(_ email: EmailAddress, of id: AccountID, in project: ProjectID = .shop) async throws -> Bool {
            try await store.transaction { (records) throws(ActionError) in
                try records.verify(email, of: id, in: project, at: .noon)
            }
        }
        for (email, id, project) in [(EmailAddress.bob, AccountID.ada, ProjectID.shop), (.bob, .bob, .shop), (.ada, .ada, .blog)] {
            #expect(try await !verify(email, of: id, in: project))
        }
        for account in accounts { #expect(try await store.account(account.id) == account) }
        #expect(try await verify(.ada, of: .ada))
        var verified = accounts[0]
        verified.emailVerified = true
        #expect(try await store.account(.ada) == verified)
        #expect(try await store.account(.bob) == closed)
    }

    @Test(arguments: Engine.allCases)
    func `is not created by an update`(on engine: Engine) async throws {
        let store = try await engine.store()
        let error = try await failure {
            try await store.transaction { (records) throws(ActionError) in try records.update(.sample()) }
        }
        #expect(error?.cause == "the account to update does not exist")
    }

    @Test(arguments: Engine.allCases, [SignInProvider.password, .anonymous, .custom, .provider("oidc.acme")])
    func `has sessions until they are deleted`(on engine: Engine, provider: SignInProvider) async throws {
        let store = try await engine.store()
        let sessions = [RefreshTokenRecord.sample(.number(1), by: provider), .sample(.number(2), of: .bob)]
        try await store.prepare()
        let (before, after) = try await store.transaction { (records) throws(ActionError) in
            for session in sessions { try records.insert(session) }
            let before = [try records.session(.number(1)), try records.session(.number(2))]
            try records.deleteSessions(of: .ada, in: .shop)
            return (before, [try records.session(.number(1)), try records.session(.number(2))])
        }
        #expect(before == sessions)
        #expect(after == [nil, sessions[1]])
    }

    @Test(arguments: Engine.allCases)
    func `has second factors until they are removed`(on engine: Engine) async throws {
        let store = try await engine.store()
        let phone = SecondFactor(id: "1", kind: .phone, displayName: "Phone", phoneNumber: "+15550100", enrolledAt: .noon + .seconds(1))
        let totp = SecondFactor(id: "2", kind: .totp, sealedKey: [1], enrolledAt: .noon)
        try await store.prepare()
        try await store.transaction { (records) throws(ActionError) in
            try records.insert(phone, of: .ada, in: .shop, byAdmin: false)
            try records.insert(totp, of: .ada, in: .shop, byAdmin: false)
            try records.insert(phone, of: .bob, in: .shop, byAdmin: false)
        }
        let (enrolled, removed, left, others) = try await store.transaction { (records) throws(ActionError) in
            (
                try records.secondFactors(of: .ada, in: .shop),
                [
                    try records.deleteSecondFactor("1", of: .ada, in: .shop), try records.deleteSecondFactor("1", of: .ada, in: .shop),
                    try records.deleteSecondFactor("2", of: .ada, in: .blog),
                ],
                try records.secondFactors(of: .ada, in: .shop), try records.secondFactors(of: .bob, in: .shop)
            )
        }
        #expect(enrolled == [phone, totp])
        #expect(removed == [true, false, false])
        #expect(left == [totp])
        #expect(others == [phone])
    }

    /// A provider is linked once per account, and a provider's user to one account only.
    @Test(arguments: Engine.allCases)
    func `is linked to a provider's user that no other account is linked to`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare()
        let second = LinkedProvider(provider: "google.com", rawID: "5678")
        let (linked, replaced, removed, left) = try await store.transaction { (records) throws(ActionError) in
            for link in [LinkedProvider.google, .github] { try records.insert(link, of: .ada, in: .shop, at: .noon) }
            let linked = try records.linkedProviders(of: .ada, in: .shop)
            try records.insert(second, of: .ada, in: .shop, at: .noon)
            let replaced = try records.linkedProviders(of: .ada, in: .shop)
            try records.insert(LinkedProvider.google, of: .ada, in: .shop, at: .noon)
            let removed = [
                try records.deleteLinkedProvider("github.com", of: .bob, in: .shop),
                try records.deleteLinkedProvider("github.com", of: .ada, in: .blog),
                try records.deleteLinkedProvider("github.com", of: .ada, in: .shop),
                try records.deleteLinkedProvider("github.com", of: .ada, in: .shop),
            ]
            return (linked, replaced, removed, try records.linkedProviders(of: .ada, in: .shop))
        }
        #expect(removed == [false, false, true, false])
        #expect(linked == [.github, .google])
        #expect(replaced == [.github, second])
        #expect(left == [.google])

        let theft = try await failure {
            try await store.transaction { (records) throws(ActionError) in
                try records.insert(LinkedProvider.google, of: .bob, in: .shop, at: .noon)
            }
        }
        #expect(theft?.refusal == .federatedUserIDAlreadyLinked)
        func owner(_ link: LinkedProvider, in project: ProjectID = .shop) async throws -> AccountID? {
            try await store.read { (records) throws(ActionError) in
                try records.account(linkedTo: link.provider, rawID: link.rawID, in: project)?.id
            }
        }
        #expect(try await owner(.google) == .ada)
        #expect(try await owner(.github) == nil)
        #expect(try await owner(second) == nil)
        #expect(try await owner(.google, in: .blog) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `has a phone number that is unique in its project`(on engine: Engine) async throws {
        let store = try await engine.store()
        var (ada, bob) = (Account.sample(), Account.sample(.bob, email: .bob))
        ada.phoneNumber = .fictional
        try await store.insert(ada, bob)
        bob.phoneNumber = .fictional
        let thief = bob
        var third = Account.sample(AccountID(rawValue: "third"), email: nil)
        third.phoneNumber = .fictional
        let late = third
        for theft in [
            { try await store.transaction { (records) throws(ActionError) in try records.update(thief) } },
            { try await store.insert(late) },
        ] as [() async throws -> Void] {
            #expect(try await failure(theft)?.refusal == .phoneNumberExists)
        }
        let (here, there) = try await store.read { (records) throws(ActionError) in
            (try records.account(withPhoneNumber: .fictional, in: .shop), try records.account(withPhoneNumber: .fictional, in: .blog))
        }
        #expect(here == ada)
        #expect(there == nil)
    }

    @Test(arguments: Engine.allCases)
    func `is deleted with everything that belongs to it`(on engine: Engine) async throws {
        let database = try await engine.database()
        let store = try await database.open()
        try await store.insert(.sample(.bob, email: .bob))
        let before = try await database.contents()
        try await store.insert(.sample())
        try await store.transaction({ (records) throws(ActionError) in
            try records.insert(RefreshTokenRecord.sample())
            try records.insert(StoredCode.sample())
            try records.insert(SecondFactor(id: "1", kind: .totp, sealedKey: [1], enrolledAt: .noon), of: .ada, in: .shop, byAdmin: false)
            try records.insert(LinkedProvider.google, of: .ada, in: .shop, at: .noon)
        })
        #expect(try await database.contents() != before)
        try await store.transaction { (records) throws(ActionError) in try records.delete(.ada, in: .shop) }
        #expect(try await database.contents() == before)
    }
}

extension Store {
    fileprivate func insert(_ accounts: Account...) async throws {
        try await transaction { (records) throws(ActionError) in
            for account in accounts { try records.insert(account) }
        }
    }
}
