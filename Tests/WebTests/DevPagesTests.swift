import Accounts
import Base
import HTTPTypes
import Testing
import World
@testable import Web

@Suite struct `A host of a development server` {
    /// L2, V8: a website can make its own name resolve to this machine, but no address.
    @Test(arguments: [
        "localhost:8080", "localhost", "127.0.0.1:9099", "[::1]:8080", "10.0.2.2:8080", "192.168.1.20:8080", "[fd12::1]:80",
        "host.docker.internal:8080",
    ])
    func `is an address, or a name that DNS does not have`(authority: String) {
        for isOpen in [false, true] { #expect(DevelopmentHosts(listensBeyondLoopback: isOpen).contains(authority)) }
    }

    /// L2: a request for a host that is not configured is refused with 421. V8: a foreign website
    /// gets no admin's response, in development neither.
    @Test(arguments: [
        "evil.example:8080", "127.0.0.1.evil.example:8080", "localhost.evil.example", "evil.example@127.0.0.1:8080", "local:8080",
        "evil.local.example", "xlocalhost:8080", "host.docker.internal.evil.example", "", ":8080", "127.0.0.1:8080/x", "a b",
    ])
    func `is no name that a website may have`(authority: String) {
        for isOpen in [false, true] { #expect(!DevelopmentHosts(listensBeyondLoopback: isOpen).contains(authority)) }
    }

    @Test(arguments: [true, false]) func `has the machine's name in its network only if that can connect`(isOpen: Bool) {
        #expect(DevelopmentHosts(listensBeyondLoopback: isOpen).contains("macbook.local:8080") == isOpen)
    }
}

@Suite struct `The pages of accounts` {
    private func ask(
        _ api: API, _ path: String, form: String? = nil, _ fields: HTTPFields = [:]
    ) async -> (response: HTTPResponse, text: String) {
        var head = HTTPRequest(
            method: form == nil ? .get : .post, scheme: "https", authority: "auth.example", path: path, headerFields: fields)
        head.headerFields[.accept] = "text/html"
        if form != nil { head.headerFields[.contentType] = "application/x-www-form-urlencoded" }
        let (response, body) = await api.site.respond(to: head, Array((form ?? "").utf8), from: "::1", through: .front)
        return (response, String(decoding: body, as: UTF8.self))
    }

    @Test(arguments: [("", 6), ("?q=ADA", 1), ("?q=%2B1555", 1), ("?q=google", 1), ("?q=nothing", 0)])
    func `find accounts by address, name, number or provider`(query: String, count: Int) async throws {
        let page = await ask(try await API(), "/emulator/accounts" + query).text
        #expect(page.matches(of: #/class="subject"/#).count == count)
    }

    @Test func `disable, enable and delete an account`() async throws {
        let api = try await API()
        #expect(await ask(api, "/emulator/account?id=ada").text.contains("Ada"))
        for (button, isDisabled) in [("disable", true), ("enable", false)] {
            let response = await ask(api, "/emulator/account", form: "id=ada&do=\(button)").response
            #expect(response.status == .seeOther)
            #expect(try await api.stored("ada")?.disabled == isDisabled)
        }
        #expect(await ask(api, "/emulator/account", form: "id=ada&do=delete").response.status == .seeOther)
        #expect(try await api.stored("ada") == nil)
        #expect(await ask(api, "/emulator/account", form: "id=ada&do=delete").response.status == .notFound)
        #expect(await ask(api, "/emulator/account", form: "id=grace&do=promote").response.status == .notFound)
    }

    @Test(arguments: ["resetPassword", "verifyEmail", "signIn"]) func `make a link without a mail`(action: String) async throws {
        let api = try await API(change: { project in project.authorizedDomains = try! AuthorizedDomains(["auth.example", "app.example"]) })
        let (response, text) = await ask(api, "/emulator/account", form: "id=grace&do=\(action)")
        #expect(response.status == .ok && text.contains("mode=\(action)") && text.contains("oobCode="))
        #expect(try await api.world.mails().isEmpty)
    }

    /// V8: what another website can make a browser send.
    @Test(
        arguments: [
            [.secFetchSite: "cross-site", .origin: "https://evil.example"], [.secFetchSite: "same-site", .origin: "https://auth.example"],
            [.origin: "https://evil.example"], [.origin: "null"], [.origin: "http://localhost:3000"],
        ] as [[HTTPField.Name: String]])
    func `take no form of another website`(fields: [HTTPField.Name: String]) async throws {
        let api = try await API()
        var sent = HTTPFields()
        for (name, value) in fields { sent[name] = value }
        #expect(await ask(api, "/emulator/account", form: "id=ada&do=delete", sent).response.status == .forbidden)
        #expect(try await api.stored("ada") != nil)
        _ = await api.call("accounts:sendOobCode", .object(["requestType": "PASSWORD_RESET", "email": "ada@example.com"]))
        #expect(await ask(api, "/inbox/delete", form: "q=", sent).response.status == .forbidden)
        #expect(try await api.world.mails().count == 1)
        let own: HTTPFields = [.secFetchSite: "same-origin", .origin: "https://auth.example"]
        #expect(await ask(api, "/inbox/delete", form: "q=", own).response.status == .seeOther)
        #expect(try await api.world.mails().isEmpty)
    }

    /// V8: a foreign website gets no admin's response, in development neither.
    @Test(arguments: [
        "/", "/inbox", "/inbox/messages.json", "/inbox/version.txt", "/emulator/accounts", "/emulator/account?id=ada",
        "/emulator/app?after=signIn", "/emulator/pages.js",
    ])
    func `do not exist in production`(path: String) async throws {
        #expect(await ask(try await API(), path).response.status == .ok)
        let production = try await API([.production])
        #expect(await ask(production, path).response.status == .notFound)
        #expect(await ask(production, "/emulator/account", form: "id=ada&do=delete").response.status == .notFound)
        #expect(try await production.stored("ada") != nil)
    }
}
