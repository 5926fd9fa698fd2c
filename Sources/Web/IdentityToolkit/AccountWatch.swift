internal import Accounts
internal import Base
internal import HTTPServer
internal import HTTPTypes

/// The clients that wait until the account of their user changes. A waiting one keeps no task and
/// nothing of its request.
final class AccountWatch: Sendable {
    /// A client that waits.
    private struct Waiter: Sendable {
        let session: WatchedSession
        /// The mark of the account as the client knows it.
        let mark: String
        let source: String
        /// The origin of the page that waits.
        let origin: String?
        let response: HeldResponse
        let endsAt: Uptime
        var lookedAt: Uptime
    }

    private struct State: Sendable {
        var waiters: [UInt64: Waiter] = [:]
        var next = UInt64(0)
        /// The numbers of waiters, the oldest first.
        var byAccount: [AccountKey: [UInt64]] = [:]
        var bySource: [String: [UInt64]] = [:]
        var hasTimer = false
        /// The number at `AccountChanges`.
        var listener: UInt64?
    }

    /// How long a client waits at most: less than the proxies between are patient with a silent
    /// connection, most of them a minute.
    static let longest = Duration.seconds(50)
    static let maxPerAccount = 8
    static let maxPerSource = 1_000
    /// How often accounts are looked at, in case a change was not told, and how many at a time.
    private static let lookInterval = Duration.seconds(5)
    private static let maxLooks = 200

    private let accounts: Accounts
    private let crossOrigin: CrossOrigin
    private let maxPerSource: Int
    private let state = Locked(State())

    init(accounts: Accounts, crossOrigin: CrossOrigin, maxPerSource: Int = maxPerSource) {
        (self.accounts, self.crossOrigin, self.maxPerSource) = (accounts, crossOrigin, maxPerSource)
        let number = accounts.store.accountChanges.listen { [weak self] key in self?.look(at: key) }
        state.update { $0.listener = number }
    }

    deinit { if let number = state.value.listener { accounts.store.accountChanges.remove(number) } }

    /// The number of clients that wait.
    var count: Int { state.value.waiters.count }

    /// The mark of an account. It differs from the mark before a change, and says nothing else.
    /// Sign-ins and refreshes do not change it.
    func mark(of profile: Accounts.Profile) -> String {
        guard case .object(let members) = profile.json else { return "" }
        let shown = members.filter { $0.name != "lastLoginAt" && $0.name != "lastRefreshAt" }
        return Base64URL.encode(Array(accounts.secrets.authenticationCode(of: JSON.object(shown).bytes, for: .accountMark).prefix(16)))
    }

    /// The response about an account that may differ from the one that the client knows.
    func answer(about profile: Accounts.Profile, since mark: String?) -> JSON {
        let present = self.mark(of: profile)
        return Self.answer(about: profile.account.id, mark: present, isChanged: mark.map { $0 != present } ?? false)
    }

    private static func answer(about account: AccountID, mark: String, isChanged: Bool) -> JSON {
        .object(["localId": .string(account.rawValue), "since": .string(mark), "changed": .bool(isChanged)])
    }

    /// Holds the response to a client until its account has another mark.
    /// - Parameters:
    ///   - source: the network of the client, as limits count it.
    ///   - origin: the origin of the page that waits.
    func hold(_ session: WatchedSession, since mark: String, from source: String, origin: String?) -> HeldResponse {
        let number = state.update { state in
            state.next += 1
            return state.next
        }
        // The waits go on after a reload, which replaces this object.
        let response = HeldResponse { self.end(number) }
        let now = accounts.uptime()
        let waiter = Waiter(
            session: session, mark: mark, source: source, origin: origin, response: response, endsAt: now + Self.longest, lookedAt: now)
        let (surplus, needsTimer) = state.update { state in
            state.waiters[number] = waiter
            state.byAccount[session.key, default: []].append(number)
            state.bySource[source, default: []].append(number)
            defer { state.hasTimer = true }
            let surplus = [
                state.byAccount[session.key]?.dropLast(Self.maxPerAccount).first, state.bySource[source]?.dropLast(maxPerSource).first,
            ]
            return (surplus.compactMap(\.self), !state.hasTimer)
        }
        for number in surplus { end(number) }
        if needsTimer { startTimer() }
        // A change since the account was read was told before.
        look(at: [number])
        return response
    }

    private func look(at key: AccountKey) {
        let numbers = state.update { $0.byAccount[key] ?? [] }
        if !numbers.isEmpty { look(at: numbers) }
    }

    /// Reads the accounts of waiters, and ends the waits of those that have changed.
    private func look(at numbers: [UInt64]) {
        Task {
            for number in numbers {
                guard let waiter = state.update({ $0.waiters[number] }) else { continue }
                do throws(ActionError) {
                    let profile = try await accounts.profile(of: waiter.session)
                    if mark(of: profile) != waiter.mark { end(number, with: .json(.ok, answer(about: profile, since: waiter.mark))) }
                } catch {
                    // A database that is down for a moment ends no wait.
                    if error.refusal != nil { end(number, with: ErrorReport(RequestError.failed(error), at: accounts.now()).json) }
                }
            }
        }
    }

    /// Ends a wait.
    /// - Parameter response: nil: the account has not changed.
    private func end(_ number: UInt64, with response: Response? = nil) {
        let waiter: Waiter? = state.update { state in
            guard let waiter = state.waiters.removeValue(forKey: number) else { return nil }
            state.byAccount.remove(number, of: waiter.session.key)
            state.bySource.remove(number, of: waiter.source)
            return waiter
        }
        guard let waiter else { return }
        let unchanged = Self.answer(about: waiter.session.key.account, mark: waiter.mark, isChanged: false)
        var response = response ?? .json(.ok, unchanged)
        crossOrigin.share(&response, withPageOf: waiter.origin)
        waiter.response.complete(HTTPResponse(status: response.status, headerFields: response.headers), response.body)
    }

    // MARK: Time

    /// Runs while anybody waits.
    private func startTimer() {
        Task { [weak self] in
            while (try? await Task.sleep(for: .seconds(1))) != nil, self?.pass() == true {}
        }
    }

    /// Ends the waits whose time is over, and looks at accounts.
    /// - Returns: whether anybody waits.
    @discardableResult func pass() -> Bool {
        let now = accounts.uptime()
        let (over, due, isWaiting) = state.update { state in
            let over = state.waiters.filter { $0.value.endsAt <= now }.map(\.key)
            let due = state.waiters.filter { now - $0.value.lookedAt >= Self.lookInterval && $0.value.endsAt > now }
                .sorted { $0.value.lookedAt < $1.value.lookedAt }.prefix(Self.maxLooks).map(\.key)
            for number in due { state.waiters[number]?.lookedAt = now }
            state.hasTimer = !state.waiters.isEmpty
            return (over, due, state.hasTimer)
        }
        for number in over { end(number) }
        if !due.isEmpty { look(at: due) }
        return isWaiting
    }
}

extension Dictionary where Value == [UInt64] {
    fileprivate mutating func remove(_ number: UInt64, of key: Key) {
        self[key]?.removeAll { $0 == number }
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}
