import Base
import HTTPTypes
import Testing
import World

@testable import Web

@Suite struct `The addresses of the operator` {
    private func ask(_ api: API, _ path: String, host: String = "auth.example") async -> (status: Int, text: String, headers: HTTPFields) {
        let head = HTTPRequest(method: .get, scheme: "https", authority: host, path: path)
        let (response, bytes) = await api.site.respond(to: head, [], from: "192.0.2.7", through: .front)
        return (response.status.code, String(decoding: bytes, as: UTF8.self), response.headerFields)
    }

    @Test func `security.txt has the contact, and expires within a year`() async throws {
        let api = try await API([.production], wellKnown: WellKnownAddresses(securityContact: "mailto:security@shop.example"))
        for host in ["auth.example", "links.example"] {
            let reply = await ask(api, "/.well-known/security.txt", host: host)
            #expect(reply.status == 200 && reply.headers[.contentType] == "text/plain; charset=utf-8")
            let lines = reply.text.split(separator: "\n")
            #expect(lines.count == 2 && lines[0] == "Contact: mailto:security@shop.example")
            let expires = try #require(Timestamp(iso8601: String(lines[1].trimmingPrefix("Expires: "))))
            #expect(expires > api.world.clock.now() && expires < api.world.clock.now() + .days(365))
        }
        #expect(await ask(api, "/.well-known/change-password").status == 404)
    }

    @Test func `change-password leads to the page of the app, at the public origin`() async throws {
        let page = try WebURL("https://app.example/password")
        let api = try await API([.production], wellKnown: WellKnownAddresses(changePasswordURL: page))
        let reply = await ask(api, "/.well-known/change-password")
        #expect(reply.status == 303 && reply.headers[.location] == page.serialized)
        #expect(await ask(api, "/.well-known/change-password", host: "links.example").status == 404)
        #expect(await ask(api, "/.well-known/security.txt").status == 404)
    }
}
