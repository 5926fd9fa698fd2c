import Accounts
import Base
import Foundation
import HTTPTypes
import Store
import Testing
import World
@testable import Web

/// Random requests about one address, where accounts are hidden and sign-up is by link. They are
/// made to two installations: only one of them has an account with the address.
@Suite struct `A stranger who asks at random` {
    private static let target = "target@example.com"
    private static let first = UInt64(ProcessInfo.processInfo.environment["ONWARD_SIMULATION_SEED"].flatMap { Int($0) } ?? 1)

    private static func api(withAccount hasAccount: Bool) async throws -> API {
        let api = try await API([.hidesAccounts, .signUpsByLink]) { Limits(Limit.standards, secrets: $0.secrets, uptime: $0.clock.uptime) }
        guard hasAccount else { return api }
        let hash = try await api.world.passwords.hash(API.password)
        try await api.world.account(target, id: "target") { ($0.passwordHash, $0.emailVerified) = (hash, true) }
        return api
    }

    /// Decides a request, or the time until the next one.
    private static func request(
        _ generator: inout Generator
    ) -> (method: String, body: @Sendable (API) async throws -> JSON, peer: String)? {
        let (host, network) = (1 + generator.next(below: 9), generator.next(below: 40))
        let from = ["10.0.0.\(host)", "10.\(network).1.1", "2001:db8::\(host)"][generator.next(below: 3)]
        let password = ["wrong", "short", "a quite long phrase"][generator.next(below: 3)]
        func sending(_ kind: String) -> JSON {
            .object(["requestType": .string(kind), "email": .string(target), "continueUrl": "https://app.example/"])
        }
        let unknownCode = JSON.string(String(repeating: "A", count: 43))
        switch generator.next(below: 13) {
        case 0, 1:
            return ("accounts:signInWithPassword", { _ in .object(["email": .string(target), "password": .string(password)]) }, from)
        case 2, 3: return ("accounts:sendOobCode", { [body = sending("PASSWORD_RESET")] _ in body }, from)
        case 4: return ("accounts:sendOobCode", { [body = sending("EMAIL_SIGNIN")] _ in body }, from)
        case 5:
            return (
                "accounts:sendOobCode",
                { api in
                    let token = JSON.string(try await api.tokens(of: "grace").idToken)
                    return .object(["requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": token, "newEmail": .string(target)])
                }, from
            )
        case 6:
            let body = JSON.object(["identifier": .string(target), "continueUri": "https://app.example/"])
            return ("accounts:createAuthUri", { _ in body }, from)
        case 7: return ("accounts:signUp", { _ in .object(["email": .string(target), "password": .string(password)]) }, from)
        case 8:
            return ("accounts:signInWithEmailLink", { _ in .object(["email": .string(target), "oobCode": unknownCode]) }, from)
        case 9: return ("accounts:resetPassword", { _ in .object(["oobCode": unknownCode, "newPassword": .string(password)]) }, from)
        case 10:
            return (
                "accounts:update",
                { api in .object(["idToken": .string(try await api.tokens(of: "grace").idToken), "email": .string(target)]) }, from
            )
        default: return nil
        }
    }

    /// The part of an answer that is not random, as a client sees it.
    private static func visible(_ answer: (status: Int, json: JSON)) -> String {
        if answer.status != 200 { return "\(answer.status) \(String(decoding: answer.json.bytes, as: UTF8.self))" }
        guard case .object(let members) = answer.json else { return "200" }
        // The length of a text shows; a token itself is random.
        return
            "200 \(members.map { "\($0.name) \($0.value.string.map { "\($0.count)" } ?? String(decoding: $0.value.bytes, as: UTF8.self))" })"
    }

    /// V6, B1, B2: no answer depends on the account. V1: whatever was asked, its owner signs in,
    /// opens a link and gets a reset, each within ten seconds.
    @Test(arguments: first..<first + 6) func `a stranger learns nothing about an account and cannot lock its owner out`(
        seed: UInt64
    ) async throws {
        let (known, unknown) = (try await Self.api(withAccount: true), try await Self.api(withAccount: false))
        let target = try #require(try await known.world.stored(AccountID(rawValue: "target")))
        let settings = ApprovedSettings(in: known.world.project)
        let link = try #require(try await known.world.accounts.send(CodeRequest(.verifyEmail, for: .account(target), with: settings)))
        var (generator, log) = (Generator(seed: seed), [String]())
        for _ in 0..<200 {
            guard let request = Self.request(&generator) else {
                let span = Duration.seconds(1 + generator.next(below: 120))
                for api in [known, unknown] { api.world.clock.advance(by: span) }
                continue
            }
            let answers = (
                Self.visible(await known.call(request.method, try await request.body(known), from: request.peer)),
                Self.visible(await unknown.call(request.method, try await request.body(unknown), from: request.peer))
            )
            log.append("\(request.method) from \(request.peer): \(answers.0)")
            try #require(answers.0 == answers.1, "\(log.joined(separator: "\n"))")
        }

        func withinTenSeconds(_ what: String, _ isDone: () async throws -> Bool) async throws {
            for _ in 0..<10 {
                if try await isDone() { return }
                known.world.clock.advance(by: .seconds(1))
            }
            Issue.record("\(what), after\n\(log.joined(separator: "\n"))")
        }
        func asOwner(_ method: String, _ body: KeyValuePairs<String, JSON?>) async -> Bool {
            await known.call("accounts:\(method)", .object(body), from: "203.0.113.9").status == 200
        }
        let (address, new) = (JSON.string(Self.target), JSON.string("quite another phrase"))
        try await withinTenSeconds("the password does not sign in") {
            await asOwner("signInWithPassword", ["email": address, "password": .string(API.password)])
        }
        try await withinTenSeconds("a link does not work") { await asOwner("update", ["oobCode": .string(link.code.text)]) }
        try await withinTenSeconds("no reset arrives") {
            _ = await asOwner("sendOobCode", ["requestType": "PASSWORD_RESET", "email": address])
            let mail = try await known.world.mails().first { $0.to == Self.target && $0.kind.action == .resetPassword }
            guard let code = mail?.link?.split(separator: "oobCode=").last.map({ JSON.string(String($0.prefix(43))) }) else { return false }
            return await asOwner("resetPassword", ["oobCode": code, "newPassword": new])
        }
        try await withinTenSeconds("the new password does not sign in") {
            await asOwner("signInWithPassword", ["email": address, "password": new])
        }
    }
}
