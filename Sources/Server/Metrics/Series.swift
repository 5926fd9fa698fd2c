import Base
import Metrics

/// The value of a counter or gauge.
final class NumberSeries: CounterHandler, MeterHandler {
    private let counter = AtomicCounter()

    var value: Int64 { counter.value }

    func increment(by amount: Int64) { counter.add(amount) }
    func increment(by amount: Double) { counter.add(Int64(amount)) }
    func decrement(by amount: Double) { counter.add(-Int64(amount)) }
    func set(_ value: Int64) { counter.set(value) }
    func set(_ value: Double) { counter.set(Int64(value)) }
    func reset() { counter.set(0) }
}

/// The buckets and the sum of a histogram.
final class HistogramSeries: TimerHandler, RecorderHandler {
    /// The upper bounds of the buckets except the last, which has none.
    private let ends: [Int64]
    private let buckets: [AtomicCounter]
    private let sum = AtomicCounter()
    private let scale: Double

    /// - Parameters: see `Metric.Kind.histogram`.
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

    /// The cumulative counts at each bound, the total count, and the sum.
    var reading: (upToEnds: [Int64], all: Int64, sum: Double) {
        var all: Int64 = 0
        let upTo = buckets.map { bucket in
            all += bucket.value
            return all
        }
        return (upTo.dropLast(), all, Double(sum.value) / scale)
    }
}
