import Accounts
import Base
import HTTPTypes
import Store
import Testing
import World
@testable import Web

/// V11, `accounts:watch`: a client waits until the account of its user changes.
@Suite struct `A client that waits for its account` {
    private typealias Reply = (status: Int, json: JSON)

    private let api: API
    private let tokens: API.Held
    private var watch: AccountWatch { api.site.identityToolkit.watch }

    init() async throws {
        api = try await API([.production])
        tokens = try await api.tokens(of: "ada")
    }

    private func ask(since mark: String? = nil, from peer: String = "127.0.0.1") async -> Reply {
        let since = mark.map { [JSON.Member(name: "since", value: .string($0))] } ?? []
        return await api.call(
            "accounts:watch", .object([JSON.Member(name: "idToken", value: .string(tokens.idToken))] + since), from: peer)
    }

    private func mark() async throws -> String {
        let reply = await ask()
        #expect(reply.status == 200 && reply.json["localId"] == "ada" && reply.json["changed"] == .bool(false))
        return try #require(reply.json["since"]?.string)
    }

    /// The reply to a client that waited while `change` ran.
    private func reply(to change: () async throws -> Void) async throws -> (Reply, mark: String) {
        let mark = try await mark()
        async let waiting = ask(since: mark)
        try await eventually("the wait") { watch.count == 1 }
        try await change()
        let reply = await waiting
        #expect(watch.count == 0)
        return (reply, mark)
    }

    private func update(_ change: @escaping @Sendable (inout Account) -> Void) async throws {
        let project = api.world.project.id
        try await api.world.store.transaction { (records) throws(ActionError) in
            guard var account = try records.account(AccountID(rawValue: "ada"), in: project) else { return }
            change(&account)
            try records.update(account)
        }
    }

    @Test func `hears of a press on a mailed link`() async throws {
        let code = try await api.code(.verifyEmail, for: "ada")
        let (reply, mark) = try await reply {
            let applied = await api.call("accounts:update", .object(["oobCode": .string(code.text)]))
            #expect(applied.status == 200)
        }
        #expect(reply.status == 200 && reply.json["changed"] == .bool(true))
        #expect(reply.json["since"] != nil && reply.json["since"] != .string(mark))
        #expect(try await self.mark() == reply.json["since"]?.string)
    }

