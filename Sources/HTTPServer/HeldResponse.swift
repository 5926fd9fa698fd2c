internal import Base
public import HTTPTypes

/// A response that the application completes later. Until then its connection costs as much as an
/// idle one: no task waits, and nothing of the request is kept.
public final class HeldResponse: Sendable {
    public typealias Receiver = @Sendable (HTTPResponse, [UInt8]) -> Void

    private enum State: Sendable {
        case held
        case awaited(Receiver)
        /// Completed before the server awaited it.
        case early(HTTPResponse, [UInt8])
        case completed
    }

    private let state = Locked(State.held)
    private let release: @Sendable () -> Void

    /// - Parameter release: called when the server needs the connection, when it stops, and when
    ///   the client is gone: then the application completes the response at once. It may be called
    ///   more than once, from any thread.
    public init(release: @escaping @Sendable () -> Void) { self.release = release }

    /// Completes the response. Further calls do nothing.
    public func complete(_ response: HTTPResponse, _ body: [UInt8]) {
        let receiver: Receiver? = state.update { state in
            switch state {
            case .held:
                state = .early(response, body)
                return nil
            case .awaited(let receiver):
                state = .completed
                return receiver
            case .early, .completed: return nil
            }
        }
        receiver?(response, body)
    }

    /// Hands the response over, now or when it is complete.
    public func await(by receiver: @escaping Receiver) {
        let early: (HTTPResponse, [UInt8])? = state.update { state in
            guard case .early(let response, let body) = state else {
                state = .awaited(receiver)
                return nil
            }
            state = .completed
            return (response, body)
        }
        if let early { receiver(early.0, early.1) }
    }

    /// Asks the application to complete the response at once.
    func releaseNow() { release() }
}

/// The responses of all listeners of a server that are held, the oldest first.
final class HeldResponses: Sendable {
    private struct State: Sendable {
        var all: [UInt64: HeldResponse] = [:]
        var (oldest, next) = (UInt64(0), UInt64(0))
    }

    private let state = Locked(State())
    private let maxCount: Int

    init(maxCount: Int) { self.maxCount = maxCount }

    /// Adds a response; if there are too many, the oldest one is released.
    /// - Returns: its number, for `remove`.
    func add(_ response: HeldResponse) -> UInt64 {
        let (number, isFull) = state.update { state in
            state.all[state.next] = response
            state.next += 1
            return (state.next - 1, state.all.count > maxCount)
        }
        if isFull { releaseOldest() }
        return number
    }

    func remove(_ number: UInt64) { state.update { $0.all[number] = nil } }

    /// Releases the oldest response. It is not chosen again.
    func releaseOldest() {
        let oldest: HeldResponse? = state.update { state in
            while state.oldest < state.next {
                defer { state.oldest += 1 }
                if let found = state.all[state.oldest] { return found }
            }
            return nil
        }
        oldest?.releaseNow()
    }
}
