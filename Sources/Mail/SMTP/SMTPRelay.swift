internal import Accounts
internal import Base
internal import Logging
internal import Network

/// A relay with its connections, circuit breaker and rate.
///
/// It has its own threads, one for each connection, so that a relay that does not answer delays no
/// other.
final class SMTPRelay: Sendable {
    /// How long a relay that refused the credentials is left alone. Each try counts towards the
    /// lock-out that providers have.
    static let credentialsPause = Duration.seconds(600)
    /// How long an unused connection is kept. Servers close theirs after some minutes.
    static let maxIdle = Duration.seconds(30)
    /// The number of mails that may wait for a connection.
    private static let maxWaiting = 256
    /// How long a mail waits for its turn if the rate is used up.
    static let ratePatience = Duration.seconds(5)

    private struct State: Sendable {
        var circuit = CircuitBreaker()
        var rate: RateWindow
        /// Connected sessions, the one that was used last at the end.
        var idle: [(session: SMTPSession, since: Uptime)] = []
        var isClosingIdle = false
    }

    let settings: SMTPRelaySettings
    private let workerPool: WorkerPool
    private let state: Locked<State>
    private let uptime: @Sendable () -> Uptime
    private let logger: Logger

    /// - Parameter nodes: the number of processes that share the rate.
    init(_ settings: SMTPRelaySettings, nodes: Int = 1, uptime: @escaping @Sendable () -> Uptime, logger: Logger) {
        self.settings = settings
        workerPool = WorkerPool(label: "onward.smtp", width: settings.maxConnections, maxWaiting: Self.maxWaiting)
        state = Locked(State(rate: RateWindow(settings.ratePerMinute, nodes: nodes)))
        self.uptime = uptime
        var logger = logger
        logger[metadataKey: "relay"] = "\(settings.endpoint.name)"
        self.logger = logger
    }

    var name: String { settings.endpoint.name }

    /// Whether the relay counts as down.
    var isDown: Bool { state.value.circuit.downSince != nil }

    /// Hands a message over, unless the relay is down or its rate is used up.
    func send(_ message: SMTPMessage, before deadline: Uptime, log: @escaping SMTPSession.Log) async -> DeliveryOutcome {
        let moment = uptime()
        let patience = max(.zero, min(Self.ratePatience, deadline - .now))
        let admission = state.update { state -> (isUp: Bool, wait: Duration?) in
            guard state.circuit.allowsRequest(at: moment) else { return (false, nil) }
            return (true, state.rate.reserve(at: moment, patience: patience))
        }
        guard admission.isUp else { return .deferred("not asked, because it failed a moment ago", .notAsked) }
        guard let wait = admission.wait else { return .deferred("its rate is used up", .notAsked) }
        if wait > .zero { try? await Task.sleep(for: wait) }
        do {
            let outcome = try await workerPool.run { self.perform(message, before: deadline, log: log) }
            record(outcome)
            return outcome
        } catch { return .deferred("too many mails wait for it", .notAsked) }
    }

    /// Runs on a worker.
    private func perform(_ message: SMTPMessage, before deadline: Uptime, log: @escaping SMTPSession.Log)
        -> DeliveryOutcome
    {
        guard Uptime.now < deadline else { return .deferred("it was too slow for earlier mails", .notAsked) }
        if var session = takeIdle(for: message) {
            log(.event("connection to \(name) reused"))
            let outcome = session.send(message, before: deadline, log: log)
            keepIfReusable(session)
            // The server may have closed the connection in this moment. It has seen nothing of the
            // mail.
            if !session.wasDead { return outcome }
        }
        log(.event("connecting to \(name)"))
        do throws(SMTPSession.NotOpened) {
            var session = try SMTPSession(to: settings, before: deadline, log: log)
            let outcome = session.send(message, before: deadline, log: log)
            keepIfReusable(session)
            return outcome
        } catch { return .deferred(error.text, error.isRefusalOfCredentials ? .credentials : .relay) }
    }

    /// Connects, authenticates and says goodbye, whether or not the relay is down.
    func check(log: @escaping SMTPSession.Log) async -> String? {
        let deadline = Uptime.now + settings.limits.total
        do {
            return try await workerPool.run { [settings] () -> String? in
                do throws(SMTPSession.NotOpened) {
                    try SMTPSession(to: settings, before: deadline, log: log).quit()
                    return nil
                } catch { return error.text }
            }
        } catch { return "too many mails wait for it" }
    }

    // MARK: Connections

    /// A connected session that is still alive and offers what the message needs.
    private func takeIdle(for message: SMTPMessage) -> SMTPSession? {
        let limit = uptime() - Self.maxIdle
        while let (idle, since) = state.update({ $0.idle.popLast() }) {
            var session = idle
            if since >= limit, session.offers.objection(to: message) == nil, (try? session.isQuiet()) == true { return session }
            session.quit()
        }
        return nil
    }

    private func keepIfReusable(_ session: SMTPSession) {
        guard session.isReusable else { return }
        let moment = uptime()
        let startsClosing = state.update { state in
            state.idle.append((session, moment))
            defer { state.isClosingIdle = true }
            return !state.isClosingIdle
        }
        guard startsClosing else { return }
        // The connections of a relay that a reload has replaced are closed with it.
        Task { [weak self] in
            repeat { try? await Task.sleep(for: Self.maxIdle) } while self?.closeIdle() == false
        }
    }

    /// Closes connections that are not used any more. Returns whether there are none left.
    private func closeIdle() -> Bool {
        let limit = uptime() - Self.maxIdle
        let (expired, isDone) = state.update { state in
            let expired = state.idle.filter { $0.since <= limit }.map(\.session)
            state.idle.removeAll { $0.since <= limit }
            state.isClosingIdle = !state.idle.isEmpty
            return (expired, state.idle.isEmpty)
        }
        for session in expired { session.quit() }
        return isDone
    }

    // MARK: Circuit

    private func record(_ outcome: DeliveryOutcome) {
        let moment = uptime()
        switch outcome.cause {
        case .notAsked: break
        case .credentials:
            let isNew = state.update { $0.circuit.open(at: moment, for: Self.credentialsPause) }
            if isNew { logger.error("mail relay refused the credentials, it is paused", metadata: ["answer": "\(outcome.answer)"]) }
        case .relay, .lostAnswer:
            let isNew = state.update { $0.circuit.fail(at: moment) }
            if isNew { logger.error("mail relay failed repeatedly, it is paused", metadata: ["answer": "\(outcome.answer)"]) }
        case .mail, .policy:
            let isBack = state.update { $0.circuit.succeed() }
            if isBack { logger.notice("mail relay recovered") }
        }
    }
}
