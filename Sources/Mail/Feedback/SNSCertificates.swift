internal import Accounts
internal import Base
internal import Cryptography
public import Logging
internal import Network

/// The signing certificates of Amazon SNS: fetched when a message names a new one, and kept for a
/// day.
///
/// Whatever strangers send, one is fetched at a time and one in a second.
public final class SNSCertificates: Sendable {
    /// Fetches a file. Its caller has checked the URL.
    typealias Fetch = @Sendable (_ url: String) async throws(FeedbackError) -> [UInt8]

    private typealias Loading = Task<Result<RSAPublicKey, FeedbackError>, Never>

    private struct State: Sendable {
        var loading: (url: String, key: Loading)?
        var lastFetchAt: Uptime?
    }

    private enum Lookup: Sendable { case known(RSAPublicKey), loading(Loading), busy }

    private static let interval = Duration.seconds(1)
    private static let maxBytes = 16 << 10

    private let keys = BoundedCache<String, RSAPublicKey>(capacity: 8, lifetime: .days(1))
    private let state = Locked(State())
    private let uptime: @Sendable () -> Uptime
    private let fetch: Fetch

    init(uptime: @escaping @Sendable () -> Uptime = { .now }, fetch: @escaping Fetch) { (self.uptime, self.fetch) = (uptime, fetch) }

    /// Fetches from Amazon.
    public convenience init(logger: Logger) {
        var limits = TransferLimits()
        (limits.width, limits.maxWaiting) = (1, 1)
        let client = HTTPClient(limits) { isUp in
            guard isUp else { return logger.error("certificates of Amazon SNS not available, mail feedback waits") }
            logger.notice("certificates of Amazon SNS available again")
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

    /// The key of the certificate at a URL. Messages that come at the same time wait for one fetch.
    func key(at url: String) async throws(FeedbackError) -> RSAPublicKey {
        let now = uptime()
        let lookup: Lookup = state.update { state in
            if let known = keys[url, at: now] { return .known(known) }
            if let loading = state.loading { return loading.url == url ? .loading(loading.key) : .busy }
            if let last = state.lastFetchAt, now - last < Self.interval { return .busy }
            let task = Task { await load(url, at: now) }
            (state.loading, state.lastFetchAt) = ((url, task), now)
            return .loading(task)
        }
        switch lookup {
        case .known(let key): return key
        case .loading(let task): return try await task.value.get()
        case .busy: throw .unavailable("another certificate of Amazon SNS was fetched a moment ago")
        }
    }

    private func load(_ url: String, at now: Uptime) async -> Result<RSAPublicKey, FeedbackError> {
        let result: Result<RSAPublicKey, FeedbackError>
        do throws(FeedbackError) { result = .success(try Self.key(in: try await fetch(url))) } catch { result = .failure(error) }
        if case .success(let key) = result { keys.add(key, of: url, at: now) }
        state.update { $0.loading = nil }
        return result
    }

    private static func key(in file: [UInt8]) throws(FeedbackError) -> RSAPublicKey {
        guard file.count <= maxBytes, let pem = String(validating: file, as: UTF8.self), let key = try? RSAPublicKey(pem: pem) else {
            throw .unavailable("a certificate of Amazon SNS cannot be read")
        }
        return key
    }
}
