internal import Base

/// The results of the latest attempts to apply codes of upstreams. An upstream deletes a code with
/// its answer, so it cannot be asked again when a button is pressed twice or the link is opened
/// once more. They are kept in memory only, because they contain addresses.
struct RecentAttempts: Sendable {
    enum AttemptResult: Sendable {
        /// - Parameter email: the address of the account.
        case applied(email: EmailAddress?)
        case refused(Refusal)
    }

    private struct Entry: Sendable {
        let result: AttemptResult
        let end: Timestamp
    }

    private struct State: Sendable {
        var entries: [Digest: Entry] = [:]
        /// When entries that have ended are removed next.
        var nextPurge = Timestamp(milliseconds: 0)
    }

    private let state = Locked(State())

    /// The time after which other things may have happened to the account.
    private static let lifetime = Duration.seconds(1800)
    private static let capacity = 4096
    private static let purgeInterval = Duration.seconds(60)

    /// Notes a result. A full memory is emptied first.
    func note(_ result: AttemptResult, of code: Digest, at now: Timestamp) {
        state.update { state in
            if now >= state.nextPurge {
                state.entries = state.entries.filter { now < $0.value.end }
                state.nextPurge = now + Self.purgeInterval
            }
            if state.entries.count >= Self.capacity { state.entries = [:] }
            state.entries[code] = Entry(result: result, end: now + Self.lifetime)
        }
    }

    private func result(of code: Digest, at now: Timestamp) -> AttemptResult? {
        state.value.entries[code].flatMap { now < $0.end ? $0.result : nil }
    }

    /// The reason for which a code was refused; nil if it is not known.
    func refusal(of code: Digest, at now: Timestamp) -> Refusal? {
        if case .refused(let refusal) = result(of: code, at: now) { refusal } else { nil }
    }

    /// The address of the account that a code was applied to; nil if it is not known.
    func address(of code: Digest, at now: Timestamp) -> EmailAddress? {
        if case .applied(let email) = result(of: code, at: now) { email } else { nil }
    }
}
