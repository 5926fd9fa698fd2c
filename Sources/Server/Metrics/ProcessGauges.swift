import Base
import Foundation

/// Gauges of this process, with the names of Prometheus client libraries. Source: proc(5).
enum ProcessGauges {
    static var all: [Exposition.Gauge] {
        let values: KeyValuePairs<Metric, Double?> = [
            .memory: memory, .processor: processor, .descriptors: descriptors, .maxDescriptors: Double(sysconf(Int32(_SC_OPEN_MAX))),
            .start: start,
        ]
        return values.compactMap { metric, value in value.map { Exposition.Gauge(metric: metric, value: $0) } }
    }

    /// The start time, which does not change.
    private static let start: Double? = {
        guard let ticks = stat(19), let uptime = words(of: "/proc/uptime").first.flatMap({ Double($0) }) else { return nil }
        return (Date().timeIntervalSince1970 - uptime + ticks / ticksPerSecond).rounded()
    }()

    /// The resident memory, which is the second number of statm, in pages.
    private static var memory: Double? {
        words(of: "/proc/self/statm").dropFirst().first.flatMap { Double($0) }.map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
    }

    /// The CPU time of user and system.
    private static var processor: Double? {
        guard let user = stat(11), let system = stat(12) else { return nil }
        return (user + system) / ticksPerSecond
    }

    /// The number of open descriptors, without the one used to list them.
    private static var descriptors: Double? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count - 1) }
    }

    private static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

    /// A number of `/proc/self/stat`, counted from the end of the program name, which may contain
    /// any character and ends with the last parenthesis.
    private static func stat(_ index: Int) -> Double? {
        let words = words(of: "/proc/self/stat").joined(separator: " ").split(separator: ")").last?.split(separator: " ") ?? []
        return words.indices.contains(index) ? Double(words[index]) : nil
    }

    private static func words(of path: String) -> [String] {
        let content = FileManager.default.contents(atPath: path) ?? Foundation.Data()
        return String(decoding: content, as: UTF8.self).split(separator: " ").map(String.init)
    }
}
