import Accounts
import Base
import Logging
import Network
import Store
import Testing
import World
@testable import Mail

@Suite struct `The mail deliverer` {
    private let world: World
    private let transport = ScriptedTransport()

    init() async throws {
        world = try await World()
        try await world.account("ada@app.example")
    }

    private func deliverer(_ change: (inout MailDeliverer.Options) -> Void = { _ in }) -> MailDeliverer {
        deliverer(with: { [usual = content(transport)] in usual }, change)
    }

    private func deliverer(
        with content: @escaping @Sendable () -> MailDeliverer.Content, _ change: (inout MailDeliverer.Options) -> Void = { _ in }
    ) -> MailDeliverer {
        var options = MailDeliverer.Options()
        options.poll = .milliseconds(5)
        options.relayPause = .milliseconds(20)
        change(&options)
        return MailDeliverer(
            queue: world.store, outbox: world.outbox, options: options, now: world.clock.now,
            random: world.random.bytes, logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }, content: content)
    }

    /// - Parameter change: changes the project.
    private func content(_ transport: (any MailTransport)?, _ change: (inout Project) -> Void = { _ in }) -> MailDeliverer.Content {
        var changed = world.project
        change(&changed)
        let project = changed
        let sender = MailSender(from: Mailbox(name: nil, address: EmailAddress("no-reply@app.example")!))
        return MailDeliverer.Content(
            project: { $0 == project.id ? project : project.renamed($0) }, compose: World.compose,
            sender: sender, transport: transport)
    }

    /// Runs a deliverer until `condition` holds.
    private func run(
        _ deliverer: MailDeliverer, until what: String, _ condition: @escaping @Sendable () async throws -> Bool
    ) async throws {
        let running = Task { await deliverer.run() }
        do { try await eventually(what, condition) } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        await running.value
    }

    private func waiting() async throws -> Int { try await world.store.backlog(countingTo: 100).mails }

    /// M1: a request is answered when its mail is durably queued. M2: every queued mail ends
    /// delivered, or failed with a reason.
    @Test func `sends each mail once, and forgets its letter`() async throws {
        for _ in 0..<20 { _ = try await world.send(.resetPassword) }
        try await run(deliverer(), until: "an empty queue") { [self] in try await waiting() == 0 }
        #expect(transport.sent.count == 20 && Set(transport.sent.map(\.id)).count == 20)
        let mail = try #require(transport.sent.first)
        #expect(
            mail.letter.recipient.value == "ada@app.example" && mail.sender.name == "Shop"
                && mail.envelopeFrom.value == "no-reply@app.example")
        #expect(mail.letter.link?.hasPrefix("https://auth.example/__/auth/action?") == true)
        #expect(try await world.store.mails(limit: 9).isEmpty)
    }

    /// M3: a mail that is sent again has the same Message-ID. M4: delivery backs off, and stops
    /// when the code of a mail has expired.
    @Test func `tries a deferred mail again with the same id, until a relay takes it`() async throws {
        _ = try await world.send(.resetPassword)
        transport.script([.init(.deferred, relay: "a", answer: "450 later"), .init(.deferred, relay: "a", answer: "")])
        let clock = world.clock
        let running = deliverer { $0.retries.first = .seconds(10) }
        try await run(running, until: "the mail was sent") { [self] in
            clock.advance(by: .seconds(5))
            return try await waiting() == 0
        }
        #expect(transport.sent.count == 3 && Set(transport.sent.map(\.id)).count == 1)
    }

    /// M3: the next wait would be longer than the link lives.
    @Test func `tries a mail again while its link works, however often it was deferred`() async throws {
        _ = try await world.send(.resetPassword)
        transport.script(Array(repeating: .init(.deferred, relay: "a", answer: "450 later"), count: 8))
        let clock = world.clock
        try await run(deliverer(), until: "an empty queue") { [self] in
            clock.advance(by: .seconds(5))
            return try await waiting() == 0
        }
        #expect(transport.sent.count == 9)
    }

    /// Another node may have read its configuration before this one, or a file has a mistake.
    @Test func `sends a mail when its project is there again`() async throws {
        _ = try await world.send(.resetPassword)
        let (asked, clock) = (AtomicCounter(), world.clock)
        let usual = content(transport)
        let partly = MailDeliverer.Content(
            project: { asked.add() > 9 ? usual.project($0) : nil }, compose: World.compose, sender: usual.sender, transport: transport)
        try await run(deliverer(with: { partly }), until: "an empty queue") { [self] in
            clock.advance(by: .seconds(5))
            return try await waiting() == 0
        }
        #expect(transport.sent.count == 1)
    }

    /// M4: delivery backs off, and stops when the code of a mail has expired.
    @Test func `does not send a mail whose link has expired`() async throws {
        _ = try await world.send(.resetPassword)
        world.clock.advance(by: .days(8))
        try await run(deliverer(), until: "an empty queue") { [self] in try await waiting() == 0 }
        #expect(transport.sent.isEmpty)
    }

    /// M2: every queued mail ends delivered, or failed with a reason.
    @Test func `parks what is refused or too old, with its letter`() async throws {
        _ = try await world.send(.resetPassword)
        transport.script([.init(.refused, relay: "a", answer: "550 no such user")])
        try await run(deliverer(), until: "an empty queue") { [self] in try await waiting() == 0 }
        _ = try await world.send(.verifyEmail)
        transport.script(Array(repeating: .init(.deferred, relay: "a", answer: "450 later"), count: 20))
        let (clock, start) = (world.clock, world.clock.now())
        try await run(deliverer { $0.retries.giveUpAfter = .minutes(30) }, until: "an empty queue") { [self] in
            if clock.now() < start + .hours(1) { clock.advance(by: .minutes(10)) }
            return try await waiting() == 0
        }
        #expect(try await world.store.mails(limit: 9).count == 2)
    }

    /// M4, as while no relay is configured, or after a long stop.
    @Test(arguments: [false, true]) func `gives up what waited for two days without an attempt`(_ isSending: Bool) async throws {
        _ = try await world.send(.resetPassword)
        _ = try await world.send(.verifyEmail)
        world.clock.advance(by: .days(2) + .seconds(1))
        let usual = content(isSending ? transport : nil)
        try await run(deliverer(with: { usual }), until: "an empty queue") { [self] in try await waiting() == 0 }
        #expect(transport.sent.isEmpty)
        let parked = try await world.store.mails(limit: 9)
        #expect(parked.map(\.kind) == [.action(.verifyEmail)], "the other link has expired")
        #expect(try await world.store.retryMail(#require(parked.first).id))
        try await run(deliverer(), until: "an empty queue") { [self] in try await waiting() == 0 }
        #expect(transport.sent.count == 1)
    }

    /// Only a mailbox that does not exist is suppressed, and only for its project.
    @Test func `suppresses an address whose mailbox does not exist`() async throws {
        let digest = world.outbox.digest(of: .ada, in: world.project.id)
        func reasons() async throws -> [Suppression] {
            try await world.store.suppressions(of: digest, in: world.project.id, at: world.clock.now())
        }
        _ = try await world.send(.resetPassword)
        transport.script([.init(.refused, relay: "a", answer: "550 5.7.1 refused")])
        try await run(deliverer(), until: "an empty queue") { [self] in try await waiting() == 0 }
        #expect(try await reasons().isEmpty)
        _ = try await world.send(.resetPassword)
        transport.script([.init(.refused, relay: "a", answer: "550 5.1.1 unauthorized sender", feedback: .senderRefused)])
        try await run(deliverer(), until: "an empty queue") { [self] in try await waiting() == 0 }
        #expect(try await reasons().isEmpty)
        _ = try await world.send(.resetPassword)
        transport.script([.init(.refused, relay: "a", answer: "550 5.1.1 unknown", feedback: .bounce)])
        try await run(deliverer(), until: "an empty queue") { [self] in try await waiting() == 0 }
        let suppression = try #require(try await reasons().first)
        #expect(suppression.reason == .bounce && suppression.provider == .relay)
        #expect(suppression.until == world.clock.now() + .days(7))
        #expect(try await world.send(.resetPassword) == nil)
        #expect(transport.sent.count == 3)
    }

    /// M9: one recipient that fails does not delay others.
    @Test func `is not held up by a mail that hangs`() async throws {
        for _ in 0..<10 { _ = try await world.send(.resetPassword) }
        transport.hang(1)
        let running = Task { [deliverer = deliverer { $0.width = 2 }] in await deliverer.run() }
        try await eventually("the others were sent") { transport.sent.count == 10 }
        transport.release.open()
        running.cancel()
        await running.value
        #expect(try await waiting() == 0)
    }

    /// M9: a long queue stays in the store.
    @Test func `takes no more mails from the queue than it can send`() async throws {
        for _ in 0..<40 { _ = try await world.send(.resetPassword) }
        transport.hang(.max)
        let running = Task { [deliverer = deliverer { $0.width = 4 }] in await deliverer.run() }
        try await eventually("it sends as many as it can") { transport.sent.count == 4 }
        let tried = try await world.store.mailQueue(limit: 100, at: world.clock.now()).count { $0.attempts > 0 }
        #expect(tried <= 8)
        transport.release.open()
        try await eventually("an empty queue") { [self] in try await waiting() == 0 }
        running.cancel()
        await running.value
        #expect(transport.sent.count == 40)
    }

    @Test func `pauses while the relay is at fault, and then sends everything`() async throws {
        for _ in 0..<30 { _ = try await world.send(.resetPassword) }
        transport.script(Array(repeating: .init(.deferred, relay: nil, answer: "no relay", cause: .relay), count: 20))
        let clock = world.clock
        try await run(deliverer { $0.width = 4 }, until: "an empty queue") { [self] in
            clock.advance(by: .seconds(1))
            return try await waiting() == 0
        }
        #expect(Set(transport.sent.map(\.id)).count == 30)
        #expect(transport.sent.count == 50)
    }

    /// M9: a mail that makes its relay fail again and again neither stops the others nor comes back
    /// at once.
    @Test func `does not pause for one mail that makes the relay fail`() async throws {
        for _ in 0..<6 { _ = try await world.send(.resetPassword) }
        let fault = DeliveryOutcome(.deferred, relay: "a", answer: "cut", cause: .relay)
        let fine = DeliveryOutcome(.accepted, relay: "a", answer: "250 OK")
        transport.script([fault, fine, fault, fine, fault, fine])
        let slow = deliverer {
            $0.width = 1
            $0.relayPause = .seconds(3600)
        }
        try await run(slow, until: "three were sent") { [self] in try await waiting() == 3 && transport.sent.count == 6 }
        #expect(try await world.store.lease(MailLease(limit: 9, until: world.clock.now() + .seconds(60)), at: world.clock.now()).isEmpty)
    }

    /// V2: templates that take long must not take the threads on which requests are answered.
    @Test func `composes on threads of its own`() async throws {
        for _ in 0..<3 { _ = try await world.send(.resetPassword) }
        let usual = content(transport)
        let inTask = Locked<[Bool]>([])
        let content = MailDeliverer.Content(
            project: usual.project,
            compose: { letter, project throws(ActionError) in
                inTask.update { $0.append(withUnsafeCurrentTask { $0 != nil }) }
                return try usual.compose(letter, project)
            }, sender: usual.sender, transport: transport)
        try await run(deliverer(with: { content }), until: "an empty queue") { [self] in try await waiting() == 0 }
        #expect(inTask.value == [false, false, false] && transport.sent.count == 3)
    }

    /// V2: templates of a project stop the mails of no other.
    @Test func `parks a mail that cannot be composed, with the reason, and sends those of other projects`() async throws {
        _ = try await world.send(.resetPassword)
        var club = world
        club.project = world.project.renamed(ProjectID(rawValue: "club"))
        try await club.account("ada@app.example")
        _ = try await club.send(.resetPassword)
        let (usual, shop) = (content(transport), world.project.id)
        let content = MailDeliverer.Content(
            project: usual.project,
            compose: { letter, project throws(ActionError) in
                guard project.id != shop else { throw .unavailable(Unavailable(.mail, cause: "it is too large")) }
                return try usual.compose(letter, project)
            }, sender: usual.sender, transport: transport)
        try await run(deliverer(with: { content }), until: "an empty queue") { [self] in try await waiting() == 0 }
        #expect(transport.sent.map(\.project) == [club.project.id])
        let parked = try await world.store.mailQueue(limit: 9, at: world.clock.now())
        #expect(parked.map(\.project) == [shop] && parked.map(\.end) == [.parked] && parked.map(\.answer) == ["it is too large"])
    }

    /// B2, V2: a project that has used up its pace waits in the queue, and delays no other.
    @Test func `keeps the pace of each project`() async throws {
        for _ in 0..<5 { _ = try await world.send(.resetPassword) }
        var club = world
        club.project = world.project.renamed(ProjectID(rawValue: "club"))
        try await club.account("ada@app.example")
        for _ in 0..<5 { _ = try await club.send(.resetPassword) }
        let uptime = Locked(Uptime.zero)
        let shop = world.project.id
        let usual = content(transport)
        var slow = world.project
        slow.mail.mailsPerMinute = 2
        let project = slow
        let content = MailDeliverer.Content(
            project: { $0 == shop ? project : usual.project($0) }, compose: usual.compose, sender: usual.sender, transport: transport)
        let paced = deliverer(with: { content }) { $0.uptime = { uptime.value } }
        let fromShop = { @Sendable [transport] in transport.sent.count { $0.project == shop } }
        try await run(paced, until: "the other project's mails") { [transport] in transport.sent.count - fromShop() == 5 && fromShop() == 2
        }
        #expect(fromShop() == 2)
        // A new run has counted nothing, so it sends two at once.
        let later = deliverer(with: { content }) { $0.uptime = { uptime.value } }
        try await run(later, until: "a minute's mails and half of another's") {
            if fromShop() == 4 { uptime.update { $0 += .seconds(30) } }
            return fromShop() == 5
        }
        #expect(try await waiting() == 0)
    }

    /// Z3: a reload takes effect as a whole or not at all.
    @Test func `sends new mails by the new transport after a reload, and ends those under way by the old`() async throws {
        let new = ScriptedTransport()
        let contents = Locked(content(transport))
        transport.hang(1)
        _ = try await world.send(.resetPassword)
        let running = Task { [deliverer = deliverer(with: { contents.value })] in await deliverer.run() }
        try await eventually("the first mail is under way") { transport.sent.count == 1 }
        let changed = content(new) { $0.mail.from = Mailbox(name: "Shop's own", address: EmailAddress("own@shop.example")!) }
        contents.update { $0 = changed }
        _ = try await world.send(.verifyEmail)
        try await eventually("the second mail was sent") { new.sent.count == 1 }
        transport.release.open()
        try await eventually("an empty queue") { [self] in try await waiting() == 0 }
        running.cancel()
        await running.value
        #expect(transport.sent.count == 1 && transport.sent[0].sender.address.value == "no-reply@app.example")
        #expect(new.sent.map(\.letter.kind) == [.action(.verifyEmail)])
        #expect(new.sent[0].sender == Mailbox(name: "Shop's own", address: EmailAddress("own@shop.example")!))
        #expect(new.sent[0].envelopeFrom.value == "own@shop.example")
    }

    @Test func `leaves mails in the queue while none are sent`() async throws {
        let contents = Locked(content(nil))
        _ = try await world.send(.resetPassword)
        let running = Task { [deliverer = deliverer(with: { contents.value })] in await deliverer.run() }
        let record = { [world] in try await world.store.mailQueue(limit: 1, at: world.clock.now()).first }
        #expect(try await record()?.attempts == 0)
        let on = content(transport)
        contents.update { $0 = on }
        try await eventually("an empty queue") { [self] in try await waiting() == 0 }
        running.cancel()
        await running.value
        #expect(transport.sent.count == 1)
    }

    /// The inbox of `onward dev` shows a mail whatever became of it.
    @Test func `keeps the letters of mails that were sent or expired, if told so`() async throws {
        _ = try await world.send(.resetPassword)
        try await run(deliverer { $0.keepsLetters = true }, until: "an empty queue") { [self] in try await waiting() == 0 }
        _ = try await world.send(.verifyEmail)
        world.clock.advance(by: .days(8))
        try await run(deliverer { $0.keepsLetters = true }, until: "an empty queue") { [self] in try await waiting() == 0 }
        #expect(transport.sent.count == 1)
        #expect(try await world.store.mails(limit: 9).count == 2)
    }

    /// M4: delivery backs off, and stops when the code of a mail has expired.
    @Test func `waits longer after each attempt, up to a bound`() {
        let schedule = RetrySchedule()
        let waits = (1...9).map { schedule.wait(afterAttempt: $0, jitter: 0.5) }
        #expect(waits.prefix(4) == [.seconds(10), .seconds(30), .seconds(90), .seconds(270)])
        #expect(waits.last == .hours(2))
        #expect(schedule.wait(afterAttempt: 1, jitter: 0) == .seconds(7.5) && schedule.wait(afterAttempt: 1, jitter: 1) == .seconds(12.5))
    }
}

/// A transport that answers as it is told, and accepts everything else.
private final class ScriptedTransport: MailTransport {
    private let state = Locked((sent: [OutgoingMail](), script: [DeliveryOutcome](), hangs: 0))
    let release = Latch()

    var sent: [OutgoingMail] { state.value.sent }

    func script(_ outcomes: [DeliveryOutcome]) { state.update { $0.script += outcomes } }
    func hang(_ count: Int) { state.update { $0.hangs = count } }

    func send(_ mail: OutgoingMail) async -> DeliveryOutcome {
        let (outcome, hangs) = state.update { state in
            state.sent.append(mail)
            defer { state.hangs = max(0, state.hangs - 1) }
            return (state.script.isEmpty ? nil : state.script.removeFirst(), state.hangs > 0)
        }
        if hangs { await release.wait() }
        return outcome ?? DeliveryOutcome(.accepted, relay: "a", answer: "250 OK")
    }
}
