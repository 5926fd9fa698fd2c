import Foundation
import Testing

/// Random accidents of an installation on SQLite (Docs/Proof.md).
///
/// The environment variable ONWARD_SIMULATIONS sets how many are played, ONWARD_SIMULATION_SEED the
/// first of them, ONWARD_SIMULATION_OPERATIONS the number of steps of each, and
/// ONWARD_SIMULATION_SECONDS a time after which no other one begins.
@Suite struct `A simulated installation` {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    @Test func `an installation on SQLite does what it said, whatever happens`() async throws {
        let (count, first) = (Self.number("ONWARD_SIMULATIONS") ?? 40, UInt64(Self.number("ONWARD_SIMULATION_SEED") ?? 1))
        let steps = Self.number("ONWARD_SIMULATION_OPERATIONS") ?? 60
        var (calls, crashes, digest, done) = (0, 0, UInt64(0), [String: Int]())
        let end = Self.number("ONWARD_SIMULATION_SECONDS").map { ContinuousClock.now + .seconds($0) }
        var seed = first
        while seed < first + UInt64(count), end.map({ ContinuousClock.now < $0 }) ?? true {
            let simulation = try await Simulation.play(seed, steps: steps)
            (calls, crashes) = (calls + simulation.calls, crashes + simulation.crashes)
            digest = digest &* 31 &+ simulation.digest
            done.merge(simulation.done) { $0 + $1 }
            seed += 1
        }
        // Something has happened.
        #expect(calls < 1_000 || crashes > seed - first)
        for name in ["sign", "send", "press", "name", "deliver", "enrol", "follow", "proof", "link", "provider"] where calls > 1_000 {
            #expect(done[name, default: 0] > calls / 300, "\(name)")
        }
        print("simulation: seeds \(first) to \(seed - 1), \(calls) calls, \(crashes) crashes, digest \(String(digest, radix: 16))")
    }

    @Test func `a simulated history is the same for the same seed`() async throws {
        var digests: Set<UInt64> = []
        for _ in 0..<3 { digests.insert(try await Simulation.play(42, steps: 60).digest) }
        #expect(digests.count == 1)
    }
}
