internal import Base
internal import Logging
internal import Network

/// The state of an upstream for each API key. Projects that share a host share its connections, but
/// a failure of one project's requests says nothing about those of another, so each key has its own
/// circuit breaker (Y4).
struct KeyHealth: Sendable {
    /// The result of a request.
    enum Event: Sendable {
        case answer
        /// The server failed, or its response was lost; after several, requests are paused.
        case failure(String)
        /// The server was not reached; its own circuit breaker counts this.
        case unreachable(String)
        case refusal(String, because: Fault)
    }

    /// The part of the configuration that is at fault if every request is refused.
    enum Fault: Sendable {
        /// The server does not accept the key.
        case key
        /// The server is not an Identity Toolkit, or not at this path.
        case base
    }

    private struct State: Sendable {
        var circuit = CircuitBreaker()
        var hasAnswered = false
        /// The reason why the last request had no answer; nil if it had one.
        var cause: String?
        /// The reason why the last request was refused; nil if it was not.
        var fault: Fault?
    }

    /// As many as there are keys in the configuration.
    private let states = Locked<[String: State]>([:])
    private let uptime: @Sendable () -> Uptime
    private let logger: Logger

    init(uptime: @escaping @Sendable () -> Uptime, logger: Logger) { (self.uptime, self.logger) = (uptime, logger) }

    /// Whether a request with this key may be sent.
    func allowsRequest(_ key: String) -> Bool {
        let moment = uptime()
        return states.update { $0[key, default: State()].circuit.allowsRequest(at: moment) }
    }

    func record(_ event: Event, for key: String) {
        let moment = uptime()
        let isUp: Bool? = states.update { states in
            var state = states[key, default: State()]
            defer { states[key] = state }
            (state.cause, state.fault) = (nil, nil)
            switch event {
            case .answer:
                state.hasAnswered = true
                return state.circuit.succeed() ? true : nil
            case .failure(let cause):
                state.cause = cause
                return state.circuit.fail(at: moment) ? false : nil
            case .unreachable(let cause):
                state.cause = cause
                return nil
            case .refusal(let cause, let fault):
                (state.cause, state.fault) = (cause, fault)
                return state.circuit.succeed() ? true : nil
            }
        }
        guard let isUp else { return }
        let metadata: Logger.Metadata = ["key": "\(key.shownAPIKey)"]
        if isUp {
            logger.notice("upstream recovered", metadata: metadata)
        } else {
            logger.error("upstream failed repeatedly, requests are paused", metadata: metadata)
        }
    }

    /// Whether the last request with this key was refused because of the key.
    func refuses(_ key: String) -> Bool { states.value[key]?.fault == .key }

    /// The trouble of a project with these keys in a few words; nil if one of them works or none
    /// was used. Keys of phone apps do not work from a server.
    func trouble(of keys: Set<String>, isReachable: Bool) -> String? {
        let states = states.value
        let used = keys.sorted().compactMap { states[$0] }
        let isFine = used.contains { $0.hasAnswered && $0.fault == nil && $0.circuit.downSince == nil }
        guard !used.isEmpty, !isFine || !isReachable else { return nil }
        if !used.contains(where: \.hasAnswered) { return used.compactMap(\.cause).first.map { "has not answered yet: \($0)" } }
        if !isReachable { return "cannot be reached" }
        if let refused = used.first(where: { $0.fault != nil }) {
            return (refused.fault == .key ? "refuses the API key: " : "does not answer like an Identity Toolkit: ") + (refused.cause ?? "")
        }
        return "is down"
    }
}

extension String {
    /// The beginning and the end of an API key, which let an operator tell two keys apart. Keys of
    /// one provider begin alike. They are in every link, so they are no secrets.
    public var shownAPIKey: String { count < 16 ? self : "\(prefix(8))…\(suffix(4))" }
}
