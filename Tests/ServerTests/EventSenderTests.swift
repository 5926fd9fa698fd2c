import Accounts
import Base
import Logging
import Mail
import Network
import Store
import Synchronization
import Testing
import World
@testable import Configuration
@testable import Server

/// A back end that answers as a test says, and a server that tells it of changes.
private struct Telling {
    let world: World
    let app: LoopbackServer
    let sender: EventSender
    let endpoint: EventWebhook
    let status: ScriptedStatus

    final class ScriptedStatus: Sendable {
        private let status = Mutex(204)
        private let refused = Mutex<Set<String>>([])
        /// Answers with an error to events of these accounts.
        func fail(_ accounts: String...) { refused.withLock { $0 = Set(accounts) } }
        func set(_ new: Int) { status.withLock { $0 = new } }
        func answer(to request: String) -> Int {
            refused.withLock { $0.contains { request.contains(#""localId":"\#($0)""#) } } ? 500 : status.withLock(\.self)
        }
    }

    init() async throws {
        world = try await World()
        let status = ScriptedStatus()
        self.status = status
        app = try LoopbackServer { .answer(status.answer(to: $0), "") }
        let url = try WebURL("\(app.base.origin)/events?key=1")
        endpoint = EventWebhook(
            endpoint: EventEndpoint(url: url.serialized),
            settings: try WebhookSettings(url: url, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        sender = EventSender(
            store: world.store, webhooks: EventWebhooks(now: world.clock.now, uptime: world.clock.uptime, logger: quiet),
            endpoints: { [endpoint] in [endpoint] },
            meters: EventMeters(MetricsRegistry()), now: world.clock.now, logger: quiet)
        world.store.tell([endpoint.endpoint], now: world.clock.now, random: world.random.bytes)
    }

    func deliver() async throws { try await sender.deliver(to: endpoint) }

    func toggle(_ id: String) async throws {
        let (id, project) = (AccountID(rawValue: id), world.project.id)
        try await world.store.transaction { (records) throws(ActionError) in
            guard var account = try records.account(id, in: project) else { throw .refused(.userNotFound) }
            account.disabled.toggle()
            try records.update(account)
        }
    }

    /// The kinds and accounts of the requests.
    var told: [String] {
        app.now.requests.map { request in
            let kind = request.firstMatch(of: #/"type":"([a-z._]+)"/#)?.1 ?? ""
            return "\(kind) \(request.firstMatch(of: #/"localId":"(\w+)"/#)?.1 ?? "")"
        }
    }
}

@Suite struct `The sender of events` {
    /// U5: signed, in order, again after a failure.
    @Test func `tells each of an account after the one before it`() async throws {
        let telling = try await Telling()
        try await telling.world.account("ada@app.example")
        for _ in 0..<2 { try await telling.toggle("ada") }
        telling.status.set(500)
        try await telling.deliver()
        #expect(telling.told == ["account.created ada"])
        telling.status.set(204)
        try await telling.deliver()
        #expect(telling.told.count == 1, "it is due in five seconds")
        telling.world.clock.advance(by: .seconds(5))
        try await telling.deliver()
        #expect(telling.told == ["account.created ada", "account.created ada", "account.disabled ada", "account.enabled ada"])
        let requests = telling.app.now.requests
        #expect(requests.allSatisfy { $0.contains("webhook-signature: v1,") && $0.contains("webhook-timestamp: ") })
        let ids = requests.compactMap { $0.firstMatch(of: #/webhook-id: ([\w-]+)/#)?.1 }
        #expect(ids.count == 4 && ids[0] == ids[1] && Set(ids).count == 3)
        #expect(try await telling.world.events().isEmpty)
    }

    /// U5: what one account's event meets does not hold back those of others.
    @Test func `holds back no other account`() async throws {
        let telling = try await Telling()
        telling.status.fail("ada")
        for id in ["ada", "bob"] { try await telling.world.account("\(id)@app.example", id: id) }
        try await telling.toggle("ada")
        try await telling.toggle("bob")
        try await telling.deliver()
        #expect(telling.told.sorted() == ["account.created ada", "account.created bob", "account.disabled bob"])
    }

    /// U5: 410 gives one up at once, any failure after three days.
    @Test func `gives up what is not wanted, and goes on`() async throws {
        let telling = try await Telling()
        try await telling.world.account("ada@app.example")
        telling.status.set(410)
        try await telling.deliver()
        #expect(try await telling.world.store.events(parked: true, in: nil, limit: 9).map(\.cause) == ["HTTP status 410"])
        telling.status.set(500)
        try await telling.toggle("ada")
        for _ in 0..<60 where try await telling.world.store.countEvents(parked: false, upTo: 9) > 0 {
            try await telling.deliver()
            telling.world.clock.advance(by: .hours(2))
        }
        let parked = try await telling.world.store.events(parked: true, in: nil, limit: 9)
        #expect(parked.map(\.event.kind) == [.created, .disabled])
        let last = try #require(parked.last)
        #expect((8...60).contains(last.attempts) && last.parkedAt.map { $0 - last.event.at >= .days(3) } == true)
        telling.status.set(204)
        try await telling.toggle("ada")
        try await telling.deliver()
        #expect(telling.told.last == "account.enabled ada")
    }

    /// An endpoint that is back after hours gets what waited, not only what is due. One that
    /// refuses (a wrong secret) does not count as down.
    @Test(arguments: [503, 401]) func `tells an endpoint that is back of everything`(_ status: Int) async throws {
        let telling = try await Telling()
        telling.status.set(status)
        for id in 0..<CircuitBreaker.maxFailures { try await telling.world.account("\(id)@app.example", id: "a\(id)") }
        for _ in 0..<9 {
            try await telling.deliver()
            telling.world.clock.advance(by: .hours(1))
        }
        if status == 503 { #expect(telling.told.count == CircuitBreaker.maxFailures + 8, "one finds out at a time") }
        telling.status.set(204)
        // Only this one is due.
        telling.world.clock.advance(by: .seconds(10))
        try await telling.world.account("new@app.example", id: "new")
        for _ in 0..<3 { try await telling.deliver() }
        #expect(try await telling.world.events().isEmpty)
        #expect(Set(telling.told.suffix(CircuitBreaker.maxFailures + 1)).count == CircuitBreaker.maxFailures + 1)
    }

    /// O6: Onward follows no redirect.
    @Test func `does not follow a redirect`() async throws {
        let telling = try await Telling()
        let elsewhere = try LoopbackServer { _ in .answer(204, "") }
        let app = try LoopbackServer { _ in .answer(307, "", field: "Location: \(elsewhere.base.origin)/\r\n") }
        let url = try WebURL("\(app.base.origin)/events")
        let webhook = EventWebhook(
            endpoint: EventEndpoint(url: url.serialized),
            settings: try WebhookSettings(url: url, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        telling.world.store.tell([webhook.endpoint], now: telling.world.clock.now, random: telling.world.random.bytes)
        try await telling.world.account("ada@app.example")
        try await telling.sender.deliver(to: webhook)
        #expect(app.now.requests.count == 1 && elsewhere.now.requests.isEmpty)
        #expect(try await telling.world.store.events(parked: false, in: nil, limit: 9).map(\.cause) == ["HTTP status 307"])
    }

    /// A request that hangs is cut off, and other endpoints do not wait for it.
    @Test func `waits for no other endpoint`() async throws {
        let telling = try await Telling()
        let hanging = try LoopbackServer { _ in .hang }
        let url = try WebURL("\(hanging.base.origin)/events")
        let slow = EventWebhook(
            endpoint: EventEndpoint(url: url.serialized),
            settings: try WebhookSettings(url: url, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        telling.world.store.tell(
            [slow.endpoint, telling.endpoint.endpoint], now: telling.world.clock.now, random: telling.world.random.bytes)
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let sender = EventSender(
            store: telling.world.store, webhooks: EventWebhooks(now: telling.world.clock.now, logger: quiet),
            endpoints: { [endpoint = telling.endpoint] in [slow, endpoint] }, meters: EventMeters(MetricsRegistry()),
            now: telling.world.clock.now, logger: quiet)
        let running = Task { await sender.run() }
        try await telling.world.account("ada@app.example")
        try await eventually("the request that hangs") { hanging.now.requests.count == 1 }
        try await eventually("the event at the other endpoint") { telling.told == ["account.created ada"] }
        try await telling.toggle("ada")
        try await eventually("the next event") { telling.told == ["account.created ada", "account.disabled ada"] }
        running.cancel()
    }
}
