import Accounts
import EmailActions
import Foundation
import HTTPTypes
import JSON
import Store
import Testing
import World

@testable import Web

@Suite struct `A call under the default limits` {
    let api: API

    init() async throws {
        api = try await API([.hidesAccounts]) { Limits(Limit.standards, secrets: $0.secrets, now: $0.clock.now) }
    }

    private func signIn(_ name: String = "ada", _ password: String, from peer: String) async -> String? {
        let body = JSON.object(["email": .string("\(name)@example.com"), "password": .string(password)])
        return await api.call("accounts:signInWithPassword", body, from: peer).json.errorCode
    }

    private func askForReset(of name: String, from peer: String) async -> String? {
        let body = JSON.object(["requestType": "PASSWORD_RESET", "email": .string("\(name)@example.com")])
        return await api.call("accounts:sendOobCode", body, from: peer).json.errorCode
    }

    private func mails() async throws -> Int { try await api.world.store.countMails(in: api.world.project.id) }

    private func newestCode() async throws -> String {
        let link = try #require(try await api.world.mails().first { $0.to == "ada@example.com" }?.words.link)
        return String(try #require(link.split(separator: "oobCode=").last).prefix(43))
    }

    /// B1: attempt by attempt, the response does not depend on whether the account exists.
    @Test func `gets the same response for an unknown account as for a known one`() async throws {
        for round in 0..<12 {
            let known = await signIn("ada", "wrong", from: "192.0.2.1")
            #expect(await signIn("stranger", "wrong", from: "192.0.2.1") == known)
            #expect(known == (round < 10 ? "INVALID_LOGIN_CREDENTIALS" : "TOO_MANY_ATTEMPTS_TRY_LATER"))
            let asked = await askForReset(of: "ada", from: "192.0.2.1")
            #expect(await askForReset(of: "stranger", from: "192.0.2.1") == asked)
            #expect(asked == (round < 10 ? nil : "RESET_PASSWORD_EXCEED_LIMIT"))
        }
        #expect(await signIn("ada", API.password, from: "192.0.2.1") == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(await signIn("ada", API.password, from: "192.0.2.2") == nil, "elsewhere its owner comes in")
    }

    @Test func `with the right password is not limited`() async {
        for _ in 0..<15 { #expect(await signIn("ada", API.password, from: "192.0.2.1") == nil) }
    }

    /// B2: mails to one address from any source, and from one source to any address. A refused call
    /// queues none.
    @Test func `queues no mail above the limit`() async throws {
        for source in 0..<1000 { _ = await askForReset(of: "ada", from: "10.0.\(source / 250).\(source % 250)") }
        #expect(try await mails() == 10)
        for number in 0..<300 {
            let body = JSON.object(["requestType": "EMAIL_SIGNIN", "email": .string("p\(number)@example.com")])
            _ = await api.call("accounts:sendOobCode", body, from: "2001:db8::\(number)")
        }
        #expect(try await mails() == 110)
    }

    /// B4: an attacker with many sources uses up the account's attempts and its mails, and the
    /// owner can sign in all the same.
    @Test func `does not lock the owner out`() async throws {
        for attempt in 0..<100 { _ = await signIn("ada", "wrong", from: "10.0.0.\(attempt / 10)") }
        #expect(await signIn("ada", API.password, from: "192.0.2.1") == "TOO_MANY_ATTEMPTS_TRY_LATER")
        for attempt in 0..<20 { _ = await askForReset(of: "ada", from: "10.0.0.\(attempt)") }
        #expect(await askForReset(of: "ada", from: "192.0.2.1") == "RESET_PASSWORD_EXCEED_LIMIT")

        let reset = JSON.object(["oobCode": .string(try await newestCode()), "newPassword": "quite another one"])
        #expect(await api.call("accounts:resetPassword", reset, from: "192.0.2.1").status == 200)
        #expect(await signIn("ada", "quite another one", from: "192.0.2.1") == nil)

        api.world.clock.advance(by: .minutes(6))
        #expect(await askForReset(of: "ada", from: "192.0.2.1") == nil, "and a mail every six minutes")
    }

    /// C13, C14.
    @Test func `looks up wrong codes up to the limit`() async {
        var lookedUp = 0
        for _ in 0..<10_000 {
            let body = JSON.object(["oobCode": .string(OobCode(random: api.world.random.bytes).text)])
            if await api.call("accounts:resetPassword", body).json.errorCode == "INVALID_OOB_CODE" { lookedUp += 1 }
        }
        #expect(lookedUp == 60)
    }

    /// A change of address mails an address that the account does not own.
    @Test func `counts the mails of an account, whatever their recipient`() async throws {
        let token = try await api.tokens(of: "ada").idToken
        for number in 0..<12 {
            let body = JSON.object([
                "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": .string(token), "newEmail": .string("p\(number)@example.com"),
            ])
            let answer = await api.call("accounts:sendOobCode", body, from: "10.0.0.\(number)").json
            #expect(answer.errorCode == (number < 10 ? nil : "TOO_MANY_ATTEMPTS_TRY_LATER"))
        }
    }

    /// S5: an account without an address sends no mail that is counted, but its passwords are
    /// hashed.
    @Test func `counts the passwords that an account without an address sets`() async throws {
        let api = try await API { $0.limits(of: 2) }
        var answer = await api.call("accounts:signUp", .object([:])).json
        for code in [nil, "TOO_MANY_ATTEMPTS_TRY_LATER"] {
            let token = try #require(answer["idToken"])
            answer = await api.call("accounts:update", .object(["idToken": token, "password": "a quiet long phrase"])).json
            #expect(answer.errorCode == code)
        }
    }
}
