import Base
import Store
import Testing
import World
@testable import Accounts

/// A change of the account `ada`, and how the back end of the app is told of it.
struct ToldChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The kinds, the address and the former address of the event; nil if it is not told.
    let told: String?
    let prepare: @Sendable (World) async throws -> Void
    let change: @Sendable (World) async throws -> Void

    init(
        _ name: String, is told: String?, after prepare: @escaping @Sendable (World) async throws -> Void = { try await verified($0) },
        _ change: @escaping @Sendable (World) async throws -> Void
    ) {
        (testDescription, self.told, self.prepare, self.change) = (name, told, prepare, change)
    }

    private static func verified(_ world: World) async throws {
        try await world.account("ada@app.example") { ($0.emailVerified, $0.passwordHash) = (true, "$scrypt$") }
    }

    private static func unverified(_ world: World) async throws { try await world.account("ada@app.example") }

    private static func update(_ world: World, byAdmin: Bool = true, _ change: (inout AccountChange) -> Void) async throws {
        var wish = AccountChange()
        change(&wish)
        _ = try await world.change(wish, byAdmin: byAdmin)
    }

    private static func linked(_ world: World) async throws {
        try await verified(world)
        try await update(world) { $0.link = LinkedProvider(provider: "google.com", rawID: "7") }
    }

    private static func enrolled(_ world: World) async throws {
        try await verified(world)
        try await update(world) { $0.secondFactors = [factor] }
    }

    private static let factor = SecondFactor(id: "f", kind: .phone, phoneNumber: "+15555550100", enrolledAt: Timestamp(seconds: 1))

    private static func redeem(_ world: World, _ action: Action, _ input: RedeemInput = .call()) async throws {
        try await world.redeem(try #require(try await world.send(action)), with: input)
    }

    private static func signIn(_ world: World) async throws {
        let code = try #require(try await world.send(.signIn))
        _ = try await world.accounts.signIn(try await world.inspect(code).pending(), as: .ada)
    }

    private static func identity() -> VerifiedIdentity {
        VerifiedIdentity(
            provider: "google.com", rawID: "g-1", email: .ada, isEmailVerified: true, profile: .init(fullName: "Ada"), rawUserInfo: "{}")!
    }

    static let all = [
        ToldChange("a sign-up", is: "account.created", after: { _ in }) { try await unverified($0) },
        ToldChange("an account with a verified address", is: "account.created email.verified", after: { _ in }) { try await verified($0) },
        ToldChange("a sign-up by link", is: "account.created sign_in.link email.verified", after: { _ in }) { try await signIn($0) },
        ToldChange("a sign-up by provider", is: "account.created email.verified provider.linked", after: { _ in }) { world in
            _ = try await world.accounts.signIn(identity(), in: world.project)
        },
        ToldChange("a deletion", is: "account.deleted") { world in
            let account = try #require(try await world.stored(AccountID(rawValue: "ada")))
            try await world.accounts.erasure.delete(account)
        },
        ToldChange("a disabled account", is: "account.disabled sessions.ended") { try await update($0) { $0.disabled = true } },
        ToldChange(
            "an enabled account", is: "account.enabled",
            after: { world in
                try await verified(world)
                try await update(world) { $0.disabled = true }
            }
        ) { try await update($0) { $0.disabled = false } },
        ToldChange("a verified address", is: "email.verified ada@app.example", after: { try await unverified($0) }) {
            try await redeem($0, .verifyEmail)
        },
        ToldChange("an address that is verified again", is: "email.verified ada@app.example") { try await redeem($0, .verifyEmail) },
        ToldChange("a changed address", is: "email.changed email.verified sessions.ended new@app.example ada@app.example") {
            try await redeem($0, .verifyAndChangeEmail)
        },
        ToldChange("an address of an admin", is: "email.changed sessions.ended other@app.example ada@app.example") {
            try await update($0) { $0.email = EmailAddress("other@app.example") }
        },
        ToldChange("a removed address", is: "email.changed sessions.ended - ada@app.example") {
            try await update($0) { $0.deletesEmail = true }
        },
        ToldChange(
            "a restored address",
            is: "email.restored email.changed email.verified password.changed sessions.ended ada@app.example intruder@app.example"
        ) {
            let code = try #require(try await $0.send(.recoverEmail))
            _ = try await $0.store.dropEvents(id: $0.events()[0].id, in: nil, at: $0.clock.now())
            try await $0.redeem(code)
        },
        ToldChange("a reset", is: "password.reset email.verified password.changed sessions.ended", after: { try await unverified($0) }) {
            try await redeem($0, .resetPassword, .newPassword("a quiet long phrase"))
        },
        ToldChange(
            "a reset that unlinks", is: "password.reset password.changed provider.unlinked sessions.ended", after: { try await linked($0) }
        ) {
            try await redeem($0, .resetPassword, .newPassword("a quiet long phrase"))
        },
        ToldChange("a password", is: "password.changed sessions.ended") {
            try await update($0, byAdmin: false) { $0.password = "a quiet long phrase" }
        },
        ToldChange("a sign-in by link", is: "sign_in.link ada@app.example") { try await signIn($0) },
        ToldChange("a link to a provider", is: "provider.linked") { world in
            _ = try await world.accounts.signIn(identity(), in: world.project)
        },
        ToldChange("an unlinked provider", is: "provider.unlinked", after: { try await linked($0) }) {
            try await update($0) { $0.unlinks = ["google.com"] }
        },
        ToldChange("a phone number", is: "phone.set") { try await update($0) { $0.phoneNumber = PhoneNumber("+15555550100") } },
        ToldChange(
            "a removed phone number", is: "phone.removed",
            after: { world in
                try await verified(world)
                try await update(world) { $0.phoneNumber = PhoneNumber("+15555550100") }
            }
        ) { try await update($0) { $0.deletesPhoneNumber = true } },
        ToldChange("a second factor", is: "second_factor.enrolled sessions.ended") { try await update($0) { $0.secondFactors = [factor] } },
        ToldChange("a second factor with another name", is: nil, after: { try await enrolled($0) }) {
            var renamed = factor
            renamed.displayName = "Phone"
            try await update($0) { [renamed] in $0.secondFactors = [renamed] }
        },
        ToldChange("a removed second factor", is: "second_factor.removed", after: { try await enrolled($0) }) {
            try await update($0) { $0.secondFactors = [] }
        },
        ToldChange("a second factor that its owner did not give", is: "second_factor.reverted second_factor.removed sessions.ended") {
            let code = try #require(try await $0.send(.revertSecondFactorAddition))
            _ = try await $0.store.dropEvents(id: $0.events()[0].id, in: nil, at: $0.clock.now())
            try await $0.redeem(code)
        },
        ToldChange("revoked sessions", is: "sessions.ended") { world in
            try await update(world) { $0.validSince = world.clock.now() + .seconds(1) }
        },
        // A back end has no copy of what is only shown.
        ToldChange("a name", is: nil) { try await update($0) { $0.displayName = .set("Ada") } },
        ToldChange("a session", is: nil) { world in
            let account = try #require(try await world.stored(AccountID(rawValue: "ada")))
            _ = try await world.accounts.openSession(for: account, by: .password)
        },
        ToldChange("a change that is refused", is: nil) { world in
            let pending = try await world.inspect(try #require(try await world.send(.verifyEmail))).pending()
            _ = try await world.accounts.redeem(pending)
            _ = try await world.store.dropEvents(id: try await world.events()[0].id, in: nil, at: world.clock.now())
            await expectRefused(.invalidOobCode) { _ = try await world.accounts.redeem(pending) }
        },
    ]
}
