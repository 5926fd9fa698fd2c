import Base
import Network
import Store
import Testing
import World
@testable import Accounts

@Suite struct `An account that an admin makes` {
    @Test func `an account that an admin makes has every field of the request`() async throws {
        let world = try await World()
        let number = try #require(PhoneNumber("+15555550100"))
        var new = NewAccount(project: world.project.id)
        (new.isByAdmin, new.id, new.email, new.emailVerified) = (true, AccountID(rawValue: "ada"), .ada, true)
        (new.phoneNumber, new.password, new.displayName) = (number, "a quiet long phrase", "Ada")
        (new.photoURL, new.disabled, new.language) = ("https://app.example/ada.png", true, "de")
        new.secondFactors = [SecondFactor(id: "phone-1", kind: .phone, phoneNumber: number.value, enrolledAt: world.clock.now())]
        let made = try await world.accounts.signUp(byAdmin: new, in: world.project)

        let account = try #require(try await world.stored(made.id))
        #expect(account.email == .ada && account.emailVerified && account.phoneNumber == number && account.disabled)
        #expect(account.displayName == "Ada" && account.namedByAdminAt == world.clock.now() && account.language == "de")
        #expect(account.photoURL == "https://app.example/ada.png" && account.passwordUpdatedAt == world.clock.now())
        #expect(try await world.passwords.verify("a quiet long phrase", against: account.passwordHash))
        let project = world.project.id
        let factors = try await world.store.read { (records) throws(ActionError) in try records.secondFactors(of: account.id, in: project) }
        #expect(factors.map(\.id) == ["phone-1"])
    }
}

@Suite struct `An account that a client makes` {
    /// V5: many who wait for hashes of passwords hold up no others.
    @Test func `an anonymous account is made although no password can be hashed`() async throws {
        let world = try await World { $0.signIn.anonymous = true }
        let accounts = world.accounts(signedWith: nil, turns: TurnQueue(width: 1, maxWaiting: 0, widthPerSource: 0))
        var new = NewAccount(project: world.project.id)
        _ = try await accounts.signUp(new, from: .someone, in: world.project)
        (new.email, new.password) = (.ada, "a quiet long phrase")
        do throws(ActionError) {
            _ = try await accounts.signUp(new, from: .someone, in: world.project)
            Issue.record("a password was hashed")
        } catch { if case .refused = error { throw error } }
    }
}
