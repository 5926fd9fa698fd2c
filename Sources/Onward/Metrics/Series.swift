import Metrics
import Queues

/// One number with its labels.
final class NumberSeries: CounterHandler, MeterHandler {
    private let tally = AtomicCounter()

    var value: Int64 { tally.value }

    func increment(by amount: Int64) { tally.add(amount) }
    func increment(by amount: Double) { tally.add(Int64(amount)) }
    func decrement(by amount: Double) { tally.add(-Int64(amount)) }
    func set(_ value: Int64) { tally.set(value) }
    func set(_ value: Double) { tally.set(Int64(value)) }
    func reset() { tally.set(0) }
}

/// How many of what was recorded fell between which ends.
final class HistogramSeries: TimerHandler, RecorderHandler {
    /// The last bucket has no end.
    private let ends: [Int64]
    private let buckets: [AtomicCounter]
    private let sum = AtomicCounter()
    private let scale: Double

    /// As in `Metric.Kind.histogram`.
    init(ends: [Double], scale: Double) {
        self.ends = ends.map { Int64(($0 * scale).rounded()) }
        self.scale = scale
        buckets = (0...ends.count).map { _ in AtomicCounter() }
    }

    func recordNanoseconds(_ duration: Int64) { record(duration) }
    func record(_ value: Double) { record(Int64(value)) }

    func record(_ value: Int64) {
        buckets[ends.firstIndex { value <= $0 } ?? ends.count].add()
        sum.add(value)
    }

    /// What it holds at a moment: how many are at or below each end and in all, and what they come to.
    var reading: (upToEnds: [Int64], all: Int64, sum: Double) {
        var all: Int64 = 0
        let upTo = buckets.map { bucket in
            all += bucket.value
            return all
        }
        return (upTo.dropLast(), all, Double(sum.value) / scale)
    }
}
