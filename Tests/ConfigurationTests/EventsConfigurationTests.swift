import Accounts
import Base
import Testing
@testable import Configuration

/// The key `events`.
@Suite struct `The configuration of events` {
    private func read(_ line: String) throws -> Configuration {
        let yaml = """
            publicOrigin: https://auth.example.com
            secret: {env: ONWARD_SECRET}
            database: {path: onward.sqlite}
            projects:
              - {id: shop, displayName: Shop, apiKeys: [shop-key-1], authorizedDomains: []}
            \(line)
            """
        return try Configuration(yaml: yaml, file: "onward.yaml") { name in
            switch name {
            case "EVENTS": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
            case "OLD": "whsec_bmV3IHNlY3JldCBvZiAzMiBieXRlcywgbW9yZSBvciBsZXNz"
            default: String(repeating: "s", count: 40)
            }
        }
    }

    private static let url = "https://app.example/onward"

    @Test func `names endpoints, kinds and projects`() throws {
        let entries = """
            [{url: "\(Self.url)", secret: {env: EVENTS}},
             {url: "http://localhost:80/x", secret: {current: {env: EVENTS}, previous: {env: OLD}},
              kinds: [email.verified, account.deleted], projects: [shop], private: true}]
            """
        let events = try read("events: \(entries)").events
        #expect(
            events.map(\.endpoint) == [
                EventEndpoint(url: Self.url),
                EventEndpoint(url: "http://localhost/x", kinds: [.emailVerified, .deleted], projects: [ProjectID(rawValue: "shop")]),
            ])
        #expect(try read("nodes: 1").events.isEmpty)
    }

    @Test(arguments: [
        (#"events: [{url: "https://app.example/"}]"#, "secret: is missing"),
        (#"events: [{secret: {env: EVENTS}}]"#, "url: is missing"),
        (#"events: [{url: "http://app.example/", secret: {env: EVENTS}}]"#, "https"),
        (#"events: [{url: "https://app.example/", secret: {env: ONWARD_SECRET}}]"#, "whsec_"),
        (#"events: [{url: "https://app.example/", secret: {current: {env: EVENTS}}}]"#, "previous: is missing"),
        (#"events: [{url: "https://app.example/", secret: {env: EVENTS}, kinds: []}]"#, "one or more"),
        (#"events: [{url: "https://app.example/", secret: {env: EVENTS}, kinds: [email.read]}]"#, "email.verified"),
        (
            #"events: [{url: "https://app.example/", secret: {env: EVENTS}, projects: [blog]}]"#,
            "no project has this id; expected one of shop"
        ),
        (
            #"events: [{url: "https://app.example/", secret: {env: EVENTS}}, {url: "https://APP.example", secret: {env: EVENTS}}]"#,
            "events[1]"
        ),
        (#"accountEvents: {url: "https://app.example/", secret: {env: EVENTS}}"#, "write events: [{url: …, secret: …}] instead"),
    ])
    func `events are refused with the reason`(_ line: String, _ reason: String) throws {
        let error = #expect(throws: InvalidConfiguration.self) { try read(line) }
        #expect(error.map { "\($0)".contains(reason) } == true, "\(error.map { "\($0)" } ?? "")")
    }
}
