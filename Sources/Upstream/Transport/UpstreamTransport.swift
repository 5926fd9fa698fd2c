internal import Accounts
internal import Logging
internal import Queues

/// The concurrency and time limits of requests to one upstream. The defaults suit a large provider.
package struct UpstreamLimits: Sendable {
    /// The number of concurrent requests, each with a thread and a connection that is kept open.
    package var width = 32
    /// The number of requests that may wait for a thread; further ones fail immediately.
    package var maxWaiting = 128
    /// The time limit for connecting, TLS included.
    package var connect = Duration.seconds(2)
    /// The time limit for a request, waiting and connecting included.
    package var total = Duration.seconds(8)

    package init() {}
}

/// Sends requests to one upstream, with limits on concurrency and time and a circuit breaker. It has
/// threads of its own, so that an upstream that does not respond delays nothing else.
struct UpstreamTransport: Sendable {
    private let workerPool: WorkerPool
    private let idleHandles = Pool<CurlHandle>()
    private let circuitBreaker = Locked(CircuitBreaker())
    private let limits: UpstreamLimits
    private let now: Now
    private let logger: Logger

    /// - Parameter logger: a logger whose metadata names the upstream.
    init(_ limits: UpstreamLimits, now: @escaping Now, logger: Logger) {
        workerPool = WorkerPool(label: "onward.upstream", width: limits.width, maxWaiting: limits.maxWaiting)
        self.limits = limits
        self.now = now
        self.logger = logger
    }

    /// When the upstream went down, nil while it is up.
    var downSince: Timestamp? { circuitBreaker.value.downSince }

    func send(_ request: UpstreamRequest) async throws(TransferError) -> UpstreamResponse {
        let deadline = ContinuousClock.now + limits.total
        guard circuitBreaker.update({ [now] in $0.admits(at: now()) }) else {
            throw TransferError(cause: "not asked, because it was down a moment ago")
        }
        do {
            return try await workerPool.run { try perform(request, before: deadline) }
        } catch let error as TransferError { throw error } catch { throw TransferError(cause: "too many requests wait for it") }
    }

    /// Runs on a worker.
    private func perform(
        _ request: UpstreamRequest, before deadline: ContinuousClock.Instant
    ) throws(TransferError) -> UpstreamResponse {
        let remaining = deadline - .now
        guard remaining > .zero else { throw TransferError(cause: "it was too slow for earlier requests") }
        guard let handle = (try? idleHandles.take()) ?? CurlHandle() else { throw TransferError(cause: "out of memory") }
        defer { idleHandles.giveBack(handle) }
        do throws(TransferError) {
            let response = try handle.send(request, connectTimeout: min(limits.connect, remaining), timeout: remaining)
            record(isUp: response.status < 500)
            return response
        } catch {
            record(isUp: false)
            throw error
        }
    }

    private func record(isUp: Bool) {
        let moment = now()
        let hasChanged = circuitBreaker.update { isUp ? $0.succeed() : $0.fail(at: moment) }
        guard hasChanged else { return }
        if isUp { logger.notice("upstream recovered") } else { logger.error("upstream failed repeatedly, requests are paused") }
    }
}
