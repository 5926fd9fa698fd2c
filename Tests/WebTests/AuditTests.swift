import Accounts
import Base
import HTTPTypes
import Store
import Synchronization
import Testing
import World
@testable import Web

@Suite struct `The audit log` {
    private func ask(_ api: API, _ path: String, _ body: JSON, method: HTTPRequest.Method = .post) async -> (status: Int, json: JSON) {
        let headers: HTTPFields = [.authorization: "Bearer admin-key", .contentType: "application/json"]
        let answer = await api.respond(method, path, headers: headers, body: body.bytes)
        return (answer.status.code, (try? JSON(answer.body)) ?? .null)
    }

    private func records(_ api: API) async throws -> [AuditRecord] { try await api.world.store.audit(after: 0, limit: 99).map(\.record) }

    /// O3: for every method and every result.
    @Test(arguments: APIMethod.all)
    func `is recorded for every method`(_ method: APIMethod) async throws {
        let api = try await API([.production])
        let routes = RouteTable.routes.filter { if case .call(let other) = $0.handler { other == method } else { false } }
        #expect(!routes.isEmpty)
        for (count, route) in routes.enumerated() {
            let verb = if case .only(let only) = route.methods { only } else { HTTPRequest.Method.get }
            let path = route.path.replacing("{project}", with: "shop")
            let status = await ask(api, path, .object(["localId": "ada"]), method: verb).status
            let record = try #require(try await records(api).last)
            #expect(try await records(api).count == count + 1, "\(path)")
            #expect(record.method == "\(method)" && record.actor == "key:k7mq2xwd tests" && record.project == api.world.project.id)
            #expect(record.peer == "127.0.0.1" && record.request?.count == 12 && record.at == api.world.clock.now())
            #expect(record.outcome != nil && (record.outcome == .done) == (status == 200), "\(path)")
        }
    }

