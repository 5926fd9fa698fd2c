import Base
import Network
package import Testing

extension Duration {
    /// The longest wait of a test for something that happens at once on an idle machine. Only a
    /// fault makes a test wait so long, even on a quarter of a core. Who mends a test on an idle
    /// machine sets `ONWARD_PATIENCE` to fewer seconds.
    package static let patience = Duration.seconds(patientSeconds)
    package static let patientSeconds = System.environment("ONWARD_PATIENCE").flatMap { Int($0) } ?? 600
}

extension Trait where Self == TimeLimitTrait {
    /// The time limit of a test that has waits without a deadline.
    package static var patience: Self { .timeLimit(.minutes(30)) }
}

/// A condition did not come true before its deadline.
package struct TooLate: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until `look` returns a value, and returns it. It looks every few milliseconds; an error
/// that it throws counts as no value yet.
/// - Parameters:
///   - what: what is waited for, for the error's text.
///   - limit: the deadline. A condition that comes true is noticed at once.
/// - Throws: `TooLate` with the last error of `look`.
@discardableResult
package func eventually<Value>(
    _ what: String, within limit: Duration = .patience, _ look: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    var objection = ""
    while ContinuousClock.now < deadline {
        do {
            if let value = try await look() { return value }
            objection = ""
        } catch { objection = "; \(error)" }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw TooLate(description: "\(what) did not come within \(limit)\(objection)")
}

/// Waits until a condition holds; otherwise like the other `eventually`.
package func eventually(_ what: String, within limit: Duration = .patience, _ condition: () async throws -> Bool) async throws {
    try await eventually(what, within: limit) { try await condition() ? () : nil }
}

extension Latch {
    /// Waits until it is open, with the deadline that `wait` does not have.
    package func opens() async throws { try await eventually("the latch") { isOpen } }
}
