import Accounts
import Base
import Foundation
import Store
import Testing
import World
@testable import Web

/// Limits of effects are given back if nothing was written or sent, and questions are paid for by
/// the client that asks, before they are answered.
@Suite struct `A limit that is collected` {
    private func limitedAPI(_ variations: Set<API.Variation> = [.hidesAccounts]) async throws -> API {
        try await API(variations) { Limits(Limit.standards, secrets: $0.secrets, uptime: $0.clock.uptime) }
    }

    private static let tooMany = "TOO_MANY_ATTEMPTS_TRY_LATER"
    private static let own = "192.0.2.1"

    /// An unsigned token of a provider, as a form.
    private static func form(_ user: String, _ email: String, isVerified: Bool = false) -> JSON {
        let token = #"{"sub":"\#(user)","email":"\#(email)","email_verified":\#(isVerified)}"#
        let escaped = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return .string("providerId=google.com&id_token=\(escaped)")
    }

    private func signInByProvider(
        _ api: API, as user: String, _ email: String, isVerified: Bool = false, idToken: String? = nil, creates: Bool? = nil,
        from peer: String = own
    ) async -> JSON {
        let body = JSON.object([
            "requestUri": "http://localhost", "postBody": Self.form(user, email, isVerified: isVerified),
            "idToken": .string(ifAny: idToken), "autoCreate": creates.map { .bool($0) },
        ])
        return await api.call("accounts:signInWithIdp", body, from: peer).json
    }

    private func signUp(_ api: API, _ name: String, from peer: String) async -> String? {
        let body = JSON.object(["email": .string("\(name)@example.com"), "password": "a quiet long phrase"])
        return await api.call("accounts:signUp", body, from: peer).json.errorCode
    }

    private func guest(_ api: API, from peer: String) async throws -> String {
        try #require(await api.call("accounts:signUp", .object([:]), from: peer).json["idToken"]?.string)
    }

    // MARK: Effects that did not come about

