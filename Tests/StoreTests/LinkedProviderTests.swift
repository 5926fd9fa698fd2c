import Accounts
import Testing
@testable import Store

@Suite(.temporaryFolder) struct `A linked provider` {
    private static let object = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
    private static let bound = "\(object)@11111111-2222-3333-4444-555555555555"

    private func link(_ rawID: String, _ store: Store) async throws {
        try await store.transaction { (records) throws(ActionError) in
            try records.insert(LinkedProvider(provider: "microsoft.com", rawID: rawID), of: .ada, in: .shop, at: .noon)
        }
    }

    private func owner(_ wireID: String, in project: ProjectID = .shop, _ store: Store) async throws -> AccountID? {
        try await store.read { (records) throws(ActionError) in
            try records.account(linkedTo: "microsoft.com", wireID: wireID, in: project)?.id
        }
    }

    /// I17: with its directory and without.
    @Test(arguments: Engine.allCases) func `of Microsoft is found by the id of Microsoft Graph`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare()
        for rawID in [Self.object, Self.bound] {
            try await link(rawID, store)
            #expect(try await owner(Self.object, store) == .ada)
            #expect(try await owner(Self.object.uppercased(), store) == .ada)
            #expect(try await owner(Self.object, in: .blog, store) == nil)
            for other in ["aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeed", "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeef", "aaaaaaaa", "pairwise"] {
                #expect(try await owner(other, store) == nil)
            }
        }
        for rawID in ["48d31887fa0e0ab2", "00000000-0000-0000-48d3-1887fa0e0ab2@\(MicrosoftUser.personalAccounts)"] {
            try await link(rawID, store)
            #expect(try await owner("48d31887fa0e0ab2", store) == .ada)
        }
    }

    @Test(arguments: Engine.allCases) func `a provider's present address is stored beside the account's`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare()
        var link = LinkedProvider(provider: "github.com", rawID: "7", email: "ada@app.example")
        (link.isEmailVerified, link.presentEmail, link.screenName) = (true, "ada@new.example", "ada-l")
        for isVerified in [false, true] {
            link.isPresentEmailVerified = isVerified
            let stated = link
            let (read, former, present) = try await store.transaction { (records) throws(ActionError) in
                try records.insert(stated, of: .ada, in: .shop, at: .noon)
                return (
                    try records.linkedProviders(of: .ada, in: .shop),
                    try records.providers(verifying: EmailAddress("ada@app.example")!, in: .shop),
                    try records.providers(verifying: EmailAddress("ada@new.example")!, in: .shop)
                )
            }
            #expect(read == [stated] && stated.shownEmail == "ada@new.example")
            #expect(former == [] && present == (isVerified ? ["github.com"] : []))
        }
    }

    /// I17: a user of Microsoft is the object in its directory, the same in each app.
    @Test(arguments: Engine.allCases) func `is renamed once`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare()
        try await link(Self.object, store)
        let renamed = try await store.transaction { (records) throws(ActionError) in
            try [Self.bound, "other"].map { (id) throws(ActionError) in
                try records.rename(Self.object, at: "microsoft.com", to: id, in: .shop)
            }
        }
        #expect(renamed == [true, false])
        #expect(try await owner(Self.object, store) == .ada)
    }

    /// I18: a version before did not note whether the address was verified. It counts as imported.
    @Test(arguments: Engine.allCases) func `of a version before counts as imported`(on engine: Engine) async throws {
        let database = try await engine.database()
        let store = try await database.open()
        try await store.prepare()
        let apple = LinkedProvider(provider: "apple.com", rawID: "a", email: "private@relay.example")
        try await store.transaction { (records) throws(ActionError) in
            for link in [LinkedProvider.google, .github, apple] { try records.insert(link, of: .ada, in: .shop, at: .noon) }
        }
        for isVerified in [false, true] {
            try await database.run("UPDATE account SET email_verified = \(isVerified ? 1 : 0)")
            for statement in Migration.identities(in: try await database.connect().dialect) where statement.hasPrefix("UPDATE") {
                try await database.run(statement)
            }
            let links = try await store.read { (records) throws(ActionError) in
                try records.linkedProviders(of: .ada, in: .shop)
            }
            #expect(links.filter(\.isEmailVerified).map(\.provider) == (isVerified ? ["google.com"] : []))
        }
    }
}