    @Test(arguments: ["a name", "a provider", "no provider", "a second factor", "developer claims"])
    func `hears of`(_ change: String) async throws {
        let google = LinkedProvider(provider: "google.com", rawID: "g-ada", email: "ada@gmail.example")
        if change == "no provider" { try await api.link(google, to: "ada") }
        let project = api.world.project.id
        let (reply, _) = try await reply {
            switch change {
            case "a name": try await update { $0.displayName = "Countess" }
            case "a provider": try await api.link(google, to: "ada")
            case "no provider":
                _ = try await api.world.store.transaction { (records) throws(ActionError) in
                    try records.deleteLinkedProvider("google.com", of: AccountID(rawValue: "ada"), in: project)
                }
            case "a second factor":
                try await api.enroll(
                    SecondFactor(
                        id: "f1", kind: .phone, displayName: "Phone", phoneNumber: "+15555550100", enrolledAt: api.world.clock.now()),
                    for: "ada")
            default: try await update { $0.customAttributes = #"{"admin":true}"# }
            }
        }
        #expect(reply.json["changed"] == .bool(true), "\(reply.json.text)")
    }

    @Test(arguments: [
        ("sessions end", "TOKEN_EXPIRED"), ("the account is disabled", "USER_DISABLED"), ("the account is deleted", "USER_NOT_FOUND"),
    ])
    func `gets the error of lookup when`(_ event: String, _ code: String) async throws {
        let now = api.world.clock.now()
        let (reply, _) = try await reply {
            switch event {
            case "sessions end": try await update { $0.validSince = now + .seconds(1) }
            case "the account is disabled": try await update { $0.disabled = true }
            default: #expect(await api.call("accounts:delete", .object(["idToken": .string(tokens.idToken)])).status == 200)
            }
        }
        #expect(reply.status == 400 && reply.json.errorCode == code)
        #expect(await ask().json.errorCode == code)
    }

    /// A refresh and a sign-in end no wait, although `lookup` shows their times.
    @Test func `hears nothing of sign-ins and refreshes`() async throws {
        let before = try await mark()
        let signedIn = await api.call(
            "accounts:signInWithPassword", .object(["email": "ada@example.com", "password": .string(API.password)]))
        #expect(signedIn.status == 200)
        api.world.clock.advance(by: .days(1))
        let refreshed = await api.call("token", .object(["grant_type": "refresh_token", "refresh_token": signedIn.json["refreshToken"]]))
        #expect(refreshed.status == 200)
        let profile = try await api.profile("ada")
        #expect(profile.account.lastRefreshAt == api.world.clock.now())
        #expect(watch.mark(of: profile) == before)
    }

    @Test func `that knows another state is answered at once`() async throws {
        let reply = await ask(since: "AAAAAAAAAAAAAAAAAAAAAA")
        #expect(reply.status == 200 && reply.json["changed"] == .bool(true))
    }

    @Test func `is answered after fifty seconds`() async throws {
        let (reply, mark) = try await reply {
            api.world.clock.advance(by: AccountWatch.longest - .seconds(1))
            watch.pass()
            #expect(watch.count == 1)
            api.world.clock.advance(by: .seconds(1))
            watch.pass()
        }
        #expect(reply.json == .object(["localId": "ada", "since": .string(mark), "changed": .bool(false)]))
    }

    /// A reload replaces the object that holds the waits.
    @Test func `hears of a change after a reload`() async throws {
        let user = try await api.user(behind: tokens.idToken)
        var former: AccountWatch? = AccountWatch(
            accounts: api.site.identityToolkit.accounts, crossOrigin: api.site.identityToolkit.crossOrigin)
        let response = former?.hold(user.watched, since: try await mark(), from: "203.0.113.9", origin: nil)
        former = nil
        try await update { $0.displayName = "Countess" }
        let (_, body) = try #require(await response?.completed())
        #expect(try JSON(body)["changed"] == .bool(true))
    }

    /// The browser lets its page read the late response as well.
    @Test func `gets a response for its page`() async throws {
        let mark = try await mark()
        let body: JSON = .object(["idToken": .string(tokens.idToken), "since": .string(mark)])
        async let waiting = api.respond(
            .post, "/v1/accounts:watch?key=shop-key",
            headers: [.contentType: "application/json", .origin: "https://app.example"], body: body.bytes)
        try await eventually("the wait") { watch.count == 1 }
        try await update { $0.displayName = "Countess" }
        let response = await waiting
        #expect(response.headers[.accessControlAllowOrigin] == "https://app.example")
        #expect(response.headers[.cacheControl] == "no-store" && response.headers[.contentType] == "application/json; charset=utf-8")
    }

    @Test func `makes room, the oldest first, for the ninth of its account`() async throws {
        let mark = try await mark()
        await withTaskGroup { group in
            for number in 0..<9 {
                group.addTask { (number, await ask(since: mark)) }
                try? await eventually("wait \(number)") { watch.count == min(number + 1, 8) }
            }
            let first = await group.next()
            #expect(first?.0 == 0 && first?.1.json["changed"] == .bool(false) && first?.1.status == 200)
            try? await update { $0.displayName = "Countess" }
            for await (_, reply) in group { #expect(reply.json["changed"] == .bool(true)) }
        }
    }

    @Test func `makes room, the oldest first, for another of its source`() async throws {
        let few = AccountWatch(
            accounts: api.site.identityToolkit.accounts, crossOrigin: api.site.identityToolkit.crossOrigin, maxPerSource: 2)
        let user = try await api.user(behind: tokens.idToken)
        let mark = few.mark(of: user.profile)
        let waits = ["203.0.113.9", "203.0.113.9", "198.51.100.1", "203.0.113.9"].map {
            few.hold(user.watched, since: mark, from: $0, origin: nil)
        }
        #expect(few.count == 3)
        #expect(await waits[0].completed().0.status == .ok)
        #expect(AccountWatch.maxPerSource == 1_000)
    }

    /// Another process cannot tell on SQLite, such as `onward users` on the command line.
    @Test func `hears of a change by another process`() async throws {
        let other = try await api.world.killed()
        let project = api.world.project.id
        let (reply, _) = try await reply {
            try await other.store.transaction { (records) throws(ActionError) in
                guard var account = try records.account(AccountID(rawValue: "ada"), in: project) else { return }
                account.emailVerified = true
                try records.update(account)
            }
            api.world.clock.advance(by: .seconds(5))
            watch.pass()
        }
        #expect(reply.json["changed"] == .bool(true))
    }

    /// T8: after a theft, for instance.
    @Test func `a client that waits hears nothing of the account once its session alone has ended`() async throws {
        let project = api.world.project.id
        let (reply, _) = try await reply {
            try await api.world.store.transaction { (records) throws(ActionError) in
                try records.deleteSessions(of: AccountID(rawValue: "ada"), in: project)
            }
            // Wakes a client that has not noticed.
            try await update { $0.displayName = "Countess" }
        }
        #expect(reply.status == 400 && reply.json.errorCode == "TOKEN_EXPIRED")
    }
}
