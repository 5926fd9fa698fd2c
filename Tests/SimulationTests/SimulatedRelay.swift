import Accounts
import Base
import Logging
import Mail
import Synchronization
import World

/// A relay that takes mails, refuses them, or takes them and loses its answer, as a seed decides.
final class SimulatedRelay: MailTransport {
    private struct State {
        var generator: Generator
        var isHealthy = false
        /// The number of times that each mail was taken, by its id.
        var taken: [String: Int] = [:]
        /// The mails that were taken without an answer.
        var unanswered: Set<String> = []
    }

    private let state: Mutex<State>

    init(deciding generator: Generator) { state = Mutex(State(generator: generator)) }

    func timesTaken(_ mail: MailID) -> Int { state.withLock { $0.taken[mail.description, default: 0] } }
    func hasLostAnswer(to mail: MailID) -> Bool { state.withLock { $0.unanswered.contains(mail.description) } }
    func recover() { state.withLock { $0.isHealthy = true } }

    func send(_ mail: OutgoingMail) async -> DeliveryOutcome {
        state.withLock { state in
            switch state.isHealthy ? 9 : state.generator.next(below: 10) {
            case 0: return DeliveryOutcome(.refused, relay: "relay", answer: "550 no such mailbox")
            case 1: return DeliveryOutcome(.deferred, relay: "relay", answer: "451 later", cause: .mail)
            case 2: return DeliveryOutcome(.deferred, relay: "relay", answer: "421 closing", cause: .relay)
            case 3:
                state.taken[mail.id, default: 0] += 1
                state.unanswered.insert(mail.id)
                return DeliveryOutcome(.deferred, relay: "relay", answer: "the answer was lost", cause: .lostAnswer)
            default:
                state.taken[mail.id, default: 0] += 1
                return DeliveryOutcome(.accepted, relay: "relay", answer: "250 queued")
            }
        }
    }
}

/// The queue of mails for one look of a deliverer.
private final class OneLook: ForwardingStorage {
    let store: any Storage
    /// Ends when no mail is due, or the store has failed.
    let end: AsyncStream<Never>
    private let ending: AsyncStream<Never>.Continuation
    private let hasEnded = Mutex(false)

    init(_ store: any Storage) {
        self.store = store
        (end, ending) = AsyncStream.makeStream()
    }

    func lease(_ lease: MailLease, at now: Timestamp) async throws(ActionError) -> [StoredMail] {
        guard !hasEnded.withLock(\.self) else { return [] }
        do throws(ActionError) {
            let mails = try await store.lease(lease, at: now)
            if mails.isEmpty { finish() }
            return mails
        } catch {
            finish()
            throw error
        }
    }

    func giveUp(writtenBefore moment: Timestamp, keepsLetters: Bool, at now: Timestamp) async throws(ActionError) -> Int {
        do throws(ActionError) { return try await store.giveUp(writtenBefore: moment, keepsLetters: keepsLetters, at: now) } catch {
            finish()
            throw error
        }
    }

    private func finish() {
        hasEnded.withLock { $0 = true }
        ending.finish()
    }
}

extension World {
    /// Sends the mails of a queue that are due, one after another. Mails that were sent keep their
    /// letters.
    func deliver(from queue: any Storage, by relay: SimulatedRelay, confirmed: @escaping Now) async {
        var options = MailDeliverer.Options()
        (options.width, options.poll, options.keepsLetters, options.maxRelayFailures) = (1, .seconds(86_400), true, .max)
        let content = MailDeliverer.Content(
            project: { [project] in $0 == project.id ? project : nil }, compose: World.compose,
            sender: MailSender(from: Mailbox(name: nil, address: EmailAddress("no-reply@app.example")!)), transport: relay)
        let look = OneLook(queue)
        let deliverer = MailDeliverer(
            queue: look, outbox: outbox, options: options, now: now, confirmed: confirmed, random: random.bytes,
            logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }, content: { content })
        let running = Task { await deliverer.run() }
        for await _ in look.end {}
        running.cancel()
        await running.value
    }
}
