import Base
import Testing
@testable import Network

@Suite struct `A circuit breaker` {
    let start = Uptime(.seconds(1_000))

    private func broken() -> CircuitBreaker {
        var circuit = CircuitBreaker()
        for _ in 0..<CircuitBreaker.maxFailures { _ = circuit.fail(at: start) }
        return circuit
    }

    @Test func `opens only after consecutive failures`() {
        var circuit = CircuitBreaker()
        for _ in 0..<20 {
            let failures = (1..<CircuitBreaker.maxFailures).map { _ in circuit.fail(at: start) }
            let wasDown = circuit.succeed()
            #expect(!failures.contains(true) && !wasDown)
        }
        let failures = (0..<(CircuitBreaker.maxFailures + 2)).map { _ in circuit.fail(at: start) }
        #expect(failures.firstIndex(of: true) == CircuitBreaker.maxFailures - 1)
        #expect(failures.count { $0 } == 1)
        #expect(circuit.downSince == start)
    }

    @Test func `admits one request per interval while it is open`() {
        var circuit = broken()
        let moments: [Duration] = [
            .zero, CircuitBreaker.retryInterval, CircuitBreaker.retryInterval, CircuitBreaker.retryInterval + .milliseconds(1),
            CircuitBreaker.retryInterval * 2,
        ]
        let admitted = moments.map { circuit.allowsRequest(at: start + $0) }
        #expect(admitted == [false, true, false, false, true])
        let wasDown = circuit.succeed()
        let isUp = circuit.allowsRequest(at: start)
        #expect(wasDown && isUp)
    }

    @Test func `a request that read the clock before the failure is no probe`() {
        var circuit = broken()
        let isAdmitted = circuit.allowsRequest(at: start - .milliseconds(1))
        #expect(!isAdmitted)
    }

    @Test func `stays open for as long as a lasting failure is given`() {
        var circuit = CircuitBreaker()
        let isNew = circuit.open(at: start, for: .seconds(600))
        let admitted = [0, 5, 599, 600, 601, 1_200].map { circuit.allowsRequest(at: start + .seconds($0)) }
        #expect(isNew && admitted == [false, false, false, true, false, true])
        let isNewAgain = circuit.open(at: start + .seconds(1_200), for: .seconds(600))
        #expect(!isNewAgain && circuit.downSince == start)
        let wasDown = circuit.succeed()
        for _ in 0..<CircuitBreaker.maxFailures { _ = circuit.fail(at: start) }
        let isProbed = circuit.allowsRequest(at: start + CircuitBreaker.retryInterval)
        #expect(wasDown && isProbed)
    }
}
