import Foundation
import Testing

/// Random accidents of an installation on SQLite (Docs/Proof.md).
///
/// The environment variable ONWARD_SIMULATIONS sets how many are played, ONWARD_SIMULATION_SEED the
/// first of them, and ONWARD_SIMULATION_OPERATIONS the length of each.
@Suite struct `A simulated installation` {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    @Test func `an installation on SQLite does what it said, whatever happens to its disk`() async throws {
        let (count, first) = (Self.number("ONWARD_SIMULATIONS") ?? 60, UInt64(Self.number("ONWARD_SIMULATION_SEED") ?? 1))
        let calls = Self.number("ONWARD_SIMULATION_OPERATIONS") ?? 60
        var (crashes, digest) = (0, UInt64(0))
        for seed in first..<first + UInt64(count) {
            let simulation = try await Simulation(seed)
            try await simulation.run(calls: calls)
            crashes += simulation.crashes
            digest = digest &* 31 &+ simulation.digest
        }
        #expect(crashes > count)
        print("simulation: seeds from \(first), \(count * calls) calls, \(crashes) crashes, digest \(String(digest, radix: 16))")
    }

    @Test func `a simulated history is the same for the same seed`() async throws {
        var digests: Set<UInt64> = []
        for _ in 0..<3 {
            let simulation = try await Simulation(42)
            try await simulation.run(calls: 60)
            digests.insert(simulation.digest)
        }
        #expect(digests.count == 1)
    }
}
