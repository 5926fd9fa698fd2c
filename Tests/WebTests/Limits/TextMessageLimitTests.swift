import Accounts
import Base
import Store
import Testing
import World
@testable import Web

/// J3: messages go only to listed countries, within limits by number, range and source.
@Suite struct `A text message under the default limits` {
    private let api: API

    init() async throws { api = try await API { Limits(Limit.standards, secrets: $0.secrets, uptime: $0.clock.uptime) } }

    private func send(to number: String, from peer: String) async -> String? {
        await api.call("accounts:sendVerificationCode", .object(["phoneNumber": .string(number)]), from: peer).json.errorCode
    }

    @Test func `goes to a number five times an hour, from everywhere together`() async throws {
        for source in 0..<50 {
            let error = await send(to: "+15555550199", from: "10.0.\(source).1")
            #expect(error == (source < 5 ? nil : "TOO_MANY_ATTEMPTS_TRY_LATER"))
        }
        #expect(api.texts.all.count == 5)
        api.world.clock.advance(by: .minutes(12))
        #expect(await send(to: "+15555550199", from: "10.1.0.1") == nil)
    }

    /// With an account and without.
    @Test func `is answered alike for known and unknown numbers`() async throws {
        for round in 0..<8 {
            let known = await send(to: "+15555550123", from: "10.0.\(round).1")
            #expect(await send(to: "+15555550999", from: "10.0.\(round).2") == known)
        }
    }

    @Test func `goes to a range of numbers thirty times an hour`() async throws {
        for number in 0..<60 { _ = await send(to: "+4915112345\(number + 100)", from: "10.\(number).0.1") }
        #expect(api.texts.all.count == 30)
        // Ranges around it have eight times as many.
        for number in 0..<400 {
            _ = await send(to: "+491511234\(number % 4)\(number + 100)", from: "10.\(number % 250).\(number / 250 + 1).1")
        }
        #expect(api.texts.all.count <= 30 * 5 && api.texts.all.count >= 100)
    }

    @Test func `goes to any numbers thirty times an hour, if one source asks`() async throws {
        for number in 0..<60 { _ = await send(to: "+1555\(1_000_000 + number * 10_007)", from: "192.0.2.1") }
        #expect(api.texts.all.count == 30)
    }

    @Test func `goes to no other country`() async throws {
        #expect(await send(to: "+882123456789", from: "192.0.2.1") == "OPERATION_NOT_ALLOWED")
        #expect(api.texts.all.isEmpty)
    }

    /// Strangers' requests for the numbers around it leave the user's own network some, too.
    @Test func `goes to its user in a known network whatever its range got`() async throws {
        let radia = try #require(try await api.stored("radia"))
        _ = try await api.site.identityToolkit.accounts.openSession(for: radia, by: .password, from: "192.0.2.1")
        for number in 0..<60 { _ = await send(to: "+15555550\(number + 700)", from: "10.\(number).0.1") }
        #expect(api.texts.all.count == 30)
        #expect(await send(to: "+15555550124", from: "10.99.0.1") == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(await send(to: "+15555550123", from: "192.0.2.77") == nil)
    }

    /// One user with many known networks does not use up what others have in the range.
    @Test func `goes to one number forty times an hour from all known networks together`() async throws {
        let radia = try #require(try await api.stored("radia"))
        for network in 0..<20 {
            _ = try await api.site.identityToolkit.accounts.openSession(for: radia, by: .password, from: "10.7.\(network).1")
        }
        for network in 0..<20 { for _ in 0..<3 { _ = await send(to: "+15555550123", from: "10.7.\(network).1") } }
        #expect(api.texts.all.count == 40)
    }

    /// A stranger in one of them does not keep the user waiting in the others.
    @Test func `goes to its user in each known network`() async throws {
        let radia = try #require(try await api.stored("radia"))
        let networks = ["192.0.2.1", "198.51.100.1"]
        for network in networks {
            _ = try await api.site.identityToolkit.accounts.openSession(for: radia, by: .password, from: network)
        }
        for _ in 0..<9 { _ = await send(to: "+15555550123", from: networks[0]) }
        #expect(await send(to: "+15555550123", from: networks[0]) == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(await send(to: "+15555550123", from: networks[1]) == nil)
    }

    /// Nothing is counted that was not sent.
    @Test func `counts only if it was sent`() async throws {
        api.texts.fail(.unavailable(Unavailable(.textMessages, cause: "down")))
        for _ in 0..<9 { #expect(await send(to: "+15555550199", from: "10.0.0.1") != "TOO_MANY_ATTEMPTS_TRY_LATER") }
        api.texts.fail(nil)
        #expect(await send(to: "+15555550199", from: "10.0.0.1") == nil)
    }

    /// Strangers' requests leave the user's own network some.
    @Test func `goes to its user in a known network all the same`() async throws {
        let radia = try #require(try await api.stored("radia"))
        _ = try await api.site.identityToolkit.accounts.openSession(for: radia, by: .password, from: "192.0.2.1")
        for source in 0..<20 { _ = await send(to: "+15555550123", from: "10.0.\(source).1") }
        #expect(api.texts.all.count == 5)
        #expect(await send(to: "+15555550123", from: "192.0.2.77") == nil)
        for _ in 0..<20 { _ = await send(to: "+15555550123", from: "192.0.2.77") }
        #expect(api.texts.all.count == 10)
    }
}
