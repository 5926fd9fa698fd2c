internal import Accounts
internal import Base
internal import Network

/// The issuers of ID tokens with their keys, fetched when they are first needed and cached as long
/// as each provider says.
///
/// Whatever strangers send, a provider is asked once at a time, and once in a while. The copy is
/// used for a day longer while the provider is down.
final class OpenIDIssuers: Sendable {
    typealias Fetch = @Sendable (_ server: ProviderServer, _ now: Timestamp) async throws(ProviderError) -> OpenIDIssuer

    private typealias Loading = Task<Result<OpenIDIssuer, ProviderError>, Never>

    private struct Entry: Sendable {
        var known: OpenIDIssuer?
        var loading: Loading?
        var askedAt: Timestamp?

        func isUsable(at now: Timestamp, longer: Duration = .zero) -> Bool {
            known.map { (.zero..<($0.lifetime + longer)).contains(now - $0.fetchedAt) } ?? false
        }
    }

    private enum Lookup: Sendable { case known(OpenIDIssuer), loading(Loading, instead: OpenIDIssuer?), paused }

    /// The time between two requests for a key that is not among those known: tokens with invented
    /// key ids must not cause a request each.
    static let refreshInterval = Duration.seconds(30)
    /// The time between two requests while the provider is down.
    static let retryInterval = Duration.seconds(5)
    static let staleLifetime = Duration.seconds(86_400)

    /// Bounded, because admins may change the URLs as often as they like.
    private let entries = BoundedCache<ProviderServer, Locked<Entry>>(capacity: 1_000)
    private let fetch: Fetch

    init(fetch: @escaping Fetch) { self.fetch = fetch }

    /// The issuer of a server, refreshed if it is outdated or lacks the key. Callers at the same
    /// time wait for one request.
    func issuer(_ server: ProviderServer, holding keyID: String?, at now: Timestamp) async throws(ProviderError) -> OpenIDIssuer {
        try await issuer(server, at: now) { $0.keys[keyID] != nil }
    }

    /// The issuer of a server, fetched after an older copy, unless it was asked for a moment ago.
    func issuer(_ server: ProviderServer, newerThan copy: OpenIDIssuer, at now: Timestamp) async throws(ProviderError) -> OpenIDIssuer {
        try await issuer(server, at: now) { $0.fetchedAt > copy.fetchedAt }
    }

    /// The issuer of a server, refreshed if it is outdated.
    func issuer(_ server: ProviderServer, at now: Timestamp) async throws(ProviderError) -> OpenIDIssuer {
        try await issuer(server, at: now) { _ in true }
    }

    private func issuer(
        _ server: ProviderServer, at now: Timestamp, suffices: @Sendable (OpenIDIssuer) -> Bool
    ) async throws(ProviderError) -> OpenIDIssuer {
        let shared = entries[server, or: Locked(Entry())]
        let lookup: Lookup = shared.update { entry in
            let (isFresh, copy) = (entry.isUsable(at: now), entry.isUsable(at: now, longer: Self.staleLifetime) ? entry.known : nil)
            if isFresh, let known = entry.known, suffices(known) { return .known(known) }
            if let loading = entry.loading { return .loading(loading, instead: copy) }
            let interval = isFresh ? Self.refreshInterval : Self.retryInterval
            if let asked = entry.askedAt, (.zero..<interval).contains(now - asked) { return copy.map { .known($0) } ?? .paused }
            let task = Task { await load(server, into: shared, at: now) }
            (entry.loading, entry.askedAt) = (task, now)
            return .loading(task, instead: copy)
        }
        switch lookup {
        case .known(let known): return known
        case .paused: throw .unavailable(cause: "\(server.url): not asked, because it was down a moment ago")
        case .loading(let task, let copy):
            switch await task.value {
            case .success(let fetched): return fetched
            case .failure(let error):
                guard let copy else { throw error }
                return copy
            }
        }
    }

    private func load(_ server: ProviderServer, into shared: Locked<Entry>, at now: Timestamp) async -> Result<OpenIDIssuer, ProviderError>
    {
        let result: Result<OpenIDIssuer, ProviderError>
        do throws(ProviderError) { result = .success(try await fetch(server, now)) } catch { result = .failure(error) }
        shared.update { entry in
            entry.loading = nil
            if case .success(let fetched) = result { entry.known = fetched }
        }
        return result
    }
}
