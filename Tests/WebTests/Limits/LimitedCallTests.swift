import Accounts
import Base
import Foundation
import HTTPTypes
import Store
import Testing
import World
@testable import Web

@Suite struct `A call under the default limits` {
    let api: API

    init() async throws {
        api = try await API([.hidesAccounts]) { Limits(Limit.standards, secrets: $0.secrets, uptime: $0.clock.uptime) }
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
        let link = try #require(try await api.world.mails().first { $0.to == "ada@example.com" }?.link)
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
            #expect(asked == nil)
        }
        #expect(await signIn("ada", API.password, from: "192.0.2.1") == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(await signIn("ada", API.password, from: "192.0.2.2") == nil, "elsewhere its owner comes in")
    }

    @Test func `with the right password is not limited`() async {
        for _ in 0..<15 { #expect(await signIn("ada", API.password, from: "192.0.2.1") == nil) }
    }

    /// B2, V1: mails to one address from any source, and from one source to any address. No
    /// answer shows that an address got enough.
    @Test func `queues no mail above the limit, and does not say so`() async throws {
        for source in 0..<200 { #expect(await askForReset(of: "ada", from: "10.0.\(source).1") == nil) }
        #expect(try await mails() == 10)
        for number in 0..<300 {
            let body = JSON.object([
                "requestType": "EMAIL_SIGNIN", "continueUrl": "https://app.example/", "email": .string("p\(number)@example.com"),
            ])
            _ = await api.call("accounts:sendOobCode", body, from: "2001:db8::\(number)")
        }
        #expect(try await mails() == 110)
    }

    /// B4, V1: strangers use up one kind of mail, and the owner gets the others, signs in from
    /// anywhere, and opens the links that the strangers asked for.
    @Test func `does not lock the owner out`() async throws {
        for attempt in 0..<100 { _ = await signIn("ada", "wrong", from: "10.0.\(attempt / 10).1") }
        #expect(await signIn("ada", API.password, from: "192.0.2.1") == nil)

        let eve = try await api.tokens(of: "grace").idToken
        for attempt in 0..<10 {
            let change = JSON.object([
                "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": .string(eve), "newEmail": "ada@example.com",
            ])
            #expect(await api.call("accounts:sendOobCode", change, from: "10.1.\(attempt).1").json.errorCode == nil)
            let signIn = JSON.object(["requestType": "EMAIL_SIGNIN", "continueUrl": "https://app.example/", "email": "ada@example.com"])
            #expect(await api.call("accounts:sendOobCode", signIn, from: "10.1.\(attempt).1").json.errorCode == nil)
        }
        let before = try await mails()
        #expect(await askForReset(of: "ada", from: "192.0.2.1") == nil)
        #expect(try await mails() == before + 1)

        for attempt in 0..<20 { _ = await askForReset(of: "ada", from: "10.2.\(attempt).1") }
        let reset = JSON.object(["oobCode": .string(try await newestCode()), "newPassword": "quite another one"])
        #expect(await api.call("accounts:resetPassword", reset, from: "192.0.2.1").status == 200)
        #expect(await signIn("ada", "quite another one", from: "192.0.2.1") == nil)
    }

    /// B4: whether the client applies the code, or a server of the team at the same address.
    @Test(arguments: [true, false]) func `a new password ends the count of wrong ones`(byAdmin: Bool) async throws {
        for _ in 0..<20 { _ = await signIn("ada", "wrong", from: "192.0.2.1") }
        #expect(await signIn("ada", API.password, from: "192.0.2.1") == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(await askForReset(of: "ada", from: "192.0.2.1") == nil)
        let reset = JSON.object(["oobCode": .string(try await newestCode()), "newPassword": "quite another one"])
        let headers: HTTPFields = byAdmin ? [.authorization: "Bearer owner"] : [:]
        #expect(await api.call("accounts:resetPassword", reset, headers: headers, from: "192.0.2.1").status == 200)
        #expect(await signIn("ada", "quite another one", from: "192.0.2.1") == nil)
    }

    /// B4, V1: whichever kind of mail strangers use up, the owner gets every other kind. An address
    /// without an account, which gets decoys, is answered the same.
    @Test(arguments: ["PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL"])
    func `for one kind of mail uses up no other`(kind: String) async throws {
        var answers: [[String?]] = []
        for name in ["ada", "stranger"] {
            let token = try await api.tokens(of: "grace").idToken
            func ask(_ kind: String, from peer: String) async throws -> String? {
                var body: KeyValuePairs<String, JSON?> = [
                    "requestType": .string(kind), "email": .string("\(name)@example.com"), "continueUrl": "https://app.example/",
                ]
                if kind == "VERIFY_AND_CHANGE_EMAIL" {
                    body = ["requestType": .string(kind), "idToken": .string(token), "newEmail": .string("\(name)@example.com")]
                } else if kind == "VERIFY_EMAIL" {
                    body = ["requestType": .string(kind), "idToken": .string(try await api.tokens(of: "ada").idToken)]
                }
                return await api.call("accounts:sendOobCode", .object(body), from: peer).json.errorCode
            }
            var answersToName: [String?] = []
            for attempt in 0..<10 { answersToName.append(try await ask(kind, from: "10.1.\(attempt).1")) }
            for other in ["PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL"] where other != kind {
                let before = try await mails()
                answersToName.append(try await ask(other, from: "192.0.2.1"))
                let isMailed = name == "ada" || other != "PASSWORD_RESET"
                #expect(try await mails() == before + (isMailed ? 1 : 0), "\(other) to \(name)")
            }
            answers.append(answersToName)
            api.world.clock.advance(by: .hours(2))
        }
        #expect(answers[0] == answers[1] && answers[0].allSatisfy { $0 == nil })
    }

    /// V1: where the account was used before, its user has a count apart, which returns sooner.
    @Test func `knows the networks from which a user signed in`() async throws {
        #expect(await signIn("ada", API.password, from: "192.0.2.1") == nil)
        for _ in 0..<10 { _ = await signIn("ada", "wrong", from: "10.0.0.1") }
        for _ in 0..<10 { _ = await signIn("ada", "wrong", from: "192.0.2.77") }
        api.world.clock.advance(by: .minutes(2))
        #expect(await signIn("ada", API.password, from: "10.0.0.1") == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(await signIn("ada", API.password, from: "192.0.2.77") == nil)
        api.world.clock.advance(by: Accounts.networkRetention + .seconds(1))
        for _ in 0..<10 { _ = await signIn("ada", "wrong", from: "192.0.2.77") }
        api.world.clock.advance(by: .minutes(2))
        #expect(await signIn("ada", API.password, from: "192.0.2.77") == "TOO_MANY_ATTEMPTS_TRY_LATER", "forgotten")
    }

    /// V1: an address that got enough is not charged for mails that were refused for other reasons.
    @Test func `counts only mails that are written`() async throws {
        let off = try await API([.withoutEmailLinks]) { Limits(Limit.standards, secrets: $0.secrets, uptime: $0.clock.uptime) }
        for attempt in 0..<12 {
            let body = JSON.object(["requestType": "EMAIL_SIGNIN", "continueUrl": "https://app.example/", "email": "ada@example.com"])
            #expect(await off.call("accounts:sendOobCode", body, from: "10.1.\(attempt).1").json.errorCode == "OPERATION_NOT_ALLOWED")
        }
        let taken = JSON.object([
            "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": .string(try await off.tokens(of: "grace").idToken),
            "newEmail": "ada@example.com",
        ])
        for attempt in 0..<12 { _ = await off.call("accounts:sendOobCode", taken, from: "10.2.\(attempt).1") }
        #expect(try await off.world.store.countMails(in: off.world.project.id) == 0)
        let reset = JSON.object(["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        for attempt in 0..<10 { #expect(await off.call("accounts:sendOobCode", reset, from: "10.3.\(attempt).1").json.errorCode == nil) }
        #expect(await off.call("accounts:sendOobCode", reset, from: "10.4.1.1").json.errorCode == "RESET_PASSWORD_EXCEED_LIMIT")
    }

    /// V6: the answer that an address is taken costs ten sign-ups.
    @Test func `tells few addresses that are taken to one source`() async throws {
        func signUp(_ name: String, _ password: String) async -> String? {
            let body = JSON.object(["email": .string("\(name)@example.com"), "password": .string(password)])
            return await api.call("accounts:signUp", body, from: "192.0.2.1").json.errorCode
        }
        #expect(await signUp("ada", "short")?.hasPrefix("WEAK_PASSWORD") == true, "the password is looked at first")
        var told = 0
        for _ in 0..<20 where await signUp("ada", "a quiet long phrase") == "EMAIL_EXISTS" { told += 1 }
        #expect(told == 10)
    }

    /// C13, C14, V1: a right code is never refused because of others' wrong ones.
    @Test func `refuses wrong codes above the limit, and no right one`() async throws {
        func look(_ code: String) async -> String? {
            await api.call("accounts:resetPassword", .object(["oobCode": .string(code)])).json.errorCode
        }
        #expect(await askForReset(of: "ada", from: "192.0.2.9") == nil)
        var wrong = 0
        for _ in 0..<1_000 where await look(OobCode(random: api.world.random.bytes).text) == "INVALID_OOB_CODE" { wrong += 1 }
        #expect(wrong == 60)
        #expect(try await look(newestCode()) == nil)
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
