import Accounts
import Base
import Synchronization
import World

/// Another Identity Toolkit, which keeps codes. It refuses, is away, loses requests and answers,
/// and executes requests late whose gateway has given up, as a seed decides.
final class SimulatedUpstream: Sendable {
    /// The state of a code.
    struct Facts: Sendable, Hashable {
        var isApplied = false
        /// Whether a request to apply it is still to be executed.
        var isLate = false
    }

    private struct State {
        var generator: Generator
        var isHealthy = false
        var codes: [OobCode: Facts] = [:]

        mutating func executeLate(_ code: OobCode) {
            if codes[code]?.isLate == true { codes[code] = Facts(isApplied: true) }
        }
    }

    private let state: Mutex<State>

    init(deciding generator: Generator) { state = Mutex(State(generator: generator)) }

    func add(_ code: OobCode) { state.withLock { $0.codes[code] = Facts() } }
    func facts(of code: OobCode) -> Facts { state.withLock { $0.codes[code] ?? Facts() } }

    /// Executes what is late, and answers from now on.
    func recover() {
        state.withLock { state in
            state.isHealthy = true
            for code in state.codes.keys { state.executeLate(code) }
        }
    }

    fileprivate func look(at code: OobCode) throws(ActionError) -> UpstreamCode {
        let isLive = try decide { (state) throws(ActionError) in
            switch state.isHealthy ? 9 : state.generator.next(below: 10) {
            case 0: throw .unavailable(Unavailable(.upstream, cause: "away"))
            case 1: state.executeLate(code)
            default: break
            }
            return state.codes[code]?.isApplied == false
        }
        guard isLive else { throw .refused(.invalidOobCode) }
        return UpstreamCode(action: .verifyEmail, email: "dora@app.example", newEmail: nil, secondFactor: nil)
    }

    fileprivate func apply(_ code: OobCode) throws(ActionError) -> UpstreamEffect {
        try decide { (state) throws(ActionError) in
            let isLive = state.codes[code]?.isApplied == false
            switch state.isHealthy ? 9 : state.generator.next(below: 10) {
            case 0: throw .unavailable(Unavailable(.upstream, cause: "away"))
            case 1: throw .unavailable(Unavailable(.upstream, cause: "the request was lost", commitState: .unknown))
            case 2:
                state.codes[code]?.isApplied = true
                throw .unavailable(Unavailable(.upstream, cause: "the answer was lost", commitState: .unknown))
            case 3:
                state.codes[code]?.isLate = isLive
                throw .unavailable(Unavailable(.upstream, cause: "not waited for", commitState: .pending))
            case 4: throw .refused(.operationNotAllowed)
            default: break
            }
            guard isLive else { throw .refused(.invalidOobCode) }
            state.codes[code]?.isApplied = true
        }
        return UpstreamEffect(account: nil, email: "dora@app.example")
    }

    /// Throws outside of the lock.
    private func decide<T: Sendable>(_ decision: (inout State) throws(ActionError) -> T) throws(ActionError) -> T {
        try state.withLock { state in Result { () throws(ActionError) in try decision(&state) } }.get()
    }
}

/// The upstream as one of several callers has it.
struct TurnedUpstream: UpstreamToolkit {
    let base: SimulatedUpstream
    let wait: @Sendable () async -> Void

    func look(at code: OobCode, for _: UpstreamCaller) async throws(ActionError) -> UpstreamCode {
        await wait()
        return try base.look(at: code)
    }

    func apply(_ code: OobCode, newPassword _: String?, for _: UpstreamCaller) async throws(ActionError) -> UpstreamEffect {
        await wait()
        return try base.apply(code)
    }

    func sendPasswordReset(to _: EmailAddress, for _: UpstreamCaller) async throws(ActionError) {
        throw .refused(.operationNotAllowed)
    }
}
