import Accounts
import Base
import HTTPTypes
import Store
import Testing
import World

@testable import Web

/// The questions that the API answers people who help users.
@Suite struct `The API for support` {
    private func get(_ path: String, of api: API, key: String = "admin-key read", by method: HTTPRequest.Method = .get) async throws -> (
        status: Int, json: JSON
    ) {
        let reply = await api.respond(method, "/v1/projects/shop/" + path, headers: [.authorization: "Bearer \(key)"])
        return (reply.status.code, try JSON(reply.body))
    }

    private func find(_ text: String, token: String? = nil, size: Int? = nil, of api: API) async throws -> (
        match: String?, ids: [String], next: String?
    ) {
        let body: JSON = .object(["text": .string(text), "pageToken": .string(ifAny: token), "pageSize": size.map { .int($0) }])
        let reply = await api.respond(
            .post, "/v1/projects/shop/accounts:find", headers: [.authorization: "Bearer admin-key read", .contentType: "application/json"],
            body: Array(body.text.utf8))
        let json = try JSON(reply.body)
        #expect(reply.status == .ok, "\(json)")
        return (json["match"]?.string, (json["users"]?.items ?? []).compactMap { $0["localId"]?.string }, json["nextPageToken"]?.string)
    }

    private func support() async throws -> API {
        let api = try await API([.production])
        for (id, address) in [("m1", "marie.curie@lab.example"), ("m2", "marie.sklodowska@lab.example"), ("m3", "mary@sea.example")] {
            try await api.world.account(address, id: id) { account in
                account.emailVerified = true
                if id == "m3" { account.setPhoneNumber(PhoneNumber("+15555550177"), at: account.createdAt) }
            }
        }
        return api
    }

    @Test func `finds an account by its address, its beginning, its id, its phone number, and a mistyped address`() async throws {
        let api = try await support()
        for text in ["marie.curie@lab.example", " Marie.Curie@lab.example ", "m1"] {
            let found = try await find(text, of: api)
            #expect(found.match == "exact" && found.ids == ["m1"] && found.next == nil, "\(text)")
        }
        #expect(try await find("+1 (555) 555-0177", of: api).ids == ["m3"])
        let beginning = try await find("marie", of: api)
        #expect(beginning.match == "beginning" && beginning.ids == ["m1", "m2"])
        #expect(try await find("MARIE.S", of: api).ids == ["m2"])
        for mistyped in ["marie.curei@lab.example", "marie.curie@lab.exmaple"] {
            let found = try await find(mistyped, of: api)
            #expect(found.match == "similar" && found.ids == ["m1"], "\(mistyped)")
        }
        for unknown in ["zz", "zzzzzz@lab.example", "ma%", "m_r", "' OR 1=1 --", "\u{10FFFF}", "🙂🙂🙂🙂"] {
            #expect(try await find(unknown, of: api).ids.isEmpty, "\(unknown)")
        }
    }

    @Test func `finds an account by the user of a provider`() async throws {
        let api = try await support()
        var change = AccountChange()
        change.link = LinkedProvider(provider: "github.com", rawID: "20061111")
        let marie = try #require(try await api.world.stored(AccountID(rawValue: "m1")))
        _ = try await api.world.accounts.update(marie, with: change, byAdmin: true, in: api.world.project)
        #expect(try await find("20061111", of: api).ids == ["m1"])
    }

