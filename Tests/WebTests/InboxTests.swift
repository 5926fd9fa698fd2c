import Accounts
import Base
import HTTPTypes
import Store
import Testing
import World
@testable import Web

@Suite struct `The inbox of onward dev` {
    private let api: API

    /// Two mails to one address, and one to another.
    init() async throws {
        api = try await API()
        for (type, email) in [
            ("PASSWORD_RESET", "ada@example.com"), ("EMAIL_SIGNIN", "ada@example.com"), ("PASSWORD_RESET", "grace@example.com"),
        ] {
            let body = JSON.object(["requestType": .string(type), "email": .string(email), "continueUrl": "https://app.example/"])
            #expect(await api.call("accounts:sendOobCode", body).status == 200)
        }
    }

    private func ask(_ path: String) async -> (response: HTTPResponse, text: String) {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "auth.example", path: path)
        let (response, body) = await api.site.respond(to: head, [], from: "::1", through: .front)
        return (response, String(decoding: body, as: UTF8.self))
    }

    private func newest() async throws -> String {
        try #require(try await api.world.store.mails(limit: 1).first).id.description
    }

    @Test(arguments: [
        ("", 3), ("?to=ada@example.com", 2), ("?to=ada%40example.com&kind=resetPassword", 1), ("?kind=resetPassword", 2),
        ("?to=ada@example.co", 0), ("?kind=verifyEmail", 0),
    ])
    func `gives the mails to an address, of a kind, or both, as JSON and as a page`(_ query: String, _ count: Int) async throws {
        let messages = try JSON(Array(await ask("/inbox/messages.json" + query).text.utf8))["messages"]
        guard case .array(let mails)? = messages else { throw CancellationError() }
        #expect(mails.count == count)
        let page = await ask("/inbox" + query).text
        #expect(page.matches(of: #/class="subject"/#).count == count && page.contains("Show all") == !query.isEmpty)
    }

    @Test func `shows the events of accounts`() async throws {
        api.world.tellEvents()
        try await api.world.account("new@example.com", id: "new") { $0.emailVerified = true }
        #expect(await ask("/inbox").text.contains("account.created"))
        let events = try JSON(Array(await ask("/inbox/events.json").text.utf8))["events"]?.items
        #expect(events?.count == 1 && events?[0]["data"]?["also"]?.items == ["email.verified"])
        #expect(!(await ask("/inbox?kind=resetPassword").text.contains("account.created")))
    }

    @Test(arguments: [("?to=ada", "INVALID_EMAIL"), ("?kind=reset", "/kind must be one of resetPassword, verifyEmail")])
    func `says what is wrong with a filter`(_ query: String, _ said: String) async {
        let (response, text) = await ask("/inbox/messages.json" + query)
        #expect(response.status == .badRequest && text.contains(said), "\(text)")
        #expect(await ask("/inbox" + query).response.status == .badRequest)
    }

    @Test func `shows a mail as HTML, text, source and headers, without script`() async throws {
        let path = "/inbox/" + (try await newest())
        let html = await ask(path)
        #expect(html.text.contains("<iframe") && html.response.headerFields[.contentSecurityPolicy]?.contains("frame-src 'self'") == true)
        #expect(html.text.contains(#"as=html" aria-current="page""#) && html.text.contains(#"href="/inbox?to=grace%40example.com""#))
        for (form, part) in [
            ("text", "oobCode="), ("source", "Content-Transfer-Encoding: quoted-printable"), ("headers", "X-Auto-Response-Suppress: OOF"),
        ] {
            let page = await ask(path + "?as=" + form)
            #expect(page.text.contains(part) && !page.text.contains("<iframe"), "\(form)")
            #expect(page.text.contains(#"as=\#(form)" aria-current="page""#))
            #expect(page.response.headerFields[.contentSecurityPolicy]?.contains("frame-src") == false)
        }
        #expect(await ask(path + "?as=headers").text.contains("quoted-printable") == false, "no body")
        #expect(await ask(path + "?as=nothing").text.contains("<iframe"))
    }

    @Test func `gives the message as a relay would get it`() async throws {
        let (response, text) = await ask("/inbox/\(try await newest())/source")
        #expect(response.headerFields[.contentType] == "message/rfc822")
        #expect(text.hasPrefix("From: ") && text.contains("\r\nTo: grace@example.com\r\n"))
        #expect(await ask("/inbox/none/source").response.status == .notFound)
    }

    @Test func `shows where an app link leads on each device`() async throws {
        let plain = await ask("/inbox/\(try await newest())").text
        #expect(!plain.contains("on each device"))
        let body = JSON.object([
            "requestType": "PASSWORD_RESET", "email": "ada@example.com", "continueUrl": "https://app.example/",
            "canHandleCodeInApp": .bool(true), "androidPackageName": "com.example.shop",
        ])
        #expect(await api.call("accounts:sendOobCode", body).status == 200)
        let page = await ask("/inbox/\(try await newest())").text
        #expect(page.contains("on each device") && page.contains("<h2>Android") && page.contains("intent://links.example/"))
        #expect(page.contains("because it carries a code"))
    }

    private func post(_ path: String, _ form: String) async -> HTTPResponse {
        let head = HTTPRequest(
            method: .post, scheme: "https", authority: "auth.example", path: path,
            headerFields: [.contentType: "application/x-www-form-urlencoded"])
        return await api.site.respond(to: head, Array(form.utf8), from: "::1", through: .front).0
    }

    @Test(arguments: [("?q=grace", 1), ("?q=EXAMPLE.COM", 3), ("?q=ada&kind=signIn", 1), ("?q=&kind=", 3), ("?q=nothing", 0)])
    func `searches subjects and addresses`(_ query: String, _ count: Int) async {
        #expect(await ask("/inbox" + query).text.matches(of: #/class="subject"/#).count == count)
    }

    @Test(arguments: [("q=grace", 2), ("kind=resetPassword", 1), ("to=ada%40example.com&kind=signIn", 2), ("", 0)])
    func `deletes what a search shows`(_ form: String, _ left: Int) async throws {
        #expect(await post("/inbox/delete", form).status == .seeOther)
        #expect(try await api.world.mails().count == left)
    }

    @Test func `deletes one mail, and tells pages that it has changed`() async throws {
        let before = await ask("/inbox/version.txt").text
        #expect(await ask("/inbox").text.contains(#"data-version="\#(before)""#))
        #expect(await ask("/inbox/version.txt").text == before)
        let id = try await newest()
        #expect(await post("/inbox/delete", "id=\(id)").status == .seeOther)
        #expect(await ask("/inbox/\(id)").response.status == .notFound)
        #expect(try await api.world.mails().count == 2)
        #expect(await ask("/inbox/version.txt").text != before)
    }

    /// Without script the page loads itself again; with it, it asks for the version only.
    @Test func `loads itself again without script, and by script asks its own origin only`() async {
        let (response, text) = await ask("/inbox")
        #expect(text.contains(#"<noscript><meta http-equiv="refresh""#) && text.contains(#"id="live""#))
        #expect(response.headerFields[.contentSecurityPolicy]?.contains("connect-src 'self'") == true)
    }

    @Test func `shows a mail as wide as a phone, and opens its links outside of the frame`() async throws {
        let path = "/inbox/" + (try await newest())
        #expect(await ask(path + "?as=phone").text.contains(#"class="paper narrow""#))
        #expect(await ask(path).text.contains(#"class="paper""#))
        #expect(await ask(path).text.contains(#"sandbox="allow-popups allow-popups-to-escape-sandbox""#))
        #expect(await ask(path + "/html").text.contains(#"<base target="_blank">"#))
    }
}
