import Accounts
import ArgumentParser
import Curl
import EmailActions
import Mail
import Store
import Testing
import World

@testable import Onward
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
        await inbox.wait(untilMoreThan: 0, filter, for: .seconds(60))
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
