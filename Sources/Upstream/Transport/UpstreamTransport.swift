internal import Accounts
internal import Logging
internal import Queues

/// The line to one upstream: so many queries at a time, so many more in a queue, and none at all while nothing comes back. It has
/// threads of its own, so an upstream that hangs holds up nobody else.
struct UpstreamTransport: Sendable {
    private let workerPool: WorkerPool
    private let idle = Pool<Wire>()
    private let circuit = Locked(Circuit())
    private let bounds: Bounds
    private let now: Now
    private let logger: Logger

    /// - Parameter logger: names the upstream in its metadata.
    init(_ bounds: Bounds, now: @escaping Now, logger: Logger) {
        workerPool = WorkerPool(label: "onward.upstream", width: bounds.width, maxWaiting: bounds.maxWaiting)
        self.bounds = bounds
        self.now = now
        self.logger = logger
    }

    /// Since when nothing has come back; nil while the line is up.
    var brokenSince: Timestamp? { circuit.value.brokenSince }

    func send(_ query: Query) async throws(Lost) -> Reply {
        let deadline = ContinuousClock.now + bounds.whole
        guard circuit.update({ [now] in $0.admits(at: now()) }) else { throw Lost(cause: "it was down a moment ago") }
        do {
            return try await workerPool.run { try dispatch(query, before: deadline) }
        } catch let lost as Lost { throw lost } catch { throw Lost(cause: "too many wait for it") }
    }

    /// On a hand of the crew.
    private func dispatch(_ query: Query, before deadline: ContinuousClock.Instant) throws(Lost) -> Reply {
        let left = deadline - .now
        guard left > .zero else { throw Lost(cause: "it was too slow for those before") }
        guard let wire = (try? idle.take()) ?? Wire() else { throw Lost(cause: "out of memory") }
        defer { idle.giveBack(wire) }
        do throws(Lost) {
            let reply = try wire.send(query, opening: min(bounds.opening, left), whole: left)
            note(isUp: reply.status < 500)
            return reply
        } catch {
            note(isUp: false)
            throw error
        }
    }

    private func note(isUp: Bool) {
        let moment = now()
        let hasChanged = circuit.update { isUp ? $0.succeed() : $0.fail(at: moment) }
        guard hasChanged else { return }
        if isUp { logger.notice("an upstream is back") } else { logger.error("an upstream is down: it is asked now and then only") }
    }
}
