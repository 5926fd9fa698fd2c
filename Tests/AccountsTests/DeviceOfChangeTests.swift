import Base
import Store
import Testing
import World

@testable import Accounts

/// S8: the owner of an account recognises a change by the device that made it.
@Suite("The mail about a change") struct DeviceOfChangeTests {
    /// A change of the account `ada`, and the mail that tells its owner.
    struct MailedChange: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let mail: LetterKind
        let make: @Sendable (World, Client) async throws -> Void

        init(_ name: String, _ mail: LetterKind, _ make: @escaping @Sendable (World, Client) async throws -> Void) {
            (testDescription, self.mail, self.make) = (name, mail, make)
        }

        private static func update(_ world: World, from client: Client, _ change: (inout AccountChange) -> Void) async throws {
            var wish = AccountChange()
            change(&wish)
            _ = try await world.accounts.update(try await ada(world), with: wish, from: client, in: world.project)
        }

        private static func redeem(_ action: Action, _ input: RedeemInput, _ world: World, _ client: Client) async throws {
            let code = try #require(try await world.send(action))
            _ = try await world.accounts.redeem(try await world.inspect(code).pending(), with: input, from: client)
        }

        static let all = [
            MailedChange("a password", .notice(.passwordChanged)) { world, client in
                try await update(world, from: client) { $0.password = "a quiet long phrase" }
            },
            MailedChange("a reset", .notice(.passwordChanged)) {
                try await redeem(.resetPassword, .newPassword("a quiet long phrase"), $0, $1)
            },
            MailedChange("another address", .action(.recoverEmail)) { try await redeem(.verifyAndChangeEmail, .press(), $0, $1) },
            MailedChange("the old address", .notice(.emailRestored)) { try await redeem(.recoverEmail, .press(), $0, $1) },
            MailedChange("a second factor", .action(.revertSecondFactorAddition)) { world, client in
                let factor = SecondFactor(id: "f", kind: .phone, phoneNumber: "+15555550100", enrolledAt: world.clock.now())
                try await world.accounts.enroll(factor, by: nil, for: try await ada(world), from: client, in: world.project)
            },
            MailedChange("a removed second factor", .notice(.secondFactorRemoved)) {
                try await redeem(.revertSecondFactorAddition, .press(), $0, $1)
            },
            MailedChange("a provider", .notice(.providerAdded)) { world, client in
                let identity = VerifiedIdentity(
                    provider: "google.com", rawID: "g-1", email: .ada, isEmailVerified: true, profile: .init(), rawUserInfo: "{}")
                _ = try await world.accounts.signIn(
                    try #require(identity), creates: false, language: nil, from: client, in: world.project)
            },
            MailedChange("a registration", .notice(.registrationTried)) { world, client in
                var new = NewAccount(project: world.project.id)
                (new.email, new.password) = (.ada, "a quiet long phrase")
                await expectRefused(.emailExists) { _ = try await world.accounts.signUp(new, from: client, in: world.project) }
            },
            MailedChange("a deletion", .notice(.accountDeleted)) { world, client in
                try await world.accounts.delete(try await ada(world), from: client, in: world.project)
            },
        ]

        private static func ada(_ world: World) async throws -> Account {
            try #require(try await world.stored(AccountID(rawValue: "ada")))
        }
    }

    private func device(after change: MailedChange, from client: Client) async throws -> ClientDevice? {
        let world = try await World { $0.hidesAccounts = change.mail == .notice(.registrationTried) }
        try await world.account("ada@app.example") { ($0.emailVerified, $0.passwordHash) = (true, "$scrypt$") }
        try await change.make(world, client)
        let stored = try #require(try await world.store.mails(limit: 9).first { $0.kind == change.mail })
        return try world.outbox.open(stored).device
    }

    @Test(arguments: MailedChange.all) func `names the device that made it`(_ change: MailedChange) async throws {
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0"
        #expect(
            try await device(after: change, from: .peer("192.0.2.1", userAgent: firefox))
                == ClientDevice(browser: "Firefox", system: "Linux"))
    }

    @Test func `names none for an admin, whose server says nothing about the user`() async throws {
        let change = try #require(MailedChange.all.first)
        #expect(try await device(after: change, from: .admin) == nil)
    }
}