    @Test(arguments: [
        ("/v1/projects/shop/accounts:delete", #"{"localId":"nobody-there"}"#, "USER_NOT_FOUND"),
        ("/v1/projects/elsewhere/accounts:delete", #"{"localId":"ada"}"#, "PROJECT_NOT_FOUND"),
        ("/v1/projects/shop/accounts:delete", #"{"localId":"#, "INVALID_ARGUMENT"),
        ("/v1/accounts:delete?key=unknown", #"{"localId":"ada"}"#, "INVALID_ARGUMENT"),
    ])
    func `is recorded with the code of a refusal`(path: String, body: String, code: String) async throws {
        let api = try await API([.production])
        let headers: HTTPFields = [.authorization: "Bearer admin-key", .contentType: "application/json"]
        let answer = await api.respond(.post, path, headers: headers, body: Array(body.utf8))
        #expect(answer.status == .badRequest)
        #expect(try await records(api).map(\.outcome) == [.refused(code: code)])
    }

    /// A client that is not an admin cannot fill the audit log.
    @Test(arguments: ["Bearer x", "Basic admin-key", ""]) func `does not include calls of others`(authorization: String) async throws {
        let api = try await API([.production])
        let headers: HTTPFields = [.authorization: authorization, .contentType: "application/json"]
        _ = await api.respond(
            .post, "/v1/projects/shop/accounts:delete?key=\(API.key)", headers: headers, body: Array(#"{"localId":"ada"}"#.utf8))
        _ = await api.call("accounts:signUp", .object([:]))
        #expect(try await records(api).isEmpty)
    }

    @Test func `is not recorded in development, where every caller is an admin`() async throws {
        let api = try await API()
        let headers: HTTPFields = [.authorization: "Bearer owner", .contentType: "application/json"]
        let answer = await api.respond(
            .post, "/v1/projects/shop/accounts:delete", headers: headers, body: Array(#"{"localId":"ada"}"#.utf8))
        #expect(answer.status == .ok)
        #expect(try await records(api).isEmpty)
    }

    /// Subjects are ids, however the accounts were named.
    @Test(arguments: [
        ("lookup", #"{"localId":["grace","ada","ada"]}"#, ["ada", "grace"]), ("lookup", #"{"email":["ada@example.com"]}"#, ["ada"]),
        ("lookup", #"{"local_id":["ada"],"email":["grace@example.com"]}"#, ["ada", "grace"]), ("update", #"{"localId":"ada"}"#, ["ada"]),
        ("delete", #"{"localId":"ada"}"#, ["ada"]), ("lookup", #"{"localId":["ada@example.com"]}"#, ["(an address)"]),
        ("lookup", #"{"localId":[7,null,{}]}"#, ["7"]), ("signUp", #"{"localId":"new","email":"new@example.com"}"#, ["new"]),
        ("sendOobCode", #"{"requestType":"PASSWORD_RESET","email":"ada@example.com","returnOobLink":true}"#, ["ada"]),
        ("sendOobCode", #"{"requestType":"PASSWORD_RESET","email":"none@example.com","returnOobLink":true}"#, []),
    ])
    func `has the ids of accounts as subjects`(method: String, body: String, subjects: [String]) async throws {
        let api = try await API([.production])
        _ = await ask(api, "/v1/projects/shop/accounts:\(method)", try JSON(Array(body.utf8)))
        #expect(try await records(api).map { $0.subjects.sorted() } == [subjects])
    }

    @Test func `has the account whose mails are listed as subject`() async throws {
        let api = try await API([.production])
        #expect(await ask(api, "/v1/projects/shop/mails?to=ada@example.com", .null, method: .get).status == 200)
        #expect(try await records(api).map(\.method) == ["listMails"])
        #expect(try await records(api).map(\.subjects) == [["ada"]])
    }

    @Test func `has the account of an ID token, and a created account, as subjects`() async throws {
        let api = try await API([.production])
        let idToken = try await api.tokens(of: "ada").idToken
        _ = await ask(api, "/v1/projects/shop/accounts:delete", .object(["idToken": .string(idToken)]))
        let made = await ask(api, "/v1/projects/shop/accounts", .object(["email": "new@example.com"])).json["localId"]?.string
        #expect(try await records(api).map(\.subjects) == [["ada"], [try #require(made)]])
    }

    /// Naming another account does not hide the account of the token.
    @Test(arguments: ["delete", "update", "createSessionCookie"])
    func `has the account of an ID token as subject, whatever account is named beside it`(_ method: String) async throws {
        let api = try await API([.production])
        let idToken = try await api.tokens(of: "ada").idToken
        let path = method == "createSessionCookie" ? "/v1/projects/shop:\(method)" : "/v1/projects/shop/accounts:\(method)"
        let body = JSON.object(["idToken": .string(idToken), "localId": "grace", "displayName": "A", "validDuration": "300"])
        #expect(await ask(api, path, body).status == 200)
        #expect(try await records(api).map { $0.subjects.sorted() } == [["ada", "grace"]])
    }

    /// Nor does a list that is too long to be recorded.
    @Test func `has the account that is named alone as subject, whatever accounts are listed beside it`() async throws {
        let api = try await API([.production])
        let others = (0..<2000).map { JSON.object(["localId": .string("a-\($0)")]) }
        #expect(
            await ask(api, "/v1/projects/shop/accounts:delete", .object(["users": .array(others), "localId": "grace"])).status == 200)
        #expect(try await records(api).last?.subjects.contains("grace") == true)
    }

    /// O1: without address, claim, password, token or link.
    @Test func `is recorded without personal data`() async throws {
        let api = try await API([.production])
        let idToken = try await api.tokens(of: "ada").idToken
        _ = await ask(
            api, "/v1/projects/shop/accounts:update",
            .object([
                "localId": "ada", "email": "canary@example.com", "password": "canary canary", "displayName": "canary",
                "customAttributes": #"{"canary":true}"#, "photoUrl": "https://canary.example/",
            ]))
        let link = await ask(
            api, "/v1/projects/shop/accounts:sendOobCode",
            .object([
                "requestType": "PASSWORD_RESET", "email": "canary@example.com", "returnOobLink": .bool(true),
                "continueUrl": "https://app.example/canary",
            ]))
        #expect(link.json["oobLink"] != nil)
        _ = await ask(
            api, "/v1/projects/shop/accounts:lookup", .object(["idToken": .string(idToken), "email": .array(["canary@example.com"])]))
        let text = try await records(api).map { "\($0)" }.joined()
        #expect(text.contains("ada"))
        for secret in ["canary", "@", idToken, "oobCode", "admin-key"] { #expect(!text.contains(secret), "\(secret)") }
    }

    @Test func `is not run if it cannot be recorded first`() async throws {
        let api = try await API([.production], audit: Broken(fails: .begin))
        let reply = await ask(api, "/v1/projects/shop/accounts:delete", .object(["localId": "ada"]))
        #expect(reply.status == 503 && reply.json.errorCode == "UNAVAILABLE")
        #expect(try await api.stored("ada") != nil)
    }

    /// As if the process died before the result was recorded.
    @Test func `stays recorded without an outcome if the result could not be recorded`() async throws {
        let broken = Broken(fails: .end)
        let api = try await API([.production], audit: broken)
        #expect(await ask(api, "/v1/projects/shop/accounts:delete", .object(["localId": "ada"])).status == 200)
        #expect(try await api.stored("ada") == nil)
        #expect(broken.begun.map(\.subjects) == [["ada"]] && broken.begun.map(\.outcome) == [nil])
    }
}

@Suite struct `A readiness check` {
    /// The store is written at most once a second, however many clients ask; a failure is not
    /// cached.
    @Test func `caches a success for a second, and never a failure`() async throws {
        let clock = TestClock()
        let pings = Mutex(0)
        let isDown = Mutex(false)
        let readiness = Readiness(now: clock.now) { () throws(ActionError) in
            pings.withLock { $0 += 1 }
            if isDown.withLock({ $0 }) { throw .unavailable(Unavailable(.store, cause: "down")) }
        }
        for _ in 0..<3 { try await readiness.check() }
        clock.advance(by: .milliseconds(999))
        try await readiness.check()
        #expect(pings.withLock { $0 } == 1)
        clock.advance(by: .milliseconds(1))
        isDown.withLock { $0 = true }
        for _ in 0..<3 { await #expect(throws: ActionError.self) { try await readiness.check() } }
        #expect(pings.withLock { $0 } == 4)
        isDown.withLock { $0 = false }
        try await readiness.check()
        clock.advance(by: .seconds(-3600))
        try await readiness.check()
        #expect(pings.withLock { $0 } == 6)
    }
}

/// An audit store that fails when a record begins or when it ends.
private final class Broken: AuditStore {
    enum Moment { case begin, end }

    private let moment: Moment
    private let records = Mutex<[AuditRecord]>([])
    var begun: [AuditRecord] { records.withLock { $0 } }

    init(fails moment: Moment) { self.moment = moment }

    func begin(_ record: AuditRecord) async throws(ActionError) -> Int {
        if moment == .begin { throw .unavailable(Unavailable(.store, cause: "broken")) }
        records.withLock { $0.append(record) }
        return begun.count
    }

    func end(_ position: Int, as record: AuditRecord) async throws(ActionError) {
        throw .unavailable(Unavailable(.store, cause: "broken"))
    }
}
