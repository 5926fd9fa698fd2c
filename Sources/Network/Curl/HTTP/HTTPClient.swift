public import Base
internal import CCurl

/// The concurrency and time limits of requests to one server. The defaults suit a large provider.
public struct TransferLimits: Sendable {
    /// The number of concurrent requests, each with a connection.
    public var width = 32
    /// The number of requests of a source that may wait for their turn; further ones fail
    /// immediately.
    public var maxWaiting = 128
    /// The time limit for connecting, TLS included.
    public var connect = Duration.seconds(2)
    /// The time limit for a request, waiting and connecting included.
    public var total = Duration.seconds(8)
    /// The time after which an idle connection is no longer used. The default is libcurl's; large
    /// providers close theirs later.
    public var maxIdle = Duration.seconds(118)

    public init() {}
}

/// Sends HTTP requests to one server, with limits on concurrency and time and a circuit breaker. A
/// server that does not respond delays no other.
public struct HTTPClient: Sendable {
    /// The failures that open the circuit.
    public enum CircuitScope: Sendable {
        case allFailures
        /// Only failures to connect. The caller judges responses, and requests without one, because
        /// the server is shared by parts that fail separately.
        case connections
    }

    private var turns: TurnQueue
    private let circuitBreaker = Locked(CircuitBreaker())
    private let limits: TransferLimits
    private let scope: CircuitScope
    private let caFile: String?
    private let onlyPublic: Bool
    private let uptime: @Sendable () -> Uptime
    private let circuitChanged: @Sendable (_ isUp: Bool) -> Void

    /// - Parameters:
    ///   - caFile: a PEM file with the only certificates to trust; nil for the system's roots.
    ///   - onlyPublic: whether connections are made to public addresses only, whatever the names in
    ///     URLs resolve to. With a proxy in the environment, the proxy decides.
    ///   - uptime: for the circuit breaker.
    ///   - circuitChanged: called when the server goes down and when it is back.
    public init(
        _ limits: TransferLimits, scope: CircuitScope = .allFailures, caFile: String? = nil, onlyPublic: Bool = false,
        uptime: @escaping @Sendable () -> Uptime = { .now }, circuitChanged: @escaping @Sendable (_ isUp: Bool) -> Void
    ) {
        turns = Self.turns(limits)
        self.limits = limits
        self.scope = scope
        self.caFile = caFile
        self.onlyPublic = onlyPublic
        self.uptime = uptime
        self.circuitChanged = circuitChanged
    }

    private static func turns(_ limits: TransferLimits) -> TurnQueue {
        TurnQueue(width: limits.width, maxWaiting: limits.maxWaiting, widthPerSource: limits.width)
    }

    /// A client of the same server whose requests wait for none of this one. The circuit is shared.
    public func withOwnTurns() -> HTTPClient {
        var client = self
        client.turns = Self.turns(limits)
        return client
    }

    /// The name and version of libcurl.
    public static var libraryVersion: String {
        String(cString: curl_version()).split(separator: " ").first.map(String.init) ?? "libcurl"
    }

    /// When the server went down; nil while it is up.
    public var downSince: Uptime? { circuitBreaker.value.downSince }

    /// Whether the server is down and was asked a moment ago, so that a request would fail.
    public var isPaused: Bool { circuitBreaker.value.isPaused(at: uptime()) }

    /// - Parameter source: the network that the request is sent for; such networks take turns. Nil
    ///   for the server's own requests.
    public func send(_ request: TransferRequest, for source: String? = nil) async throws(TransferError) -> TransferResponse {
        let deadline = Uptime.now + limits.total
        guard circuitBreaker.update({ [uptime] in $0.allowsRequest(at: uptime()) }) else {
            throw TransferError(cause: "not asked, because it was down a moment ago")
        }
        let turn = TurnQueue.Turn(subject: nil, source: source)
        let response = try await turns.run(turn) { () async throws(TransferError) in try await perform(request, before: deadline) }
        guard let response else { throw TransferError(cause: "too many requests wait for it") }
        return response
    }

    private func perform(
        _ request: TransferRequest, before deadline: Uptime
    ) async throws(TransferError) -> TransferResponse {
        let remaining = deadline - .now
        guard remaining > .zero else { throw TransferError(cause: "it was too slow for earlier requests") }
        guard let loop = TransferLoop.shared else { throw TransferError(cause: "out of memory") }
        let settings = HTTPTransfer.Settings(caFile: caFile, onlyPublic: onlyPublic, maxIdle: limits.maxIdle)
        let timeouts = HTTPTransfer.Timeouts(connecting: min(limits.connect, remaining), total: remaining)
        do throws(TransferError) {
            let response = try await loop.perform(request, settings, timeouts)
            record(isUp: scope == .connections || response.status < 500)
            return response
        } catch {
            if scope == .allFailures || error.requestState == .notSent { record(isUp: false) }
            throw error
        }
    }

    private func record(isUp: Bool) {
        let moment = uptime()
        let hasChanged = circuitBreaker.update { isUp ? $0.succeed() : $0.fail(at: moment) }
        if hasChanged { circuitChanged(isUp) }
    }
}