    /// B4: limits do not lock out the owner of an address.
    @Test func `takes no mail for a password that is refused`() async throws {
        let api = try await limitedAPI()
        let token = try await api.tokens(of: "ada").idToken
        func change(to password: String) async -> JSON {
            await api.call("accounts:update", .object(["idToken": .string(token), "password": .string(password)]), from: Self.own).json
        }
        for _ in 0..<20 { #expect(await change(to: "short").errorCode == "WEAK_PASSWORD") }
        let verify = JSON.object(["requestType": "VERIFY_EMAIL", "idToken": .string(token)])
        #expect(await api.call("accounts:sendOobCode", verify, from: Self.own).json.errorCode == nil)
        #expect(await change(to: "a quiet long phrase").errorCode == nil)
    }

    /// B4: limits do not lock out the owner of an address.
    @Test func `takes no sign-up for a password that is refused`() async throws {
        let api = try await limitedAPI()
        for _ in 0..<120 {
            let body = JSON.object(["email": "new@example.com", "password": "short"])
            #expect(await api.call("accounts:signUp", body, from: Self.own).json.errorCode == "WEAK_PASSWORD")
        }
        #expect(await signUp(api, "new", from: Self.own) == nil)
    }

    /// B4: the codes are counted with the number.
    @Test func `takes no mail for a mistyped code of an enrolment`() async throws {
        let api = try await limitedAPI()
        let (number, token) = ("+15555550101", try await api.tokens(of: "grace").idToken)
        func start() async throws -> TextMessage {
            let body = JSON.object(["idToken": .string(token), "phoneEnrollmentInfo": .object(["phoneNumber": .string(number)])])
            let answer = await api.call("accounts/mfaEnrollment:start", version: "v2", body, from: Self.own).json
            _ = try #require(answer["phoneSessionInfo"], "\(answer.text)")
            return try api.texts.newest(to: number)
        }
        func finish(_ message: TextMessage, _ code: String) async -> JSON {
            let info = JSON.object(["sessionInfo": .string(message.sessionInfo), "code": .string(code)])
            let body = JSON.object(["idToken": .string(token), "phoneVerificationInfo": info])
            return await api.call("accounts/mfaEnrollment:finalize", version: "v2", body, from: Self.own).json
        }
        let first = try await start()
        for _ in 0..<4 { #expect(await finish(first, first.wrongCode).errorCode == "INVALID_CODE") }
        let second = try await start()
        #expect(await finish(second, second.wrongCode).errorCode == "INVALID_CODE")
        for _ in 0..<8 { #expect(await finish(second, second.code).errorCode == Self.tooMany, "in the pause") }
        api.world.clock.advance(by: .seconds(31))
        let enrolled = await finish(second, second.code)
        #expect(enrolled["idToken"] != nil, "\(enrolled.text)")
    }

    /// J3: no message is sent in a pause, and none is counted.
    @Test func `takes no text message in a pause after wrong codes`() async throws {
        let api = try await limitedAPI()
        func send() async -> String? {
            await api.call("accounts:sendVerificationCode", .object(["phoneNumber": "+15555550199"]), from: Self.own).json.errorCode
        }
        #expect(await send() == nil)
        let message = try api.texts.newest(to: "+15555550199")
        for _ in 0..<5 {
            let code = JSON.object(["sessionInfo": .string(message.sessionInfo), "code": .string(message.wrongCode)])
            #expect(await api.call("accounts:signInWithPhoneNumber", code, from: Self.own).json.errorCode == "INVALID_CODE")
        }
        for _ in 0..<8 { #expect(await send() == Self.tooMany) }
        #expect(api.texts.all.count == 1)
        api.world.clock.advance(by: .seconds(31))
        #expect(await send() == nil)
    }

    /// J3: the app asks for another message, because there is no code that could be checked.
    @Test(arguments: [
        ActionError.refused(.invalidPhoneNumber), .unavailable(Unavailable(.textMessages, cause: "down")),
    ]) func `takes no text message that the sender refused`(error: ActionError) async throws {
        let api = try await limitedAPI()
        let body = JSON.object(["phoneNumber": "+15555550199"])
        api.texts.fail(error)
        // The sender was asked, so the source has used up some of what it may ask.
        let count = error.refusal == nil ? 40 : 29
        for _ in 0..<count { #expect(await api.call("accounts:sendVerificationCode", body, from: Self.own).json.errorCode != Self.tooMany) }
        api.texts.fail(nil)
        #expect(await api.call("accounts:sendVerificationCode", body, from: Self.own).json.errorCode == nil)
    }

    /// B4: where accounts are not hidden, a refused address is an answer, and a mail is none.
    @Test func `takes no question for a mail that is sent`() async throws {
        let api = try await API { Limits([.probesPerSource: Allowance(1, per: .hours(1))], secrets: $0.secrets, uptime: $0.clock.uptime) }
        func ask(_ name: String) async -> String? {
            let body = JSON.object(["requestType": "PASSWORD_RESET", "email": .string("\(name)@example.com")])
            return await api.call("accounts:sendOobCode", body, from: Self.own).json.errorCode
        }
        for _ in 0..<3 { #expect(await ask("ada") == nil) }
        #expect(await ask("stranger") == "EMAIL_NOT_FOUND")
        #expect(await ask("stranger") == Self.tooMany)
        #expect(await ask("ada") == nil)
    }

    /// J3: numbers that do not exist do not keep the sender of the messages busy.
    @Test func `ends the requests of a source whose numbers are all refused`() async throws {
        let api = try await limitedAPI()
        api.texts.fail(.refused(.invalidPhoneNumber))
        func ask(_ number: Int, from peer: String) async -> String? {
            let body = JSON.object(["phoneNumber": .string("+1555555\(1000 + number)")])
            return await api.call("accounts:sendVerificationCode", body, from: peer).json.errorCode
        }
        for number in 0..<30 { #expect(await ask(number, from: Self.own) == "INVALID_PHONE_NUMBER") }
        #expect(await ask(30, from: Self.own) == Self.tooMany)
    }

    /// V1: an old token of an intruder edits the profile and asks for mails without end.
    @Test func `keeps no owner from shutting an intruder out`() async throws {
        let api = try await limitedAPI()
        let intruder = try await api.tokens(of: "ada").idToken
        func update(_ name: String, _ value: JSON, with token: String, from peer: String) async -> JSON {
            let body = JSON.object(["idToken": .string(token), name: value, "returnSecureToken": .bool(true)])
            return await api.call("accounts:update", body, from: peer).json
        }
        var answers: [String?] = []
        for _ in 0..<40 { answers.append(await update("displayName", "Eve", with: intruder, from: "198.51.100.1").errorCode) }
        #expect(answers.contains(Self.tooMany))
        let verification = JSON.object(["requestType": "VERIFY_EMAIL", "idToken": .string(intruder)])
        for _ in 0..<12 { _ = await api.call("accounts:sendOobCode", verification, from: "198.51.100.1") }
        let owner = try await api.tokens(of: "ada").idToken
        let changed = await update("password", "a quiet long phrase", with: owner, from: Self.own)
        #expect(changed.errorCode == nil)
        let next = try #require(changed["idToken"]?.string)
        #expect(await update("deleteProvider", .array(["google.com"]), with: next, from: Self.own).errorCode == nil)
        #expect(await api.call("accounts:delete", .object(["idToken": .string(next)]), from: Self.own).status == 200)
    }

    @Test(arguments: [Unavailable.CommitState.notCommitted, .unknown]) func `tells an app to ask for another text message`(
        state: Unavailable.CommitState
    ) async throws {
        let api = try await API()
        api.texts.fail(.unavailable(Unavailable(.textMessages, cause: "status 500", commitState: state)))
        let answer = await api.call("accounts:sendVerificationCode", .object(["phoneNumber": "+15555550199"])).json
        #expect(answer.text.contains("check the code") == false && answer.text.contains("ask for another"), "\(answer.text)")
    }

    /// A notice that is refused leaves the sign-ins with providers alone.
    @Test func `takes no sign-in with a provider for a link without a notice`() async throws {
        let api = try await API {
            Limits(
                [.mailsPerAccount: Allowance(1, per: .hours(1)), .providerSignInsPerSource: Allowance(2, per: .hours(1))],
                secrets: $0.secrets, uptime: $0.clock.uptime)
        }
        let token = try await api.tokens(of: "grace").idToken
        let linked = await signInByProvider(api, as: "g-0", "x@example.com", idToken: token)
        let next = try #require(linked["idToken"]?.string)
        for _ in 0..<5 {
            #expect(await signInByProvider(api, as: "g-1", "x@example.com", idToken: next).errorCode == Self.tooMany)
        }
        #expect(await signInByProvider(api, as: "g-2", "new@example.com", isVerified: true).errorCode == nil)
    }

    /// The account has the number, so no notice is written.
    @Test func `takes no mail for a phone number that the account has`() async throws {
        let api = try await limitedAPI()
        let token = try await api.tokens(of: "radia").idToken
        for _ in 0..<4 {
            _ = await api.call("accounts:sendVerificationCode", .object(["phoneNumber": "+15555550123"]), from: Self.own)
            let message = try api.texts.newest(to: "+15555550123")
            let body = JSON.object([
                "idToken": .string(token), "sessionInfo": .string(message.sessionInfo), "code": .string(message.code),
            ])
            #expect(await api.call("accounts:signInWithPhoneNumber", body, from: Self.own).json.errorCode == nil)
        }
        let verify = JSON.object(["requestType": "VERIFY_EMAIL", "idToken": .string(token)])
        for _ in 0..<10 { #expect(await api.call("accounts:sendOobCode", verify, from: Self.own).json.errorCode == nil) }
    }

    // MARK: Questions

    /// V6: whether an address is taken, by every way in which a claimed address asks it.
    @Test(arguments: [true, false], [true, false]) func `answers ten questions whether a claimed address is taken`(
        isLink: Bool, hides: Bool
    ) async throws {
        let api = try await limitedAPI(hides ? [.hidesAccounts] : [])
        var told = 0
        for number in 0..<60 {
            let peer = "192.0.2.\(number + 10)"
            let idToken = isLink ? try await guest(api, from: peer) : nil
            let answer = await signInByProvider(
                api, as: "u\(number)", number % 2 == 0 ? "ada@example.com" : "none\(number)@example.com", idToken: idToken,
                creates: isLink ? nil : false)
            guard number % 2 == 0 || !isLink else { continue }
            if answer.errorCode != Self.tooMany { told += 1 }
        }
        #expect(told == 10)
        #expect(await signUp(api, "other", from: "192.0.2.200") == nil, "neighbours sign up")
        #expect(await signUp(api, "another", from: Self.own) == Self.tooMany)
    }

    /// V1: the source that asks pays, and none around it.
    @Test(arguments: [("2001:db8::1", "2001:db8:0:1::2"), ("192.0.2.1", "192.0.2.2")]) func `leaves the neighbours their sign-ups`(
        peer: String, neighbour: String
    ) async throws {
        let api = try await limitedAPI()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<800 {
                group.addTask { _ = await signInByProvider(api, as: "u\(number)", "ada@example.com", creates: false, from: peer) }
            }
        }
        #expect(await signUp(api, "new", from: neighbour) == nil)
        #expect(await signInByProvider(api, as: "n", "n@example.com", from: neighbour)["isNewUser"] == .bool(true))
    }

    /// V1: a user whom an account is linked to asks nothing.
    @Test func `lets linked users in whatever was asked`() async throws {
        let api = try await limitedAPI()
        #expect(await signInByProvider(api, as: "u", "u@example.com")["isNewUser"] == .bool(true))
        for number in 0..<40 { _ = await signInByProvider(api, as: "x\(number)", "ada@example.com", creates: false) }
        for number in 0..<120 { _ = await signInByProvider(api, as: "v\(number)", "v\(number)@example.com", isVerified: true) }
        #expect(await signInByProvider(api, as: "u", "u@example.com").errorCode == nil)
        #expect(await signInByProvider(api, as: "v1", "v1@example.com", isVerified: true).errorCode == nil)
    }

    /// V6: a request for a reset that tells of an account is a question as well.
    @Test func `keeps questions that a refused mail answered`() async throws {
        let api = try await limitedAPI([])
        var told = 0
        for number in 0..<400 {
            let body = JSON.object(["requestType": "PASSWORD_RESET", "email": .string("none\(number)@example.com")])
            if await api.call("accounts:sendOobCode", body, from: Self.own).json.errorCode == "EMAIL_NOT_FOUND" { told += 1 }
        }
        #expect(told <= 300)
    }

    // MARK: Writes

    @Test func `counts accounts that a provider's sign-in creates`() async throws {
        let api = try await limitedAPI()
        var created = 0
        for number in 0..<150 {
            let answer = await signInByProvider(api, as: "u\(number)", "u\(number)@example.com", isVerified: true)
            if answer["isNewUser"] == .bool(true) { created += 1 }
        }
        #expect(created == 100)
    }

    @Test func `counts accounts that a phone's sign-in creates`() async throws {
        let api = try await API {
            Limits([.signUpsPerSource: Allowance(2, per: .hours(1))], secrets: $0.secrets, uptime: $0.clock.uptime)
        }
        func signIn(_ number: Int) async throws -> JSON {
            let phone = JSON.string("+1555555\(2_000 + number)")
            _ = await api.call("accounts:sendVerificationCode", .object(["phoneNumber": phone]), from: Self.own)
            let message = try api.texts.newest(to: phone.string ?? "")
            let body = JSON.object(["sessionInfo": .string(message.sessionInfo), "code": .string(message.code)])
            return await api.call("accounts:signInWithPhoneNumber", body, from: Self.own).json
        }
        for number in 0..<4 { #expect(try await signIn(number).errorCode == (number < 2 ? nil : Self.tooMany)) }
        #expect(try await signIn(0).errorCode == nil, "its user comes back")
        api.world.clock.advance(by: .minutes(30))
        #expect(try await signIn(2)["isNewUser"] == .bool(true))
    }

    /// 400 of 400 were written.
    @Test func `counts the changes of an account and of a source`() async throws {
        let api = try await limitedAPI()
        let token = try await api.tokens(of: "ada").idToken
        func change(_ name: String) async -> JSON {
            await api.call("accounts:update", .object(["idToken": .string(token), "displayName": .string(name)]), from: Self.own).json
        }
        var written = 0
        for number in 0..<400 where await change("\(number)").errorCode == nil { written += 1 }
        #expect(written < 100)

        let profile = JSON.object(["idToken": .string(try await api.tokens(of: "grace").idToken), "displayName": "G"])
        #expect(await api.call("accounts:update", profile, from: Self.own).json.errorCode == nil, "another user of the same office")

        var deleted = 0
        for number in 0..<400 {
            let body = JSON.object(["idToken": .string(try await guest(api, from: "2001:db8:\(number)::1"))])
            if await api.call("accounts:delete", body, from: Self.own).json.errorCode == nil { deleted += 1 }
        }
        #expect(deleted < 300)
    }

    /// The notice is counted if it is written.
    @Test func `a notice is counted for a phone number that is new to the account, and for no other`() async throws {
        let api = try await API {
            Limits([.mailsPerAccount: Allowance(1, per: .hours(1))], secrets: $0.secrets, uptime: $0.clock.uptime)
        }
        let token = try await api.tokens(of: "radia").idToken
        func link(_ number: String) async throws -> String? {
            _ = await api.call("accounts:sendVerificationCode", .object(["phoneNumber": .string(number)]), from: Self.own)
            let message = try api.texts.newest(to: number)
            let body = JSON.object([
                "idToken": .string(token), "sessionInfo": .string(message.sessionInfo), "code": .string(message.code),
            ])
            return await api.call("accounts:signInWithPhoneNumber", body, from: Self.own).json.errorCode
        }
        for number in ["+15555550123", "+15555550123", "+15555550199"] { #expect(try await link(number) == nil, "\(number)") }
        #expect(try await link("+15555550198") == Self.tooMany)
    }
}
