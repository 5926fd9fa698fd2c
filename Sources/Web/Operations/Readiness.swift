internal import Accounts
internal import Base

/// Checks whether the store can be written, by writing. Successes are cached for a second, however
/// many clients poll; failures are not cached.
actor Readiness {
    private static let kept = Duration.seconds(1)

    private let now: Now
    private let ping: @Sendable () async throws(ActionError) -> Void
    private var provenAt: Timestamp?
    private var asking: Task<Result<Void, ActionError>, Never>?

    init(now: @escaping Now, ping: @escaping @Sendable () async throws(ActionError) -> Void) {
        self.now = now
        self.ping = ping
    }

    func check() async throws(ActionError) {
        // If the clock was set back, the moment is in the future and proves nothing.
        if let provenAt, (.zero..<Self.kept).contains(now() - provenAt) { return }
        let asking = asking ?? Task { await ask() }
        self.asking = asking
        try await asking.value.get()
    }

    private func ask() async -> Result<Void, ActionError> {
        defer { asking = nil }
        let started = now()
        do { try await ping() } catch { return .failure(error) }
        provenAt = started
        return .success(())
    }
}
