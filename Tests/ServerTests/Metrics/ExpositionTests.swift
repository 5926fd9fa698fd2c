import Base
import Foundation
import Metrics
import Testing
@testable import Server

@Suite struct `The text of the metrics` {
    private func text(_ registry: MetricsRegistry, _ gauges: [Exposition.Gauge] = []) throws -> PrometheusText {
        try PrometheusText(Exposition(registry: registry, gauges: gauges).text)
    }

    @Test func `counts by labels`() throws {
        let registry = MetricsRegistry()
        for (route, times) in [("action", 2), ("press", 3), ("action", 5)] {
            Counter(
                label: "onward_http_requests_total", dimensions: [("route", route), ("status", "2xx")], factory: registry
            ).increment(by: times)
        }
        let text = try text(registry)
        #expect(text.value("onward_http_requests_total", ["route": "action", "status": "2xx"]) == 7)
        #expect(text.value("onward_http_requests_total", ["route": "press", "status": "2xx"]) == 3)
        #expect(text.families.map(\.name) == ["onward_http_requests_total"])
    }

    @Test func `increases and decreases gauges`() throws {
        let registry = MetricsRegistry()
        let meter = Meter(label: "onward_connections_open", factory: registry)
        for _ in 0..<3 { meter.increment() }
        meter.decrement()
        #expect(try text(registry).value("onward_connections_open") == 2)
    }

    /// A value at a bound belongs to the bucket below it.
    @Test func `counts each duration in its bucket`() throws {
        let registry = MetricsRegistry()
        let timer = Timer(label: "onward_store_commit_duration_seconds", dimensions: [], factory: registry)
        for nanoseconds in [0, 50_000, 50_001, 10_000_000_000, 10_000_000_001] { timer.recordNanoseconds(Int64(nanoseconds)) }
        let text = try text(registry)
        let bucket = "onward_store_commit_duration_seconds_bucket"
        #expect(text.value(bucket, ["le": "5e-05"]) == 2)
        #expect(text.value(bucket, ["le": "0.0001"]) == 3)
        #expect(text.value(bucket, ["le": "10"]) == 4)
        #expect(text.value(bucket, ["le": "+Inf"]) == 5)
        #expect(text.value("onward_store_commit_duration_seconds_count") == 5)
        let sum = try #require(text.value("onward_store_commit_duration_seconds_sum"))
        #expect(abs(sum - 20.000_100_002) < 1e-9)
    }

    @Test func `counts each size in its bucket`() throws {
        let registry = MetricsRegistry()
        let sizes = Recorder(label: "onward_store_commit_transactions", dimensions: [], aggregate: true, factory: registry)
        for size in [1, 2, 3, 2000] { sizes.record(size) }
        let text = try text(registry)
        #expect(
            ["1", "2", "4", "1024", "+Inf"].map { text.value("onward_store_commit_transactions_bucket", ["le": $0]) } == [1, 2, 3, 3, 4])
        #expect(text.value("onward_store_commit_transactions_sum") == 2006)
    }

    @Test(arguments: ["", "plain", "with \"quotes\"", "back\\slash", "two\nlines", "\\n", "ä, {b=\"c\"}", "\r\n"])
    func `escapes label values`(_ value: String) throws {
        let reading = Exposition.Gauge(metric: .certificates, labels: Labels([("file", value)]), value: -1.5)
        let sample = try #require(try text(MetricsRegistry(), [reading])["onward_tls_certificate_remaining_seconds"]?.samples.first)
        #expect(sample.labels["file"] == value.replacing("\r\n", with: "\n") && sample.value == -1.5)
    }

    @Test func `omits unknown metrics`() {
        let registry = MetricsRegistry()
        Counter(label: "onward_unheard_of_total", factory: registry).increment()
        #expect(Exposition(registry: registry, gauges: []).text == "")
    }

    /// Every thread is counted.
    @Test func `counts the values of all threads`() async throws {
        let registry = MetricsRegistry()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 { Counter(label: "onward_connections_accepted_total", factory: registry).increment() }
                }
            }
        }
        #expect(try text(registry).value("onward_connections_accepted_total") == 800)
    }

    @Test func `contains the process gauges`() throws {
        let text = try text(MetricsRegistry(), ProcessGauges.all)
        #expect(try #require(text.value("process_resident_memory_bytes")) > 1_000_000)
        #expect(try #require(text.value("process_cpu_seconds_total")) > 0)
        let (open, most) = (try #require(text.value("process_open_fds")), try #require(text.value("process_max_fds")))
        #expect(open >= 3 && most > open)
        let age = Date().timeIntervalSince1970 - (try #require(text.value("process_start_time_seconds")))
        #expect((-2..<86_400).contains(age))
    }
}

@Suite struct `The monitoring files` {
    private static func file(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: #filePath).appending(path: "../../../../Docs/\(name)").standardized, encoding: .utf8)
    }

    /// Names that look like metrics, without what histograms append.
    private func metrics(in text: String) -> Set<String> {
        let histograms = Metric.allCases.filter { if case .histogram = $0.kind { true } else { false } }.map(\.name)
        return Set(
            text.matches(of: #/\b(?:onward|process)_[a-z_]+\b/#).map { match in
                histograms.first { base in ["_bucket", "_sum", "_count"].contains { base + $0 == match.output } } ?? String(match.output)
            })
    }

    @Test func `show exactly all metrics in the dashboard`() throws {
        let text = try Self.file("grafana-dashboard.json")
        #expect(try JSONSerialization.jsonObject(with: Foundation.Data(text.utf8)) is [String: Any])
        let used = metrics(in: text)
        #expect(used.subtracting(Metric.allCases.map(\.name)).isEmpty && Set(Metric.allCases.map(\.name)).subtracting(used).isEmpty)
    }

    @Test func `alert only on existing metrics`() throws {
        let used = metrics(in: try Self.file("alerts.yaml"))
        #expect(used.count > 8 && used.subtracting(Metric.allCases.map(\.name)) == [])
    }

    @Test func `document every metric with its labels`() throws {
        let text = try Self.file("Metrics.md")
        #expect(metrics(in: text) == Set(Metric.allCases.map(\.name)))
    }
}