    @Test func `pages through the newest accounts and through a beginning, each account once`() async throws {
        let api = try await support()
        for text in ["", "mar"] {
            var (ids, token): ([String], String?) = ([], nil)
            repeat {
                let page = try await find(text, token: token, size: 1, of: api)
                #expect(page.match == (text.isEmpty ? "newest" : "beginning") && page.ids.count == 1)
                ids += page.ids
                token = page.next
            } while token != nil
            #expect(Set(ids).count == ids.count)
            #expect(Set(ids).isSuperset(of: ["m1", "m2", "m3"]))
        }
        let gone = await api.respond(
            .post, "/v1/projects/shop/accounts:find", headers: [.authorization: "Bearer admin-key read", .contentType: "application/json"],
            body: Array(#"{"text": "", "pageToken": "gone"}"#.utf8))
        #expect(try JSON(gone.body)["error", "message"]?.string?.hasPrefix("USER_NOT_FOUND") == true)
    }

    @Test func `tells the sessions and the links of an account, and no code or token`() async throws {
        let api = try await support()
        let marie = try #require(try await api.world.stored(AccountID(rawValue: "m1")))
        _ = try await api.world.signedAccounts().openSession(for: marie, by: .password)
        let request = CodeRequest(.resetPassword, for: .account(marie), with: ApprovedSettings(in: api.world.project))
        let issued = try #require(
            try await api.world.accounts.send(
                request, from: .peer("192.0.2.1", userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0")))
        let (status, json) = try await get("accounts:inspect?localId=m1", of: api)
        #expect(status == 200 && json["account", "email"]?.string == "marie.curie@lab.example")
        #expect(json["sessions"]?.items?.count == 1 && json["sessions"]?.items?[0]["provider"]?.string == "password")
        let link = try #require(json["links"]?.items?.first)
        #expect(
            link["requestType"]?.string == "PASSWORD_RESET" && link["browser"]?.string == "Firefox" && link["system"]?.string == "Linux")
        #expect(link["expiresAt"]?.string == issued.expiresAt.iso8601)
        #expect(!json.text.contains(issued.code.text))
        #expect(json["provedAddresses"]?.items?.count == 1 && json["suppressions"]?.items?.isEmpty == true)
        #expect(try await get("accounts:inspect?localId=none", of: api).json.errorCode == "USER_NOT_FOUND")
        #expect(try await get("accounts:inspect", of: api).json.errorCode == "MISSING_LOCAL_ID")
        #expect(try await get("mails?localId=m1", of: api).json["mails"]?.items?.count == 1)
        #expect(try await get("mails?state=waiting", of: api).json["mails"]?.items?.count == 1)
        #expect(try await get("mails?state=parked", of: api).json["mails"]?.items?.isEmpty == true)
        #expect(try await get("mails", of: api).json.errorCode == "MISSING_EMAIL")
    }

    @Test func `tells what admins did to an account, and with which key`() async throws {
        let api = try await support()
        _ = try await get("accounts:inspect?localId=m1", of: api)
        _ = try await get("accounts:inspect?localId=m2", of: api)
        let (status, json) = try await get("audit?localId=m1", of: api)
        #expect(status == 200)
        let operations = try #require(json["operations"]?.items)
        // The question itself is one.
        #expect(operations.compactMap { $0["method"]?.string } == ["listAudit", "inspectAccount"])
        #expect(operations.last?["outcome"]?.string == "done" && operations.last?["actor"]?.string?.hasPrefix("key:") == true)
        for token in ["x", "-1", "0", "-9223372036854775808", "99999999999999999999"] {
            #expect(try await get("audit?pageToken=\(token)", of: api).status == 400, "\(token)")
        }
        #expect(try await get("audit?pageToken=9223372036854775807", of: api).json["operations"]?.items?.isEmpty == false)
        #expect(try await get("audit?localId=m1&changes=true", of: api).json["operations"]?.items?.isEmpty == true)
        #expect(try await get("audit?pageSize=1001", of: api).status == 400)
        #expect(try await get("audit?changes=yes", of: api).status == 400)
    }

    @Test func `says how a user can sign in, and what the project has switched off`() async throws {
        let api = try await API([.production], change: { $0.signIn.phone = false })
        let json = try await get("accounts:inspect?localId=radia", of: api).json
        func texts(_ name: String) -> [String]? { json[name]?.items?.compactMap(\.string) }
        #expect(texts("signInMethods") == ["password", "emailLink", "custom"])
        #expect(texts("switchedOffMethods") == ["phone", "google.com"])
    }

    @Test func `gives an overview: of the server to a key of every project, of a project to its own`() async throws {
        let reading = ServerState.Reading(.codesApplied, [("action", "signIn")], 3)
        let api = try await API(
            [.production],
            state: { project, isWhole in
                ServerState(
                    version: "1", schema: 8, nodes: 2, startedAt: Timestamp(milliseconds: 0),
                    diagnoses: [.ok("x", "y"), .warning("\(project.id)", "no", "do")], readings: isWhole ? [reading] : [])
            })
        let marie = try #require(try await api.world.stored(AccountID(rawValue: "ada")))
        let request = CodeRequest(.resetPassword, for: .account(marie), with: ApprovedSettings(in: api.world.project))
        _ = try await api.world.accounts.send(request, from: .peer("192.0.2.1", userAgent: ""))
        let (status, json) = try await get("overview", of: api)
        #expect(status == 200 && json["server", "nodes"] == .int(2) && json["server", "schema"] == .int(8))
        #expect(json["warnings"]?.items?.compactMap { $0["subject"]?.string } == ["shop"])
        #expect(json["counters"]?.items?.map { $0["value"] } == [.int(3)])
        #expect(json["counters"]?.items?.first?["labels", "action"]?.string == "signIn")
        let waiting = try #require(json["mails", "waiting"]?.items)
        #expect(waiting.map { $0["kind"]?.string } == ["resetPassword"] && waiting.first?["count"] == .int(1))
        #expect(try await get("overview", of: api, key: "admin-key read:shop").json["counters"]?.items?.isEmpty == true)
        #expect(try await get("overview", of: api, key: "admin-key read:blog").status == 403)
        #expect(try await get("overview", of: api, key: "admin-key write").status == 403)
        #expect(try await get("overview", of: api, key: "stranger").status == 401)
    }

    @Test func `lists events that wait, and sends one again`() async throws {
        let api = try await support()
        api.world.tellEvents()
        try await api.world.account("new@lab.example", id: "m4")
        let all = try #require(try await get("events", of: api).json["events"]?.items)
        let (first, id) = (try #require(all.first), try #require(all.first?["event", "data", "id"]?.string))
        let account = try #require(first["event", "data", "localId"]?.string)
        #expect(try await get("events?localId=\(account)", of: api).json["events"]?.items?.isEmpty == false)
        #expect(try await get("events?localId=none", of: api).json["events"]?.items?.isEmpty == true)
        #expect(try await get("events?state=parked", of: api).json["events"]?.items?.isEmpty == true)
        #expect(try await get("events/\(id):retry", of: api, key: "admin-key write", by: .post).json["id"]?.string == id)
        #expect(try await get("events/none:retry", of: api, key: "admin-key write", by: .post).status == 400)
        #expect(try await get("events/\(id):retry", of: api, by: .post).json.errorCode == "INSUFFICIENT_PERMISSION")
    }

    @Test func `lists suppressions, and removes that of an address`() async throws {
        let api = try await support()
        let (store, project) = (api.world.store, api.world.project.id)
        let address = try #require(EmailAddress("marie+list@lab.example"))
        let suppression = Suppression(
            project: project, recipient: api.world.outbox.digest(of: address, in: project), reason: .bounce, provider: .relay,
            at: api.world.clock.now(), until: api.world.clock.now() + .hours(24))
        _ = try await api.world.accounts.send(
            CodeRequest(.signIn, for: .address(address), with: ApprovedSettings(in: api.world.project)))
        let lease = MailLease(limit: 9, until: api.world.clock.now() + .seconds(60))
        for mail in try await store.lease(lease, at: api.world.clock.now()) {
            try await store.end(
                mail, as: .sent, DeliveryOutcome(.accepted, relay: "r", answer: "a"), keepsLetter: false, at: api.world.clock.now())
        }
        _ = try await store.suppress([suppression], by: nil, at: api.world.clock.now())
        #expect(try await get("suppressions", of: api).json["suppressions"]?.items?.count == 1)
        #expect(try await get("suppressions?to=marie%2Blist@lab.example", of: api).json["suppressions"]?.items?.count == 1)
        #expect(try await get("suppressions?to=other@lab.example", of: api).json["suppressions"]?.items?.isEmpty == true)
        let path = "suppressions/marie%2Blist%40lab.example"
        #expect(try await get(path, of: api, by: .delete).json.errorCode == "INSUFFICIENT_PERMISSION")
        #expect(try await get("suppressions/nobody", of: api, key: "admin-key write", by: .delete).json.errorCode == "INVALID_EMAIL")
        #expect(try await get(path, of: api, key: "admin-key write", by: .delete).json["removed"] == .int(1))
        #expect(
            try await get("suppressions/marie+list@lab.example", of: api, key: "admin-key write", by: .delete).json["removed"] == .int(0))
        #expect(try await get("suppressions", of: api).json["suppressions"]?.items?.isEmpty == true)
    }

    @Test func `says that no mail is written to an address without a mailbox`() async throws {
        let api = try await support()
        let (store, project, now) = (api.world.store, api.world.project.id, api.world.clock.now())
        let address = try #require(EmailAddress("marie.curie@lab.example"))
        func ask() async throws -> JSON {
            let reply = await api.respond(
                .post, "/v1/projects/shop/accounts:sendOobCode",
                headers: [.authorization: "Bearer admin-key", .contentType: "application/json"],
                body: Array(#"{"requestType": "PASSWORD_RESET", "email": "marie.curie@lab.example", "returnMailed": true}"#.utf8))
            return try JSON(reply.body)
        }
        #expect(try await ask()["mailed"] == .bool(true))
        for mail in try await store.lease(MailLease(limit: 9, until: now + .seconds(60)), at: now) {
            try await store.end(mail, as: .sent, DeliveryOutcome(.accepted, relay: "r", answer: "a"), keepsLetter: false, at: now)
        }
        let suppression = Suppression(
            project: project, recipient: api.world.outbox.digest(of: address, in: project), reason: .bounce, provider: .relay, at: now,
            until: now + .hours(24))
        _ = try await store.suppress([suppression], by: nil, at: now)
        #expect(try await ask()["mailed"] == .bool(false))
        #expect(try await api.world.mails().isEmpty, "beside the one that was sent")
        // The removal concerns the account, and the audit says so.
        _ = try await get("suppressions/marie.curie%40lab.example", of: api, key: "admin-key write", by: .delete)
        let changed = try await get("audit?localId=m1&changes=true", of: api).json["operations"]?.items ?? []
        #expect(changed.first?["method"]?.string == "removeSuppressions")
    }

    private static let readings = [
        "accounts:inspect?localId=m1", "overview", "audit", "events", "suppressions", "mails?state=parked",
    ]

    @Test(arguments: readings) func `a list for support is for admins who may read the project`(_ path: String) async throws {
        let api = try await support()
        #expect(try await get(path, of: api).status == 200)
        #expect(try await get(path, of: api, key: "admin-key read:shop").status == 200)
        for key in ["admin-key write", "admin-key read:other"] {
            let (status, json) = try await get(path, of: api, key: key)
            #expect(status == 403 && json.errorCode == "INSUFFICIENT_PERMISSION", "\(key)")
        }
        #expect(try await get(path, of: api, key: "nonsense").status == 401)
        let anonymous = await api.respond(.get, "/v1/projects/shop/\(path)", headers: [:])
        #expect(anonymous.status == .unauthorized)
        let client = await api.respond(.get, "/v1/projects/shop/\(path)\(path.contains("?") ? "&" : "?")key=\(API.key)", headers: [:])
        #expect(client.status == .forbidden)
    }
}
