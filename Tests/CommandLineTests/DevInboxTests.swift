import Accounts
import AppLinks
import ArgumentParser
import Base
import Mail
import Network
import Store
import Testing
import World
@testable import CommandLine
@testable import Configuration
@testable import Server
@testable import Web

@Suite struct `The mails of onward dev` {
    @Test func `are awaited by a filter`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        let inbox = StoreInbox(
            store: world.store, issued: IssuedCodes(), sentTextMessages: SentTextMessages(), secrets: world.secrets, now: world.clock.now)
        let filter = MailFilter(recipient: EmailAddress("ada@app.example"), kind: .action(.verifyEmail))
        async let sending: Void = {
            for action in [Action.resetPassword, .signIn, .verifyEmail] { _ = try await world.send(action) }
        }()
        await inbox.wait(untilMoreThan: 0, filter, for: .patience)
        #expect(try await inbox.mails(filter).count == 1)
        try await sending
        #expect(try await inbox.mails(.all).count == 3)
    }

    private func configuration(relay: String?) throws -> Configuration {
        let dev = try DevConfiguration(port: 0, listen: nil, project: "demo", authorize: [])
        let folder = try DevFolder(named: nil)
        defer { try? folder.discard() }
        return try dev.configuration(in: folder, resources: nil, limits: false, relay: relay)
    }

    @Test(arguments: ["smtp://127.0.0.1:1025", "smtp://mailpit:1025", "smtps://catcher.example"])
    func `go to a catcher too, without TLS unless its URL says so`(_ url: String) throws {
        guard case .relays(let relays)? = try configuration(relay: url).mail?.delivery else { throw CancellationError() }
        #expect(relays.count == 1 && relays[0].credentials == nil)
        #expect((relays[0].endpoint.encryption == .none) == url.hasPrefix("smtp:"))
    }

    @Test func `go nowhere by default`() throws { #expect(try configuration(relay: nil).mail == nil) }

    @Test func `need a catcher with a URL of SMTP`() {
        let error = #expect(throws: ValidationError.self) { try configuration(relay: "http://localhost:1025") }
        #expect(error?.message == "--relay: the URL has the scheme http; use smtp or smtps")
    }
}

@Suite struct `The origin of onward dev` {
    private func origin(_ listen: String?, _ announced: String? = nil) throws -> String {
        try DevConfiguration(port: 8089, listen: listen, origin: announced, project: "demo", authorize: []).origin.origin
    }

    @Test(arguments: [
        (nil, "http://localhost"), ("127.0.0.1", "http://localhost"), ("192.0.2.20", "http://192.0.2.20"),
        ("[fd12::1]", "http://[fd12::1]"),
    ])
    func `is the address that it listens on`(listen: String?, expected: String) throws {
        #expect(try origin(listen) == expected + ":8089")
    }

    @Test(arguments: ["0.0.0.0", "::"]) func `is an address of the machine if it listens on all`(listen: String) throws {
        #expect(try origin(listen) == "http://\(LANAddress.find() ?? "localhost"):8089")
        let dev = try DevConfiguration(port: 8089, listen: listen, project: "demo", authorize: [])
        #expect(dev.listensBeyondLoopback)
    }

    /// L4: links are https, and plain http is accepted for loopback only.
    @Test func `may be another one, whose host is authorised and has links for apps`() throws {
        let dev = try DevConfiguration(port: 8089, listen: nil, origin: "http://10.1.2.3:8089", project: "demo", authorize: [])
        #expect(!dev.listensBeyondLoopback)
        #expect(try dev.project.authorizedDomains.authorize("http://10.1.2.3:3000/app").serialized == "http://10.1.2.3:3000/app")
        #expect(throws: (any Error).self) { try dev.project.authorizedDomains.authorize("http://203.0.113.4:3000/app") }
        // An app that was never registered, also after an admin changed the domains.
        for project in [dev.project, dev.project.authorizing(["app.example"]).project] {
            #expect(try project.authorizedDomains.authorize("myapp://welcome").serialized == "myapp://welcome")
        }
        #expect(dev.project.linkDomains.map(\.origin) == ["http://10.1.2.3:8089"])
        #expect(try origin("0.0.0.0", "https://onward.example.test") == "https://onward.example.test")
    }

    @Test(arguments: ["localhost:8080", "ftp://localhost", "http://localhost:8080/path", "http://", "http://user@localhost:8080"])
    func `has a scheme, a host and no path`(text: String) {
        let error = #expect(throws: ValidationError.self) { try origin(nil, text) }
        #expect(error?.message.hasPrefix("--origin: expected scheme, host and port alone") == true)
    }

    @Test func `has link domains of the developer's choice before its own`() throws {
        let dev = try DevConfiguration(
            port: 8089, listen: nil, project: "demo", authorize: [], linkDomains: ["links.example.test", "more.example.test:8089"])
        #expect(
            dev.project.linkDomains.map(\.origin) == [
                "http://links.example.test", "http://more.example.test:8089", "http://127.0.0.1:8089",
            ])
        let error = #expect(throws: ValidationError.self) {
            try DevConfiguration(port: 8089, listen: nil, project: "demo", authorize: [], linkDomains: ["https://links.example.test"])
        }
        #expect(error?.message.hasPrefix("--link-domain: expected a host") == true)
    }
}
