package import Accounts
internal import Cryptography
internal import Curl
internal import EmailActions
package import Logging
internal import Queues

/// The certificates with which Amazon SNS signs: fetched when a message names a new one, and kept
/// for a day.
///
/// Whatever strangers send, one is fetched at a time and one in a second.
package final class SNSCertificates: Sendable {
    /// Fetches a file. Its caller has checked the URL.
    typealias Fetch = @Sendable (_ url: String) async throws(FeedbackError) -> [UInt8]

    private struct Known: Sendable {
        let key: RSAPublicKey
        let fetchedAt: Timestamp
    }

    private struct State: Sendable {
        var known: [String: Known] = [:]
        var pending: (url: String, result: Task<Result<RSAPublicKey, FeedbackError>, Never>)?
        var lastFetchAt: Timestamp?
    }

    private static let lifetime = Duration.days(1)
    private static let interval = Duration.seconds(1)
    private static let maxKnown = 8
    private static let maxBytes = 16 << 10

    private let state = Locked(State())
    private let fetch: Fetch

    init(fetch: @escaping Fetch) { self.fetch = fetch }

    /// Fetches from Amazon.
    /// - Parameter now: the time for the circuit breaker.
    package convenience init(now: @escaping Now, logger: Logger) {
        var limits = TransferLimits()
        (limits.width, limits.maxWaiting) = (1, 1)
        let client = HTTPClient(label: "onward.sns", limits, now: { .milliseconds(now().milliseconds) }) { isUp in
            if isUp { logger.notice("certificates of Amazon SNS available again") } else {
                logger.error("certificates of Amazon SNS not available, mail feedback waits")
            }
        }
        self.init { (url) throws(FeedbackError) in
            let response: TransferResponse
            do throws(TransferError) { response = try await client.send(TransferRequest(url: url, fields: [], body: nil)) } catch {
                throw .unavailable("certificate of Amazon SNS: \(error.cause)")
            }
            switch response.status {
            case 200: return response.body
            case 500...: throw .unavailable("certificate of Amazon SNS: HTTP status \(response.status)")
            default: throw .unauthentic("its certificate does not exist")
            }
        }
    }

    /// The key of the certificate at a URL.
    func key(at url: String, now: Timestamp) async throws(FeedbackError) -> RSAPublicKey {
        let found: Result<Task<Result<RSAPublicKey, FeedbackError>, Never>, FeedbackError>? = state.update { state in
            if let known = state.known[url], (.zero..<Self.lifetime).contains(now - known.fetchedAt) { return nil }
            if let pending = state.pending { return pending.url == url ? .success(pending.result) : .failure(Self.busy) }
            if let last = state.lastFetchAt, (.zero..<Self.interval).contains(now - last) { return .failure(Self.busy) }
            let task = Task { await load(url, at: now) }
            (state.pending, state.lastFetchAt) = ((url, task), now)
            return .success(task)
        }
        guard let found else { return try known(url) }
        return try await found.get().value.get()
    }

    private static let busy = FeedbackError.unavailable("another certificate of Amazon SNS is being fetched")

    private func known(_ url: String) throws(FeedbackError) -> RSAPublicKey {
        guard let known = state.value.known[url] else { throw Self.busy }
        return known.key
    }

    private func load(_ url: String, at now: Timestamp) async -> Result<RSAPublicKey, FeedbackError> {
        let result: Result<RSAPublicKey, FeedbackError>
        do throws(FeedbackError) { result = .success(try Self.key(in: try await fetch(url))) } catch { result = .failure(error) }
        state.update { state in
            state.pending = nil
            guard case .success(let key) = result else { return }
            state.known[url] = Known(key: key, fetchedAt: now)
            if state.known.count > Self.maxKnown, let oldest = state.known.min(by: { $0.value.fetchedAt < $1.value.fetchedAt }) {
                state.known[oldest.key] = nil
            }
        }
        return result
    }

    private static func key(in file: [UInt8]) throws(FeedbackError) -> RSAPublicKey {
        guard file.count <= maxBytes, let pem = String(validating: file, as: UTF8.self), let key = try? RSAPublicKey(pem: pem) else {
            throw .unavailable("a certificate of Amazon SNS cannot be read")
        }
        return key
    }
}
